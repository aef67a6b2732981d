#include "caos/kernels/coarse.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/coarse.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Values `first` to `last - 1`, one after the other; their squared distance in units.
HWY_INLINE double quantize_values(const float* row, std::size_t first, std::size_t last,
                                  std::int16_t* out) {
  double squared = 0;
  for (std::size_t d = first; d < last; ++d) {
    const float scaled = row[d] * coarse_one;
    out[d] = static_cast<std::int16_t>(std::nearbyint(scaled));
    const double rest = scaled - static_cast<float>(out[d]);
    squared += rest * rest;
  }
  return squared;
}

#if HWY_TARGET == HWY_SCALAR

/// The meaning, one product after the other.
void dot_panel(const std::int16_t* group, const std::int16_t* panel, std::size_t pairs, std::size_t,
               std::int16_t* out) {
  for (std::size_t r = 0; r < coarse_panel; ++r) {
    for (std::size_t q = 0; q < coarse_group; ++q) {
      std::int32_t sum = 0;
      for (std::size_t p = 0; p < pairs; ++p) {
        const std::int16_t* a = group + 2 * (p * coarse_group + q);
        const std::int16_t* b = panel + 2 * (p * coarse_panel + r);
        sum += a[0] * b[0] + a[1] * b[1];
      }
      const float quotient = std::nearbyint(static_cast<float>(sum) * (1.0F / coarse_one));
      out[r * coarse_group + q] =
          static_cast<std::int16_t>(std::clamp(quotient, float{coarse_least}, 32767.0F));
    }
  }
}

double quantize_row(const float* row, std::size_t dim, std::int16_t* out) {
  return quantize_values(row, 0, dim, out);
}

#else

using Tag32 = hn::CappedTag<std::int32_t, 16>;
using Tag16 = hn::Repartition<std::int16_t, Tag32>;
using Sums = hn::Vec<Tag32>;
using Pairs = hn::Vec<Tag16>;
inline constexpr std::size_t lanes = HWY_LANES(std::int32_t) < 16 ? HWY_LANES(std::int32_t) : 16;

// A tile of references x vectors of queries keeps its sums in registers over all coordinates. With
// 32 registers of 64 bytes it is a whole panel and a whole group.
inline constexpr std::size_t tile_references = lanes == 16 ? 12 : 6;
inline constexpr std::size_t tile_vectors = 2;
static_assert(coarse_panel % tile_references == 0);
static_assert(coarse_group % (tile_vectors * lanes) == 0);

/// Where products of neighbors are not added at once, a second sum takes the upper half.
#if HWY_ARCH_X86
inline constexpr std::size_t sums_each = 1;
#else
inline constexpr std::size_t sums_each = 2;
#endif

/// The products of neighbors, added to a sum. Written out in assembler where one instruction does
/// it that Highway does not use; elsewhere GCC 12 would reorder the sums of a tile and spill them
/// all, so each is pinned to its register.
HWY_INLINE void add_products(Pairs a, Pairs b, Sums (&sums)[sums_each]) {
#if HWY_TARGET == HWY_AVX3_DL
  asm("vpdpwssd %2, %1, %0" : "+v"(sums[0].raw) : "v"(a.raw), "v"(b.raw));
#else
  sums[0] = hn::ReorderWidenMulAccumulate(Tag32(), a, b, sums[0], sums[sums_each - 1]);
#if HWY_COMPILER_GCC_ACTUAL && HWY_ARCH_X86
  asm("" : "+v"(sums[0].raw));
#endif
#endif
}

HWY_INLINE Sums total(const Sums (&sums)[sums_each]) {
#if HWY_ARCH_X86
  return sums[0];
#else
  return hn::RearrangeToOddPlusEven(sums[0], sums[1]);
#endif
}

/// Callers mark places with the lowest number.
template <typename V>
HWY_INLINE V above_lowest(V value) {
  return hn::Max(value, hn::Set(hn::DFromV<V>(), coarse_least));
}

/// Similarities in units of 1 / coarse_one, from sums.
HWY_INLINE void store(Sums sums, std::int16_t* out) {
  const hn::RebindToFloat<Tag32> df;
  const auto scale = hn::Set(df, 1.0F / coarse_one);
  const Sums rounded = hn::NearestInt(hn::Mul(hn::ConvertTo(df, sums), scale));
  const hn::Rebind<std::int16_t, Tag32> half;
  hn::Store(above_lowest(hn::DemoteTo(half, rounded)), half, out);
}

template <std::size_t V>
using Tile = Sums[tile_references][V][sums_each];

/// One reference after the other by recursion, not by a loop: only then does GCC 12 keep the sums
/// in registers.
template <std::size_t V, std::size_t R = 0>
HWY_INLINE void add_pair(Pairs a0, Pairs a1, const std::int16_t* references, Tile<V>& sums) {
  if constexpr (R < tile_references) {
    std::int32_t pair;
    std::memcpy(&pair, references + 2 * R, sizeof pair);
    const Pairs b = hn::BitCast(Tag16(), hn::Set(Tag32(), pair));
    add_products(a0, b, sums[R][0]);
    if constexpr (V == 2) add_products(a1, b, sums[R][1]);
    add_pair<V, R + 1>(a0, a1, references, sums);
  }
}

template <std::size_t V, std::size_t R = 0>
HWY_INLINE void clear(Tile<V>& sums) {
  if constexpr (R < tile_references) {
    for (Sums& sum : sums[R][0]) sum = hn::Zero(Tag32());
    for (Sums& sum : sums[R][V - 1]) sum = hn::Zero(Tag32());
    clear<V, R + 1>(sums);
  }
}

