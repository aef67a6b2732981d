#include "caos/scorers/reference_filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "caos/kernels/dot.hpp"
#include "caos/numerics/principal_directions.hpp"
#include "caos/rng.hpp"
#include "caos/scorers/exact_nearest.hpp"
#include "caos/scorers/unit_rows.hpp"
#include "tests/kernels/every_target.hpp"

namespace {

using caos::CoarseRows;
using caos::Matrix;
using caos::ReferenceFilter;
using caos::Rng;
using caos::kernels::coarse_group;
using caos::kernels::coarse_one;

/// Rows around a few centers, some of them equal, some nearly parallel, some along an axis.
Matrix<float> rows_around(Rng& rng, std::size_t count, const Matrix<float>& centers, double noise) {
  Matrix<float> rows(count, centers.cols());
  for (std::size_t r = 0; r < count; ++r) {
    const auto center = centers.row(rng.below(centers.rows()));
    const double level = rng.below(3) == 0 ? 0 : rng.below(3) == 0 ? 1e-4 : noise;
    for (std::size_t d = 0; d < rows.cols(); ++d) {
      rows(r, d) = center[d] + static_cast<float>(level * (rng.uniform() - 0.5));
    }
    if (rng.below(10) == 0) {
      std::ranges::fill(rows.row(r), 0.0F);
      rows(r, rng.below(rows.cols())) = rng.below(2) == 0 ? 1.0F : -1.0F;
    }
  }
  return caos::unit_rows(std::as_const(rows).view(), "drawn");
}

Matrix<float> random_rows(Rng& rng, std::size_t count, std::size_t dimension) {
  Matrix<float> rows(count, dimension);
  for (std::size_t r = 0; r < count; ++r) {
    for (float& value : rows.row(r)) value = static_cast<float>(rng.uniform() - 0.5);
  }
  return caos::unit_rows(std::as_const(rows).view(), "drawn");
}

double similarity(std::span<const float> a, std::span<const float> b) {
  double dot = 0;
  caos::kernels::dot_rows(a.data(), 1, b.data(), 1, a.size(), &dot, 1);
  return dot;
}

/// Every bound is at least the similarity; the mean of what it is more is returned.
double expect_bounds(const Matrix<float>& queries, const Matrix<float>& references,
                     const ReferenceFilter& filter) {
  const CoarseRows projected = filter.project(CoarseRows(queries.view()));
  caos::CoarseSimilarities bounds;
  bounds.compare(projected, 0, projected.size(), filter.references());
  double excess = 0;
  for (std::size_t q = 0; q < queries.rows(); ++q) {
    const std::size_t g = q / coarse_group;
    for (std::size_t r = 0; r < references.rows(); ++r) {
      const std::int32_t bound =
          bounds.group(g)[r * coarse_group + q % coarse_group] + bounds.errors(g)[q % coarse_group];
      const double exact = similarity(queries.row(q), references.row(r));
      EXPECT_GE(static_cast<double>(bound), exact * coarse_one) << "query " << q << ", row " << r;
      excess += static_cast<double>(bound) / coarse_one - exact;
    }
  }
  return excess / static_cast<double>(queries.rows() * references.rows());
}

TEST(ReferenceFilter, BoundsSimilaritiesFromAbove) {
  for (const std::size_t dimension : {1U, 2U, 3U, 17U, 48U, 129U, 385U}) {
    for (const double noise : {1e-3, 0.3, 3.0}) {
      Rng rng(dimension);
      const Matrix<float> centers = random_rows(rng, 7, dimension);
      const Matrix<float> references = rows_around(rng, 40, centers, noise);
      const Matrix<float> queries = rows_around(rng, 50, centers, noise);
      for (const std::size_t count : {1U, 2U, 5U, 12U, 47U, 96U}) {
        if (count > dimension) continue;
        SCOPED_TRACE(testing::Message() << dimension << ' ' << noise << ' ' << count);
        const auto directions =
            caos::principal_directions(caos::row_pointers(references.view()), dimension, count, 1);
        const auto filter = ReferenceFilter::make(CoarseRows(references.view()), directions.view());
        ASSERT_TRUE(filter);
        expect_bounds(queries, references, *filter);
      }
    }
  }
}

TEST(ReferenceFilter, BoundsSimilaritiesByDirectionsThatHaveNothingToDoWithThem) {
  Rng rng(4);
  const Matrix<float> references = random_rows(rng, 30, 200);
  const Matrix<float> queries = random_rows(rng, 33, 200);
  const Matrix<float> others = random_rows(rng, 20, 200);
  const auto directions = caos::principal_directions(caos::row_pointers(others.view()), 200, 13, 1);
  const auto filter = ReferenceFilter::make(CoarseRows(references.view()), directions.view());
  ASSERT_TRUE(filter);
  expect_bounds(queries, references, *filter);
}

TEST(ReferenceFilter, ComesNearWhereRowsLieAlongTheDirections) {
  Rng rng(2);
  for (const std::size_t dimension : {64U, 384U}) {
    const Matrix<float> centers = random_rows(rng, 9, dimension);
    const Matrix<float> references = rows_around(rng, 60, centers, 1e-3);
    const auto directions =
        caos::principal_directions(caos::row_pointers(references.view()), dimension, 25, 1);
    const auto filter = ReferenceFilter::make(CoarseRows(references.view()), directions.view());
    ASSERT_TRUE(filter);
    EXPECT_LT(expect_bounds(references, references, *filter), 0.004);
  }
}

TEST(ReferenceFilter, IsExactUpToRoundingWithEveryDirection) {
  Rng rng(3);
  const Matrix<float> rows = random_rows(rng, 40, 24);
  const auto directions = caos::principal_directions(caos::row_pointers(rows.view()), 24, 24, 1);
  const auto filter = ReferenceFilter::make(CoarseRows(rows.view()), directions.view());
  ASSERT_TRUE(filter);
  EXPECT_LT(expect_bounds(rows, rows, *filter), 0.004);
}

TEST(ReferenceFilter, IsTheSameOnEveryInstructionSet) {
  Rng rng(5);
  const Matrix<float> references = random_rows(rng, 50, 77);
  const Matrix<float> queries = random_rows(rng, 45, 77);
  std::vector<std::int16_t> first;
  caos::kernels::on_every_target([&] {
    const auto directions =
        caos::principal_directions(caos::row_pointers(references.view()), 77, 20, 1);
    const auto filter = ReferenceFilter::make(CoarseRows(references.view()), directions.view());
    ASSERT_TRUE(filter);
    expect_bounds(queries, references, *filter);
    const CoarseRows projected = filter->project(CoarseRows(queries.view()));
    const std::vector<std::int16_t> values(projected.row(0), projected.row(projected.size()));
    if (first.empty()) first = values;
    EXPECT_EQ(values, first);
  });
}

TEST(ReferenceFilter, IsNotMadeWhereItsBoundsWouldNotHold) {
  Rng rng(6);
  const Matrix<float> references = random_rows(rng, 5, 30);
  const CoarseRows coarse(references.view());
  EXPECT_FALSE(ReferenceFilter::make(coarse, random_rows(rng, 3, 30).view()));
  const Matrix<float> same = random_rows(rng, 1, 30);
  Matrix<float> twice = same;
  twice.push_row(same.row(0));
  EXPECT_FALSE(ReferenceFilter::make(coarse, twice.view()));
  EXPECT_TRUE(ReferenceFilter::make(coarse, same.view()));
  const Matrix<float> wide = random_rows(rng, 1, 50'001);
  EXPECT_FALSE(ReferenceFilter::make(CoarseRows(wide.view()), wide.view()));
}

TEST(ReferenceFilter, BoundsTheLongestRowsThatPassAsUnitRows) {
  // Squared lengths of 1 + 1e-6 and 1 - 1e-6, along one direction and far from it.
  for (const double length : {std::sqrt(1 + 0.99e-6), std::sqrt(1 - 0.99e-6)}) {
    for (const double share : {0.0, 1e-4, 0.5, 0.9999, 1.0}) {
      Matrix<float> rows(2, 3);
      rows(0, 0) = static_cast<float>(length * std::sqrt(share));
      rows(0, 1) = static_cast<float>(length * std::sqrt(1 - share));
      rows(1, 0) = rows(0, 0);
      rows(1, 2) = rows(0, 1);
      Matrix<float> directions(1, 3);
      directions(0, 0) = 1;
      const auto filter = ReferenceFilter::make(CoarseRows(rows.view()), directions.view());
      ASSERT_TRUE(filter);
      expect_bounds(rows, rows, *filter);
    }
  }
}

}  // namespace
