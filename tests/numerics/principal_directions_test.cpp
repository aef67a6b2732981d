#include "caos/numerics/principal_directions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "caos/rng.hpp"
#include "tests/kernels/every_target.hpp"

namespace {

using caos::Matrix;

std::vector<const float*> pointers(const Matrix<float>& rows) {
  std::vector<const float*> result;
  for (std::size_t r = 0; r < rows.rows(); ++r) result.push_back(rows.row(r).data());
  return result;
}

double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * b[i];
  return sum;
}

void expect_orthonormal(const Matrix<float>& directions) {
  for (std::size_t a = 0; a < directions.rows(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      EXPECT_NEAR(dot(directions.row(a), directions.row(b)), a == b ? 1 : 0, 1e-5);
    }
  }
}

/// Row r has standard deviation `spread(d)` along coordinate d.
template <typename Spread>
Matrix<float> spread_rows(std::size_t count, std::size_t dimension, const Spread& spread) {
  caos::Rng rng(1);
  Matrix<float> rows(count, dimension);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t d = 0; d < dimension; ++d) {
      rows(r, d) = static_cast<float>(spread(d) * (rng.uniform() - 0.5));
    }
  }
  return rows;
}

/// The share of the rows' squared lengths that the first `count` directions hold.
double share_held(const Matrix<float>& rows, const Matrix<float>& directions, std::size_t count) {
  double all = 0;
  double held = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    all += dot(rows.row(r), rows.row(r));
    for (std::size_t d = 0; d < count; ++d) {
      held += std::pow(dot(rows.row(r), directions.row(d)), 2);
    }
  }
  return held / all;
}

TEST(PrincipalDirections, SpanTheRowsWhereThereAreAsManyAsTheRowsSpan) {
  // Along seven coordinates only.
  const Matrix<float> rows = spread_rows(50, 40, [](std::size_t d) { return d % 6 == 0 ? 1 : 0; });
  const Matrix<float> directions = caos::principal_directions(pointers(rows), 40, 7, 3);
  expect_orthonormal(directions);
  EXPECT_NEAR(share_held(rows, directions, 7), 1, 1e-6);
}

TEST(PrincipalDirections, HoldNearlyAsMuchAsTheLongestCoordinatesDo) {
  const auto spread = [](std::size_t d) { return 1.0 / static_cast<double>(d + 1); };
  const Matrix<float> rows = spread_rows(400, 100, spread);
  const Matrix<float> directions = caos::principal_directions(pointers(rows), 100, 20, 3);
  Matrix<float> coordinates(20, 100);
  for (std::size_t d = 0; d < 20; ++d) coordinates(d, d) = 1;
  expect_orthonormal(directions);
  for (const std::size_t count : {1U, 5U, 20U}) {
    EXPECT_GT(share_held(rows, directions, count), share_held(rows, coordinates, count) - 0.02);
  }
}

TEST(PrincipalDirections, AreCompletedWhereRowsAreFewOrAlikeOrZero) {
  for (const std::size_t count : {0U, 1U, 3U, 10U}) {
    const Matrix<float> same = spread_rows(1, 12, [](std::size_t) { return 1; });
    Matrix<float> rows(0, 12);
    for (std::size_t r = 0; r < count; ++r) rows.push_row(same.row(0));
    expect_orthonormal(caos::principal_directions(pointers(rows), 12, 12, 3));
  }
  expect_orthonormal(caos::principal_directions(pointers(Matrix<float>(5, 9)), 9, 4, 3));
  expect_orthonormal(caos::principal_directions(pointers(Matrix<float>(2, 1, 1.0F)), 1, 1, 3));
}

TEST(PrincipalDirections, AreTheSameOnEveryInstructionSet) {
  const Matrix<float> rows = spread_rows(60, 33, [](std::size_t d) { return d < 9 ? 1 : 0.1; });
  std::vector<float> first;
  caos::kernels::on_every_target([&] {
    const Matrix<float> directions = caos::principal_directions(pointers(rows), 33, 12, 3);
    const auto view = directions.view();
    const std::vector<float> values(view.data(), view.data() + view.rows() * view.cols());
    if (first.empty()) first = values;
    EXPECT_EQ(values, first);
  });
}

}  // namespace
