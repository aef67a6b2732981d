#include "caos/kernels/descriptor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "caos/rng.hpp"
#include "tests/kernels/every_target.hpp"
#include "tests/kernels/guarded.hpp"

namespace caos::kernels {
namespace {

std::vector<float> some_values(std::size_t count, std::uint64_t seed, double least = -2) {
  Rng rng(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(least + rng.uniform() * 4);
  return values;
}

TEST(GrayOfRgb, WeighsTheColors) {
  for (std::size_t count = 1; count < 80; ++count) {
    Rng rng(count);
    Guarded<std::uint8_t> rgb(3 * count);
    for (std::size_t i = 0; i < 3 * count; ++i)
      rgb.data()[i] = static_cast<std::uint8_t>(rng.below(256));
    on_every_target([&] {
      Guarded<float> gray(count);
      gray_of_rgb(rgb.data(), count, gray.data());
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t* const p = rgb.data() + 3 * i;
        const float expected = 0.299F * static_cast<float>(p[0]) +
                               0.587F * static_cast<float>(p[1]) +
                               0.114F * static_cast<float>(p[2]);
        ASSERT_EQ(gray.data()[i], expected) << i << " of " << count;
      }
    });
  }
}

TEST(WeightedSum, AddsRowsInOrder) {
  for (const std::size_t num_rows : {1U, 2U, 9U, 34U}) {
    for (std::size_t count = 1; count < 150; count += count < 70 ? 1 : 13) {
      const std::vector<float> weights = some_values(num_rows, num_rows);
      std::vector<std::vector<float>> values;
      std::vector<const float*> rows;
      for (std::size_t r = 0; r < num_rows; ++r) {
        rows.push_back(values.emplace_back(some_values(count, 100 * count + r)).data());
      }
      on_every_target([&] {
        Guarded<float> sum(count);
        weighted_sum(rows.data(), weights.data(), num_rows, count, sum.data());
        for (std::size_t x = 0; x < count; ++x) {
          float expected = 0;
          for (std::size_t r = 0; r < num_rows; ++r) expected += weights[r] * values[r][x];
          ASSERT_EQ(sum.data()[x], expected) << x << " of " << count;
        }
      });
    }
  }
}

TEST(WindowedSums, AddPixelsInOrder) {
  const std::size_t width = 50;
  const std::vector<float> row = some_values(width * 8, 1);
  Rng rng(2);
  for (const bool equal : {false, true}) {
    for (std::size_t num_windows = 1; num_windows < 14; ++num_windows) {
      std::vector<std::vector<float>> weights;
      std::vector<WeightedWindow> windows;
      for (std::size_t w = 0; w < num_windows; ++w) {
        const std::size_t count = equal ? 10 : 1 + rng.below(40);
        weights.push_back(some_values(count, 7 * w));
        windows.push_back({rng.below(width - count + 1), weights.back().data(), count});
      }
      on_every_target([&] {
        Guarded<float> sums(num_windows * 8);
        windowed_sums(row.data(), windows.data(), num_windows, sums.data());
        for (std::size_t i = 0; i < num_windows * 8; ++i) {
          const WeightedWindow& window = windows[i / 8];
          float expected = 0;
          for (std::size_t p = 0; p < window.count; ++p) {
            expected += window.weights[p] * row[(window.first + p) * 8 + i % 8];
          }
          ASSERT_EQ(sums.data()[i], expected) << i;
        }
      });
    }
  }
}

/// The split of one gradient, as the descriptor is defined.
struct Parts {
  float axis_part;
  float diagonal_part;
  std::int32_t axis;
  std::int32_t diagonal;
};

Parts split_one(float right, float down) {
  const float across = std::abs(right);
  const float along = std::abs(down);
  const float ratio = std::min(across, along) / std::max(std::max(across, along), 1e-30F);
  const float s = ratio * ratio;
  float p = 0.008673545904F;
  p = p * s - 0.042787734419F;
  p = p * s + 0.101381741464F;
  p = p * s - 0.168493092060F;
  p = p * s + 0.252201199532F;
  p = p * s - 0.424209922552F;
  p = p * s + 1.273234605789F;
  const float length = std::sqrt(right * right + down * down);
  const float diagonal_part = length * std::min(p * ratio, 1.0F);
  const bool left = right < 0;
  const bool up = down < 0;
  return {.axis_part = length - diagonal_part,
          .diagonal_part = diagonal_part,
          .axis = along > across ? (up ? 6 : 2) : (left ? 4 : 0),
          .diagonal = up ? (left ? 5 : 7) : (left ? 3 : 1)};
}

TEST(SplitGradients, GoesByAxisAndDiagonal) {
  for (std::size_t count = 1; count < 90; ++count) {
    std::vector<float> right = some_values(count, count);
    std::vector<float> down = some_values(count, count + 1000);
    for (std::size_t i = 0; i < count; i += 3) right[i] = down[i];
    for (std::size_t i = 1; i < count; i += 5) right[i] = 0;
    for (std::size_t i = 1; i < count; i += 10) down[i] = i % 4 == 1 ? -0.0F : 0.0F;
    on_every_target([&] {
      Guarded<float> axis_part(count);
      Guarded<float> diagonal_part(count);
      Guarded<std::int32_t> axis(count);
      Guarded<std::int32_t> diagonal(count);
      split_gradients(right.data(), down.data(), count,
                      {axis_part.data(), diagonal_part.data(), axis.data(), diagonal.data()});
      for (std::size_t i = 0; i < count; ++i) {
        const Parts expected = split_one(right[i], down[i]);
        ASSERT_EQ(axis_part.data()[i], expected.axis_part) << right[i] << " " << down[i];
        ASSERT_EQ(diagonal_part.data()[i], expected.diagonal_part) << right[i] << " " << down[i];
        ASSERT_EQ(axis.data()[i], expected.axis) << right[i] << " " << down[i];
        ASSERT_EQ(diagonal.data()[i], expected.diagonal) << right[i] << " " << down[i];
      }
    });
  }
}

TEST(RootShares, AreSquareRootsOfShares) {
  for (const std::size_t groups : {1U, 3U, 4U, 6U}) {
    for (const std::size_t count : {1U, 7U, 16U, 128U, 131U}) {
      const std::vector<float> values = some_values(groups * count, count, 0);
      std::vector<float> expected;
      for (std::size_t g = 0; g < groups; ++g) {
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i) sum += double{values[g * count + i]} + 1e-3;
        for (std::size_t i = 0; i < count; ++i) {
          expected.push_back(static_cast<float>(std::sqrt((double{values[g * count + i]} + 1e-3) /
                                                          (sum * static_cast<double>(groups)))));
        }
      }
      on_every_target([&] {
        Guarded<float> shares(groups * count);
        std::ranges::copy(values, shares.data());
        root_shares(shares.data(), groups, count, 1e-3);
        for (std::size_t i = 0; i < groups * count; ++i) {
          ASSERT_EQ(shares.data()[i], expected[i]) << i << " of " << groups << " x " << count;
        }
      });
    }
  }
}

TEST(RootShares, LeaveRests) {
  const double rest = 4;
  for (const std::size_t groups : {1U, 3U, 4U, 6U}) {
    for (const std::size_t count : {1U, 7U, 128U, 131U}) {
      const std::vector<float> values = some_values(groups * count, count, 0);
      on_every_target([&] {
        Guarded<float> shares(groups * count);
        Guarded<float> rests(groups);
        std::ranges::copy(values, shares.data());
        root_shares_and_rests(shares.data(), groups, count, rest, rests.data());
        for (std::size_t g = 0; g < groups; ++g) {
          double sum = rest;
          for (std::size_t i = 0; i < count; ++i) sum += double{values[g * count + i]};
          const double whole = sum * static_cast<double>(groups);
          ASSERT_EQ(rests.data()[g], static_cast<float>(std::sqrt(rest / whole)));
          for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(shares.data()[g * count + i],
                      static_cast<float>(std::sqrt(double{values[g * count + i]} / whole)));
          }
        }
      });
    }
  }
}

}  // namespace
}  // namespace caos::kernels