template <std::size_t V, std::size_t R = 0>
HWY_INLINE void store_tile(const Tile<V>& sums, std::int16_t* out) {
  if constexpr (R < tile_references) {
    store(total(sums[R][0]), out + R * coarse_group);
    if constexpr (V == 2) {
      store(total(sums[R][1]), out + R * coarse_group + lanes);
    } else {
      std::fill_n(out + R * coarse_group + lanes, lanes, std::int16_t{0});
    }
    store_tile<V, R + 1>(sums, out);
  }
}

/// Not inlined: inside the loops over tiles GCC 12 runs out of registers. With one vector the other
/// half of the tile has no queries.
template <std::size_t V>
HWY_NOINLINE void dot_tile(const std::int16_t* HWY_RESTRICT queries,
                           const std::int16_t* HWY_RESTRICT references, std::size_t pairs,
                           std::int16_t* HWY_RESTRICT out) {
  const Tag16 d16;
  Tile<V> sums;
  clear<V>(sums);
  for (std::size_t p = 0; p < pairs; ++p) {
    const Pairs a0 = hn::Load(d16, queries);
    const Pairs a1 = V == 2 ? hn::Load(d16, queries + 2 * lanes) : a0;
    add_pair<V>(a0, a1, references, sums);
    queries += 2 * coarse_group;
    references += 2 * coarse_panel;
  }
  store_tile<V>(sums, out);
}

void dot_panel(const std::int16_t* group, const std::int16_t* panel, std::size_t pairs,
               std::size_t num_queries, std::int16_t* out) {
  constexpr std::size_t at_once = tile_vectors * lanes;
  for (std::size_t q = 0; q < coarse_group; q += at_once) {
    for (std::size_t r = 0; r < coarse_panel; r += tile_references) {
      std::int16_t* const tile = out + r * coarse_group + q;
      if (q + lanes < num_queries) {
        dot_tile<tile_vectors>(group + 2 * q, panel + 2 * r, pairs, tile);
      } else if (q < num_queries) {
        dot_tile<1>(group + 2 * q, panel + 2 * r, pairs, tile);
      } else {
        for (std::size_t i = 0; i < tile_references; ++i) {
          std::fill_n(tile + i * coarse_group, at_once, std::int16_t{0});
        }
      }
    }
  }
}

/// The squared distance in units of 1 / coarse_one.
double quantize_row(const float* row, std::size_t dim, std::int16_t* out) {
  const hn::RebindToFloat<Tag32> df;
  const hn::Rebind<std::int16_t, Tag32> half;
  const auto one = hn::Set(df, static_cast<float>(coarse_one));
  auto squared = hn::Zero(df);
  std::size_t d = 0;
  for (; d + lanes <= dim; d += lanes) {
    const auto scaled = hn::Mul(hn::LoadU(df, row + d), one);
    const Sums rounded = hn::NearestInt(scaled);
    const auto rest = hn::Sub(scaled, hn::ConvertTo(df, rounded));
    squared = hn::MulAdd(rest, rest, squared);
    hn::StoreU(hn::DemoteTo(half, rounded), half, out + d);
  }
  return hn::GetLane(hn::SumOfLanes(df, squared)) + quantize_values(row, d, dim, out);
}

#endif

}  // namespace

void dot_panels(const std::int16_t* group, const std::int16_t* panels, std::size_t num_panels,
                std::size_t dim, std::int16_t* out, std::size_t num_queries) {
  const std::size_t pairs = coarse_dim(dim) / 2;
  for (std::size_t p = 0; p < num_panels; ++p) {
    dot_panel(group, panels + p * 2 * pairs * coarse_panel, pairs, num_queries,
              out + p * coarse_panel * coarse_group);
  }
}

double quantize_any(const float* row, std::size_t dim, std::int16_t* out) {
  return quantize_row(row, dim, out);
}

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {
namespace {

template <std::size_t Width>
void interleave(const std::int16_t* const* rows, std::size_t count, std::size_t dim,
                std::int16_t* out) {
  const std::size_t pairs = coarse_dim(dim) / 2;
  if (count < Width) std::memset(out, 0, 2 * pairs * Width * sizeof *out);
  for (std::size_t p = 0; p < pairs; ++p) {
    for (std::size_t r = 0; r < count; ++r) {
      std::memcpy(out + 2 * (p * Width + r), rows[r] + 2 * p, 2 * sizeof *out);
    }
  }
}

HWY_EXPORT(dot_panels);
HWY_EXPORT(quantize_any);

}  // namespace

double quantize(const float* row, std::size_t dim, std::int16_t* out) {
  const double squared = HWY_DYNAMIC_DISPATCH(quantize_any)(row, dim, out);
  if (dim % 2 != 0) out[dim] = 0;
  // Squares were added in float, each value multiplied in float: both round.
  const double rounding = 1.001 + static_cast<double>(dim) * 0x1p-23;
  return std::sqrt(squared) * rounding / coarse_one + 1.5e-7;
}

void pack_group(const std::int16_t* const* rows, std::size_t count, std::size_t dim,
                std::int16_t* out) {
  interleave<coarse_group>(rows, count, dim, out);
}

void pack_panel(const std::int16_t* const* rows, std::size_t count, std::size_t dim,
                std::int16_t* out) {
  interleave<coarse_panel>(rows, count, dim, out);
}

void coarse_dots(const std::int16_t* group, const std::int16_t* panels, std::size_t num_panels,
                 std::size_t dim, std::int16_t* out, std::size_t num_queries) {
  HWY_DYNAMIC_DISPATCH(dot_panels)(group, panels, num_panels, dim, out, num_queries);
}

}  // namespace caos::kernels

#endif
