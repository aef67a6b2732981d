#include "caos/kernels/compete.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "caos/core/aligned_buffer.hpp"
#include "caos/rng.hpp"
#include "tests/kernels/every_target.hpp"

namespace caos::kernels {
namespace {

/// A block over all of the range of coarse similarities.
class Block {
 public:
  Block(std::uint64_t seed, std::size_t rows) : rows_(rows), values_(rows * coarse_group) {
    Rng rng(seed);
    for (std::size_t i = 0; i < rows * coarse_group; ++i) {
      const bool is_narrow = i % coarse_group < coarse_group / 2;
      const std::int64_t value = is_narrow ? 15'000 + static_cast<std::int64_t>(rng.below(900))
                                           : -32'100 + static_cast<std::int64_t>(rng.below(64'200));
      values_.data()[i] = static_cast<std::int16_t>(value);
    }
  }

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::int16_t* data() { return values_.data(); }
  [[nodiscard]] std::int16_t at(std::size_t p, std::size_t r) const {
    return values_.data()[p * coarse_group + r];
  }
  [[nodiscard]] std::int16_t most(std::size_t r) const {
    std::int16_t result = at(0, r);
    for (std::size_t p = 1; p < rows_; ++p) result = std::max(result, at(p, r));
    return result;
  }

 private:
  std::size_t rows_;
  AlignedBuffer<std::int16_t> values_;
};

AlignedBuffer<std::int16_t> maxima_of(Block& block) {
  AlignedBuffer<std::int16_t> maxima(coarse_group);
  column_maxima(block.data(), block.rows(), maxima.data());
  return maxima;
}

TEST(ColumnMaxima, AreThoseOfEachColumnOnEveryInstructionSet) {
  for (const std::size_t rows : {1U, 2U, 14U, 33U}) {
    Block block(rows, rows);
    on_every_target([&] {
      const auto maxima = maxima_of(block);
      for (std::size_t r = 0; r < coarse_group; ++r) {
        ASSERT_EQ(maxima.data()[r], block.most(r));
      }
    });
  }
}

TEST(ColumnExpSums, AreWithinTheirErrorOnEveryInstructionSet) {
  for (const std::size_t rows : {1U, 14U, 1000U}) {
    Block block(rows, rows);
    for (const double temperature : {0.0001, 0.02, 0.1, 10.0}) {
      const double scale = 1 / (temperature * coarse_one);
      on_every_target([&] {
        const auto maxima = maxima_of(block);
        AlignedBuffer<float> sums(coarse_group);
        column_exp_sums(block.data(), rows, maxima.data(), static_cast<float>(scale), sums.data());
        for (std::size_t r = 0; r < coarse_group; ++r) {
          double expected = 0;
          for (std::size_t p = 0; p < rows; ++p) {
            expected += std::exp((block.at(p, r) - block.most(r)) * scale);
          }
          const double error = static_cast<double>(rows + 64) * 0x1p-22;
          ASSERT_NEAR(sums.data()[r] / expected, 1, error) << rows << ", " << temperature;
        }
      });
    }
  }
}

TEST(RankBelow, HalvesTheDistanceFromTheMaximumOnEveryInstructionSet) {
  for (const std::size_t rows : {1U, 14U, 33U}) {
    on_every_target([&] {
      const Block before(rows, rows);
      Block block(rows, rows);
      const auto maxima = maxima_of(block);
      AlignedBuffer<std::int16_t> tops(coarse_group);
      for (std::size_t r = 0; r < coarse_group; ++r) {
        tops.data()[r] = static_cast<std::int16_t>(32'010 - 1'000 * r);
      }
      rank_below(block.data(), rows, maxima.data(), tops.data());
      for (std::size_t p = 0; p < rows; ++p) {
        for (std::size_t r = 0; r < coarse_group; ++r) {
          const int below = before.most(r) - before.at(p, r);
          ASSERT_EQ(block.at(p, r), tops.data()[r] - below / 2);
        }
      }
    });
  }
}

}  // namespace
}  // namespace caos::kernels
