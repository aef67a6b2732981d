#include "caos/kernels/transpose.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "caos/core/aligned_buffer.hpp"
#include "caos/kernels/coarse.hpp"
#include "tests/kernels/every_target.hpp"

namespace caos::kernels {
namespace {

/// Tells entries apart.
std::int16_t value(std::size_t p, std::size_t u) {
  return static_cast<std::int16_t>(1 + 131 * p + u);
}

std::size_t groups(std::size_t count) { return (count + coarse_group - 1) / coarse_group; }

void expect_transposed(std::size_t rows, std::size_t columns) {
  SCOPED_TRACE(testing::Message() << rows << " x " << columns);
  const std::size_t stride = rows * coarse_group + coarse_group;  // one row more than needed
  AlignedBuffer<std::int16_t> from(groups(columns) * stride);
  std::fill_n(from.data(), from.size(), std::int16_t{-7});
  for (std::size_t p = 0; p < rows; ++p) {
    for (std::size_t u = 0; u < columns; ++u) {
      from.data()[u / coarse_group * stride + p * coarse_group + u % coarse_group] = value(p, u);
    }
  }
  const std::size_t to_stride = columns * coarse_group;
  AlignedBuffer<std::int16_t> to(groups(rows) * to_stride);
  on_every_target([&] {
    std::fill_n(to.data(), to.size(), std::int16_t{-9});
    transpose({from.data(), stride}, rows, columns, {to.data(), to_stride});
    for (std::size_t p = 0; p < groups(rows) * coarse_group; ++p) {
      for (std::size_t u = 0; u < columns; ++u) {
        const std::int16_t found =
            to.data()[p / coarse_group * to_stride + u * coarse_group + p % coarse_group];
        ASSERT_EQ(found, p < rows ? value(p, u) : 0) << p << ", " << u;
      }
    }
  });
}

TEST(Transpose, PutsEveryEntryInItsPlaceOnEveryInstructionSet) {
  for (const std::size_t rows : {1U, 7U, 8U, 31U, 32U, 33U, 65U}) {
    for (const std::size_t columns : {1U, 5U, 8U, 16U, 32U, 41U, 64U}) {
      expect_transposed(rows, columns);
    }
  }
}

}  // namespace
}  // namespace caos::kernels
