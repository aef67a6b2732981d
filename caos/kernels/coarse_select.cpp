#include "caos/kernels/coarse_select.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/coarse_select.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<std::int16_t, coarse_group>;
inline constexpr std::size_t lanes = std::min<std::size_t>(HWY_LANES(std::int16_t), coarse_group);

}  // namespace

void select_all(const std::int16_t* similarities, std::size_t num_references,
                const std::int16_t* least, std::uint32_t* bits) {
  const Tag d;
  constexpr std::uint32_t all = lanes == 32 ? ~0U : (1U << lanes % 32) - 1;
  for (std::size_t r = 0; r < num_references; ++r) {
    std::uint32_t below = 0;
    for (std::size_t q = 0; q < coarse_group; q += lanes) {
      std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(d, hn::Lt(hn::Load(d, similarities + q), hn::Load(d, least + q)), bytes);
      std::uint32_t some = 0;
      for (std::size_t b = 0; b < (lanes + 7) / 8; ++b) {
        some |= static_cast<std::uint32_t>(bytes[b]) << 8 * b;
      }
      below |= (some & all) << q;
    }
    bits[r] = ~below;
    similarities += coarse_group;
  }
}

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {

HWY_EXPORT(select_all);

void select_at_least(const std::int16_t* similarities, std::size_t num_references,
                     const std::int16_t* least, std::uint32_t* bits) {
  HWY_DYNAMIC_DISPATCH(select_all)(similarities, num_references, least, bits);
}

}  // namespace caos::kernels

#endif
