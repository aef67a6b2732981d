#include "caos/kernels/correlate.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "caos/rng.hpp"
#include "tests/kernels/every_target.hpp"
#include "tests/kernels/guarded.hpp"

namespace caos::kernels {
namespace {

struct Case {
  std::size_t side;
  std::size_t positions;
  bool largest = false;  ///< all values 255
};

std::vector<std::int16_t> draw_square(Rng& rng, std::size_t side, std::size_t stride,
                                      bool largest) {
  std::vector<std::int16_t> values(side * stride, 0);
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t j = 0; j < side; ++j) {
      values[i * stride + j] = static_cast<std::int16_t>(largest ? 255 : rng.below(256));
    }
  }
  return values;
}

/// The definition, as it is written down.
std::int64_t slow_sum(const GraySquare& pattern, const GraySquare& window, std::size_t x,
                      std::size_t y) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < pattern.side; ++i) {
    for (std::size_t j = 0; j < pattern.side; ++j) {
      sum += std::int64_t{pattern.values[i * pattern.stride + j]} *
             window.values[(y + i) * window.stride + x + j];
    }
  }
  return sum;
}

void expect_equals_the_definition(const Case& c) {
  SCOPED_TRACE(testing::Message() << c.side << ", " << c.positions << " positions");
  Rng rng(c.side * 101 + c.positions);
  const std::size_t pattern_stride =
      (c.side + correlate_padding - 1) / correlate_padding * correlate_padding;
  const std::size_t window_stride = c.positions - 1 + pattern_stride;
  const std::size_t window_side = c.side + c.positions - 1;
  const Guarded<std::int16_t> values(draw_square(rng, c.side, pattern_stride, c.largest));
  std::vector<std::int16_t> around = draw_square(rng, window_side, window_stride, c.largest);
  // What lies beyond the pattern must not count.
  for (std::size_t i = 0; i < window_side; ++i) {
    for (std::size_t j = window_side; j < window_stride; ++j) around[i * window_stride + j] = 77;
  }
  const Guarded<std::int16_t> window_values(around);
  const GraySquare pattern{values.data(), c.side, pattern_stride};
  const GraySquare window{window_values.data(), window_side, window_stride};
  on_every_target([&] {
    std::vector<std::int32_t> sums(c.positions * c.positions);
    correlate(pattern, window, sums.data());
    for (std::size_t y = 0; y < c.positions; ++y) {
      for (std::size_t x = 0; x < c.positions; ++x) {
        ASSERT_EQ(sums[y * c.positions + x], slow_sum(pattern, window, x, y)) << x << ' ' << y;
      }
    }
  });
}

TEST(Correlate, EqualsItsDefinitionForEverySide) {
  for (std::size_t side = 1; side <= 70; ++side) expect_equals_the_definition({side, 5});
}

TEST(Correlate, EqualsItsDefinitionForEveryNumberOfPositions) {
  for (std::size_t positions = 1; positions < 20; ++positions) {
    expect_equals_the_definition({17, positions});
  }
}

TEST(Correlate, HoldsTheLargestSums) {
  expect_equals_the_definition({39, 3, true});
  expect_equals_the_definition({128, 2, true});
}

}  // namespace
}  // namespace caos::kernels
