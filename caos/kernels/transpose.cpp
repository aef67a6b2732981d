#include "caos/kernels/transpose.hpp"

#include <algorithm>

#include "caos/kernels/coarse.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/transpose.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Rows and columns that are turned at once.
inline constexpr std::size_t side = 8;

#if HWY_TARGET == HWY_SCALAR

void turn_block(const std::int16_t* from, std::int16_t* to) {
  for (std::size_t r = 0; r < side; ++r) {
    for (std::size_t c = 0; c < side; ++c) to[c * coarse_group + r] = from[r * coarse_group + c];
  }
}

#else

using Tag = hn::FixedTag<std::int16_t, side>;
using Row = hn::Vec<Tag>;

/// Interleaving rows i and i + 4 moves the highest bit of the row's number to the lowest of the
/// column's; three times, and they have changed places.
HWY_INLINE void shuffle(const Row (&in)[side], Row (&out)[side]) {
  for (std::size_t i = 0; i < side / 2; ++i) {
    out[2 * i] = hn::InterleaveLower(Tag(), in[i], in[i + side / 2]);
    out[2 * i + 1] = hn::InterleaveUpper(Tag(), in[i], in[i + side / 2]);
  }
}

HWY_INLINE void turn_block(const std::int16_t* from, std::int16_t* to) {
  Row a[side];
  Row b[side];
  for (std::size_t r = 0; r < side; ++r) a[r] = hn::Load(Tag(), from + r * coarse_group);
  shuffle(a, b);
  shuffle(b, a);
  shuffle(a, b);
  for (std::size_t r = 0; r < side; ++r) hn::Store(b[r], Tag(), to + r * coarse_group);
}

#endif

/// One entry after the other, for what is left of blocks.
void turn_rest(const std::int16_t* from, std::size_t rows, std::size_t columns, std::int16_t* to) {
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) to[c * coarse_group + r] = from[r * coarse_group + c];
  }
}

}  // namespace

void transpose_all(const GroupedTable& from, std::size_t rows, std::size_t columns,
                   const GroupedTable& to) {
  for (std::size_t p = 0; p < rows; p += side) {
    const std::size_t height = std::min(side, rows - p);
    for (std::size_t u = 0; u < columns; u += side) {
      const std::size_t width = std::min(side, columns - u);
      const std::int16_t* const block =
          from.values + u / coarse_group * from.stride + p * coarse_group + u % coarse_group;
      std::int16_t* const turned =
          to.values + p / coarse_group * to.stride + u * coarse_group + p % coarse_group;
      if (height == side && width == side) {
        turn_block(block, turned);
      } else {
        turn_rest(block, height, width, turned);
      }
    }
  }
}

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {
namespace {

HWY_EXPORT(transpose_all);

}  // namespace

void transpose(const GroupedTable& from, std::size_t rows, std::size_t columns,
               const GroupedTable& to) {
  HWY_DYNAMIC_DISPATCH(transpose_all)(from, rows, columns, to);
  const std::size_t used = rows % coarse_group;
  if (used == 0) return;
  std::int16_t* const last = to.values + rows / coarse_group * to.stride;
  for (std::size_t u = 0; u < columns; ++u) {
    std::fill_n(last + u * coarse_group + used, coarse_group - used, std::int16_t{0});
  }
}

}  // namespace caos::kernels

#endif
