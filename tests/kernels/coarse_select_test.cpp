#include "caos/kernels/coarse_select.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "caos/core/aligned_buffer.hpp"
#include "caos/core/rng.hpp"
#include "tests/kernels/every_target.hpp"

namespace caos::kernels {
namespace {

TEST(SelectAtLeast, SetsTheBitsOfQueriesThatReachTheirLeast) {
  Rng rng(1);
  const auto draw = [&] {
    const std::size_t kind = rng.below(10);
    if (kind == 0) return std::int16_t{-32768};
    if (kind == 1) return std::int16_t{32767};
    return static_cast<std::int16_t>(static_cast<int>(rng.below(9)) - 4);
  };
  for (const std::size_t n : {0U, 1U, 2U, 33U}) {
    AlignedBuffer<std::int16_t> similarities(n * coarse_group + 1);
    AlignedBuffer<std::int16_t> least(coarse_group);
    for (std::size_t i = 0; i < n * coarse_group; ++i) similarities.data()[i] = draw();
    for (std::size_t q = 0; q < coarse_group; ++q) least.data()[q] = draw();
    on_every_target([&] {
      std::vector<std::uint32_t> bits(n + 1, 77);
      select_at_least(similarities.data(), n, least.data(), bits.data());
      for (std::size_t r = 0; r < n; ++r) {
        for (std::size_t q = 0; q < coarse_group; ++q) {
          const bool reached = similarities.data()[r * coarse_group + q] >= least.data()[q];
          EXPECT_EQ(bits[r] >> q & 1U, reached ? 1U : 0U);
        }
      }
      EXPECT_EQ(bits[n], 77U);
    });
  }
}

}  // namespace
}  // namespace caos::kernels
