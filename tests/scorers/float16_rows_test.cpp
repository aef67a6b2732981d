#include "caos/scorers/float16_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "caos/numerics/float16.hpp"
#include "caos/rng.hpp"
#include "caos/scorers/unit_rows.hpp"

namespace caos {
namespace {

Matrix<float> one_row(const std::vector<float>& values) {
  Matrix<float> row(0, values.size());
  row.push_row(values);
  return row;
}

std::vector<float> rounded(const std::vector<float>& values) {
  const Matrix<float> rows = float16_rows(one_row(values));
  return {rows.row(0).begin(), rows.row(0).end()};
}

std::vector<float> random_values(std::size_t count, double scale) {
  Rng rng(count);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>((rng.uniform() - 0.5) * scale);
  return values;
}

TEST(Float16Rows, TakeTheLargestMagnitudeToOneOrMore) {
  EXPECT_EQ(rounded({-3, 0.75F, 1}), (std::vector<float>{-1.5F, 0.375F, 0.5F}));
  EXPECT_EQ(rounded({0.5F, 0}), (std::vector<float>{1, 0}));
  EXPECT_EQ(rounded({1, 1.0F / 3}), (std::vector<float>{1, from_float16(to_float16(1.0F / 3))}));
}

TEST(Float16Rows, DoNotDependOnTheUnitOfTheBackbone) {
  const std::vector<float> values = random_values(100, 2);
  for (const int exponent : {-120, -30, -1, 1, 17, 100}) {
    std::vector<float> scaled = values;
    for (float& value : scaled) value = std::ldexp(value, exponent);
    EXPECT_EQ(rounded(scaled), rounded(values)) << exponent;
  }
}

TEST(Float16Rows, KeepDirections) {
  for (const double scale : {1e-40, 1e-6, 1.0, 1e6, 1e38}) {
    const std::vector<float> values = random_values(384, scale);
    const Matrix<float> exact = unit_rows(one_row(values), "exact");
    const Matrix<float> near = unit_rows(float16_rows(one_row(values)), "near");
    double dot = 0;
    for (std::size_t d = 0; d < values.size(); ++d) dot += double{exact(0, d)} * near(0, d);
    EXPECT_GT(dot, 1 - 1e-6) << scale;
  }
}

TEST(Float16Rows, AreRoundedOnce) {
  const std::vector<float> once = rounded(random_values(50, 1e5));
  EXPECT_EQ(rounded(once), once);
  const Matrix<float> row = one_row(once);
  const Matrix<float> back = from_float16(to_float16(row).view());
  EXPECT_TRUE(std::ranges::equal(back.row(0), row.row(0)));
}

TEST(Float16Rows, LeaveZerosAndWhatIsNotFinite) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(rounded({0, -0.0F}), (std::vector<float>{0, 0}));
  EXPECT_EQ(rounded({infinity, 1}), (std::vector<float>{infinity, 1}));
  EXPECT_TRUE(std::isnan(rounded({std::nanf(""), 1})[0]));
}

TEST(Float16Rows, MayHaveNoRows) { EXPECT_EQ(float16_rows(Matrix<float>(0, 7)).rows(), 0U); }

}  // namespace
}  // namespace caos
