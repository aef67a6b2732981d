#include "caos/scorers/unit_rows.hpp"

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

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Matrix<float> one_row(const std::vector<float>& values) {
  Matrix<float> row(0, values.size());
  row.push_row(values);
  return row;
}

Matrix<float> random_rows(std::size_t rows, std::size_t cols, double scale) {
  Rng rng(rows * 100 + cols);
  Matrix<float> result(rows, cols);
  for (std::size_t i = 0; i < rows * cols; ++i) {
    result(i / cols, i % cols) = static_cast<float>((rng.uniform() - 0.5) * scale);
  }
  return result;
}

bool same_bits(const Matrix<float>& a, const Matrix<float>& b) {
  for (std::size_t r = 0; r < a.rows(); ++r) {
    for (std::size_t d = 0; d < a.cols(); ++d) {
      if (std::bit_cast<std::uint32_t>(a(r, d)) != std::bit_cast<std::uint32_t>(b(r, d))) {
        return false;
      }
    }
  }
  return a.rows() == b.rows() && a.cols() == b.cols();
}

TEST(UnitRows, DividesRowsByTheirLengths) {
  const Matrix<float> unit = unit_rows(one_row({3, 0, -4}).view(), "a");
  EXPECT_TRUE(same_bits(unit, one_row({0.6F, 0, -0.8F})));
}

TEST(UnitRows, GivesLengthOneWhateverTheScale) {
  for (const double scale : {1e-37, 1e-3, 1.0, 1e5, 1e38}) {
    const Matrix<float> unit = unit_rows(random_rows(20, 33, scale).view(), "a");
    for (std::size_t r = 0; r < unit.rows(); ++r) {
      double squared = 0;
      for (const float value : unit.row(r)) squared += double{value} * double{value};
      EXPECT_NEAR(squared, 1, 1e-6) << scale;
    }
  }
}

TEST(UnitRows, LeavesUnitRowsAsTheyAreToTheBit) {
  const Matrix<float> once = unit_rows(random_rows(200, 384, 7).view(), "a");
  EXPECT_TRUE(same_bits(unit_rows(once.view(), "a"), once));
  EXPECT_TRUE(same_bits(unit_rows(one_row({-0.0F, 1, 0}).view(), "a"), one_row({-0.0F, 1, 0})));
  const auto almost = static_cast<float>(std::sqrt(1 + 0.9e-6));
  EXPECT_TRUE(same_bits(unit_rows(one_row({almost}).view(), "a"), one_row({almost})));
  const auto beyond = static_cast<float>(std::sqrt(1 + 1.2e-6));
  EXPECT_TRUE(same_bits(unit_rows(one_row({beyond}).view(), "a"), one_row({1})));
}

TEST(UnitRows, RefusesWhatHasNoDirection) {
  const auto refuse = [](const std::vector<float>& row, const std::string& what) {
    Matrix<float> rows = one_row({1, 2, 3});
    rows.push_row(row);
    expect_error([&] { (void)unit_rows(rows.view(), "faces/b.jpg"); }, ErrorKind::bad_format,
                 {"faces/b.jpg: the embedding of patch 1 " + what});
  };
  refuse({0, -0.0F, 0}, "is all zeros");
  refuse({1, nan, 0}, "has a value that is not a finite 32-bit number");
  refuse({1, 0, infinity}, "has a value that is not a finite 32-bit number");
  refuse({-infinity, infinity, 0}, "has a value that is not a finite 32-bit number");
}

TEST(UnitRows, KeepsNoRowsAtAll) {
  EXPECT_EQ(unit_rows(Matrix<float>(0, 5).view(), "a").rows(), 0U);
}

}  // namespace
}  // namespace caos
