#include "caos/scorers/vector_distance.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "caos/rng.hpp"
#include "tests/support/expect_error.hpp"

namespace caos {
namespace {

using test::expect_error;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Matrix<double> rows_of(const std::vector<std::vector<double>>& values) {
  Matrix<double> rows(0, values.empty() ? 0 : values[0].size());
  for (const auto& row : values) rows.push_row(row);
  return rows;
}

Matrix<double> random_rows(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Rng rng(seed);
  Matrix<double> result(rows, cols);
  for (std::size_t i = 0; i < rows * cols; ++i) result(i / cols, i % cols) = rng.uniform() - 0.5;
  return result;
}

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

/// The order of additions as the header has it, term by term.
double in_order(std::span<const double> a, std::span<const double> b) {
  std::vector<double> sums(8, 0.0);
  for (std::size_t d = 0; d < a.size(); ++d) sums[d % 8] += (a[d] - b[d]) * (a[d] - b[d]);
  return std::sqrt(((sums[0] + sums[4]) + (sums[2] + sums[6])) +
                   ((sums[1] + sums[5]) + (sums[3] + sums[7])));
}

TEST(Distances, AreEuclidean) {
  const Matrix<Score> found =
      distances(rows_of({{0, 0}, {3, 4}}).view(), rows_of({{0, 0}, {6, 8}, {3, 0}}).view());
  EXPECT_EQ(std::vector<Score>(found.row(0).begin(), found.row(0).end()),
            (std::vector<Score>{0, 10, 3}));
  EXPECT_EQ(std::vector<Score>(found.row(1).begin(), found.row(1).end()),
            (std::vector<Score>{5, 5, 4}));
}

TEST(Distances, AddInOneOrderWhateverTheLengthOfRows) {
  for (const std::size_t dim : {1U, 2U, 7U, 8U, 9U, 15U, 16U, 17U, 30U, 385U}) {
    const Matrix<double> x = random_rows(5, dim, dim);
    const Matrix<double> references = random_rows(6, dim, dim + 1000);
    const Matrix<Score> found = distances(x.view(), references.view());
    for (std::size_t t = 0; t < 5; ++t) {
      for (std::size_t j = 0; j < 6; ++j) {
        EXPECT_EQ(bits(found(t, j)), bits(in_order(x.row(t), references.row(j)))) << dim;
      }
    }
  }
}

TEST(Distances, AreSymmetricToTheBitAndZeroFromARowToItself) {
  const Matrix<double> x = random_rows(40, 37, 1);
  const Matrix<Score> found = distances(x.view(), x.view());
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(found(i, i), 0.0);
    for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(bits(found(i, j)), bits(found(j, i)));
  }
}

TEST(Distances, DoNotDependOnThreadsNorOnHowRowsAreSplit) {
  const Matrix<double> x = random_rows(3000, 11, 2);
  const Matrix<double> references = random_rows(50, 11, 3);
  const Matrix<Score> one = distances(x.view(), references.view(), 1);
  const Matrix<Score> many = distances(x.view(), references.view(), 7);
  for (std::size_t t = 0; t < x.rows(); ++t) {
    const Matrix<Score> alone =
        distances(std::as_const(x).view().rows_from(t, 1), references.view());
    for (std::size_t j = 0; j < references.rows(); ++j) {
      ASSERT_EQ(bits(one(t, j)), bits(many(t, j)));
      ASSERT_EQ(bits(one(t, j)), bits(alone(0, j)));
    }
  }
}

TEST(Distances, BeyondTheRangeOfDoubleAreInfinite) {
  const Matrix<Score> found =
      distances(rows_of({{1e200}, {-1e308}}).view(), rows_of({{0}, {1e308}}).view());
  EXPECT_EQ(found(0, 0), infinity);
  EXPECT_EQ(found(1, 1), infinity);
}

TEST(Distances, RefuseRowsOfOtherLengthsAndValuesThatAreNotFinite) {
  const Matrix<double> good = rows_of({{1, 2}, {3, 4}});
  expect_error([&] { (void)distances(good.view(), rows_of({{1}}).view()); },
               ErrorKind::invalid_input, {"x: has rows of 2; the references have rows of 1"});
  expect_error(
      [&] {
        (void)distances(rows_of({{1, 2}, {3, nan}}).view(), good.view());
      },
      ErrorKind::bad_format, {"x: row 1 has a value that is not a finite number"});
  expect_error(
      [&] {
        (void)distances(good.view(), rows_of({{-infinity, 2}}).view());
      },
      ErrorKind::bad_format, {"references: row 0 has a value that is not a finite number"});
}

TEST(Distances, OfNothingAreNone) {
  EXPECT_EQ(distances(Matrix<double>(0, 3).view(), Matrix<double>(2, 3).view()).rows(), 0U);
  EXPECT_EQ(distances(Matrix<double>(2, 3).view(), Matrix<double>(0, 3).view()).cols(), 0U);
}

}  // namespace
}  // namespace caos
