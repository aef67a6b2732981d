#include "caos/scorers/coarse_similarities.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "caos/kernels/dot.hpp"
#include "caos/rng.hpp"
#include "caos/scorers/unit_rows.hpp"
#include "tests/kernels/every_target.hpp"

namespace caos {
namespace {

Matrix<float> draw(std::uint64_t seed, std::size_t rows, std::size_t dim) {
  Rng rng(seed);
  Matrix<float> result(rows, dim);
  for (std::size_t r = 0; r < rows; ++r) {
    for (float& value : result.row(r)) value = static_cast<float>(rng.uniform() - 0.5);
  }
  return unit_rows(std::move(result), "drawn");
}

/// For each row the direction in which rounding moved it: nothing tells the row and its coarse one
/// better apart.
Matrix<float> directions_of_rounding(const Matrix<float>& rows) {
  const CoarseRows coarse(rows.view());
  Matrix<float> result(rows.rows(), rows.cols());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d) {
      const double rounded = coarse.row(r)[d] / double{kernels::coarse_one};
      result(r, d) = static_cast<float>(double{rows(r, d)} - rounded);
    }
  }
  return unit_rows(std::move(result), "directions");
}

/// How far the coarse similarity of query and reference i is from the exact one at most, as a share
/// of the error that it is said to have.
double largest_share(const Matrix<float>& queries, const Matrix<float>& references) {
  const CoarseReferences packed{CoarseRows(references.view())};
  const CoarseRows rows(queries.view());
  double largest = 0;
  for (std::size_t i = 0; i < queries.rows(); ++i) {
    CoarseSimilarities similarities;
    similarities.compare(rows, i, 1, packed);
    double exact = 0;
    kernels::dot_rows(queries.row(i).data(), 1, references.row(i).data(), 1, queries.cols(), &exact,
                      1);
    const double found = similarities.group(0)[i * kernels::coarse_group];
    const double distance = std::abs(found - exact * kernels::coarse_one);
    largest = std::max(largest, distance / similarities.errors(0)[0]);
  }
  return largest;
}

TEST(CoarseSimilarities, AreWithinTheirErrorInTheWorstDirectionsToo) {
  for (const std::size_t dimension : {5U, 33U, 128U, 768U}) {
    const Matrix<float> rows = draw(dimension, 40, dimension);
    const Matrix<float> worst = directions_of_rounding(rows);
    kernels::on_every_target([&] {
      EXPECT_LE(largest_share(rows, worst), 1) << dimension;
      EXPECT_LE(largest_share(worst, rows), 1) << dimension;
    });
  }
}

TEST(CoarseSimilarities, HaveErrorsThatAreNotMuchTooLarge) {
  // A generous error would be safe, and decide nothing: the worst directions come close to it.
  const Matrix<float> rows = draw(9, 40, 768);
  const Matrix<float> worst = directions_of_rounding(rows);
  EXPECT_GT(largest_share(rows, worst), 0.3);
  EXPECT_GT(largest_share(worst, rows), 0.3);
}

}  // namespace
}  // namespace caos
