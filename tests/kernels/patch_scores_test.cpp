#include "caos/kernels/patch_scores.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "caos/rng.hpp"
#include "tests/kernels/every_target.hpp"

namespace caos::kernels {
namespace {

constexpr std::size_t rows = 23;

using Table = std::vector<double>;
using Apply = std::function<void(double*, std::size_t cols, std::size_t stride)>;

Table draw(std::size_t cols) {
  Rng rng(cols);
  Table table(rows * cols);
  // A coarse lattice, so that the largest similarity is often reached twice.
  for (double& value : table) value = static_cast<double>(rng.below(41)) / 20 - 1;
  return table;
}

std::vector<double> column(const Table& table, std::size_t cols, std::size_t c) {
  std::vector<double> values;
  for (std::size_t p = 0; p < rows; ++p) values.push_back(table[p * cols + c]);
  return values;
}

/// Checks `apply` against `meaning`, a function of a column and a patch, within `tolerance`, and
/// that all instruction sets give the same bits.
void expect_meaning(const Apply& apply,
                    const std::function<double(const std::vector<double>&, std::size_t)>& meaning,
                    double tolerance) {
  for (std::size_t cols = 1; cols < 20; ++cols) {
    const Table before = draw(cols);
    Table first;
    on_every_target([&] {
      Table after = before;
      apply(after.data(), cols, cols);
      for (std::size_t i = 0; i < after.size(); ++i) {
        const double expected = meaning(column(before, cols, i % cols), i / cols);
        ASSERT_NEAR(after[i], expected, tolerance * std::max(1.0, std::abs(expected)));
      }
      if (first.empty()) first = after;
      ASSERT_EQ(after, first);
    });
  }
}

TEST(PatchScores, CosineIsOneMinusTheSimilarity) {
  expect_meaning(
      [](double* s, std::size_t cols, std::size_t stride) { cosine_scores(s, rows, cols, stride); },
      [](const auto& c, std::size_t p) { return 1 - c[p]; }, 0);
}

TEST(PatchScores, MarginAddsWhatThePatchLacksToTheBestOne) {
  expect_meaning([](double* s, std::size_t cols,
                    std::size_t stride) { margin_scores(s, rows, cols, stride, 3.0); },
                 [](const auto& c, std::size_t p) {
                   return (1 - c[p]) + 3.0 * (*std::ranges::max_element(c) - c[p]);
                 },
                 0);
}

class Softmax : public testing::TestWithParam<double> {};

TEST_P(Softmax, IsMinusTheLogOfTheSoftmax) {
  const double inverse = GetParam();
  expect_meaning([&](double* s, std::size_t cols,
                     std::size_t stride) { softmax_scores(s, rows, cols, stride, inverse); },
                 [&](const auto& c, std::size_t p) {
                   const double most = *std::ranges::max_element(c);
                   long double sum = 0;
                   for (const double other : c) {
                     sum += std::exp(static_cast<long double>((other - most) * inverse));
                   }
                   return static_cast<double>(std::log(sum) -
                                              static_cast<long double>((c[p] - most) * inverse));
                 },
                 1e-14);
}

// The largest lets exponents fall far below where e^x is 0.
INSTANTIATE_TEST_SUITE_P(Temperatures, Softmax, testing::Values(0.001, 1.0, 20.0, 50.0, 1e3));

TEST(PatchScores, LeavesWhatLiesBetweenRowsAlone) {
  Table table(rows * 10, 0.5);
  softmax_scores(table.data(), rows, 7, 10, 2.0);
  for (std::size_t p = 0; p < rows; ++p) {
    for (std::size_t c = 7; c < 10; ++c) EXPECT_EQ(table[p * 10 + c], 0.5);
  }
}

}  // namespace
}  // namespace caos::kernels
