#include "caos/kernels/descriptor.hpp"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/descriptor.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, which includes everything below once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using One = hn::CappedTag<float, 1>;

/// Calls `body(tag, i)` for vectors from 0 on, then for single values.
template <typename Body>
HWY_INLINE void for_vectors(std::size_t count, const Body& body) {
  const Floats d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) body(d, i);
  for (; i < count; ++i) body(One(), i);
}

// Brightness.

template <typename D, typename Bytes>
HWY_INLINE hn::Vec<D> to_float(D d, Bytes bytes) {
  return hn::ConvertTo(d, hn::PromoteTo(hn::Rebind<std::int32_t, D>(), bytes));
}

template <typename D>
HWY_INLINE void gray_at(D d, const std::uint8_t* rgb, float* gray) {
  const hn::Rebind<std::uint8_t, D> bytes;
  hn::Vec<decltype(bytes)> red;
  hn::Vec<decltype(bytes)> green;
  hn::Vec<decltype(bytes)> blue;
  hn::LoadInterleaved3(bytes, rgb, red, green, blue);
  const auto warm = hn::Add(hn::Mul(hn::Set(d, 0.299F), to_float(d, red)),
                            hn::Mul(hn::Set(d, 0.587F), to_float(d, green)));
  hn::StoreU(hn::Add(warm, hn::Mul(hn::Set(d, 0.114F), to_float(d, blue))), d, gray);
}

// Weighted sums.

/// So many vectors side by side that one's additions need not wait for each other's.
inline constexpr std::size_t side_by_side = 4;

template <std::size_t vectors, typename D>
HWY_INLINE void weighted_sum_at(D d, const float* const* rows, const float* weights,
                                std::size_t num_rows, std::size_t x, float* sum) {
  const std::size_t n = hn::Lanes(d);
  hn::Vec<D> sums[vectors];
  for (std::size_t v = 0; v < vectors; ++v) sums[v] = hn::Zero(d);
  for (std::size_t r = 0; r < num_rows; ++r) {
    const auto weight = hn::Set(d, weights[r]);
    for (std::size_t v = 0; v < vectors; ++v) {
      sums[v] = hn::Add(sums[v], hn::Mul(weight, hn::LoadU(d, rows[r] + x + v * n)));
    }
  }
  for (std::size_t v = 0; v < vectors; ++v) hn::StoreU(sums[v], d, sum + x + v * n);
}

/// Part of a pixel's 8 values, or all of them.
using Part = hn::CappedTag<float, 8>;

template <std::size_t together>
HWY_INLINE void windowed_sums_at(const float* row, const WeightedWindow* windows, float* sums) {
  const Part d;
  for (std::size_t part = 0; part < 8; part += hn::Lanes(d)) {
    hn::Vec<Part> sum[together];
    const float* pixel[together];
    for (std::size_t w = 0; w < together; ++w) {
      sum[w] = hn::Zero(d);
      pixel[w] = row + windows[w].first * 8 + part;
    }
    for (std::size_t p = 0; p < windows[0].count; ++p) {
      for (std::size_t w = 0; w < together; ++w) {
        const auto weight = hn::Set(d, windows[w].weights[p]);
        sum[w] = hn::Add(sum[w], hn::Mul(weight, hn::LoadU(d, pixel[w] + p * 8)));
      }
    }
    for (std::size_t w = 0; w < together; ++w) hn::StoreU(sum[w], d, sums + w * 8 + part);
  }
}

/// Whether the next few windows are equally long.
HWY_INLINE bool go_together(const WeightedWindow* windows, std::size_t left) {
  if (left < side_by_side) return false;
  return std::all_of(windows + 1, windows + side_by_side,
                     [&](const WeightedWindow& w) { return w.count == windows[0].count; });
}

// Gradients.

/// 4 / pi * atan(ratio) for ratio in [0, 1], within 4e-7: which part of the 45 degrees between an
/// axis and a diagonal. A polynomial of our own, since the library's arc tangent differs between
/// machines.
template <typename D, typename V = hn::Vec<D>>
HWY_INLINE V part_of_octant(D d, V ratio) {
  const V s = hn::Mul(ratio, ratio);
  V p = hn::Set(d, 0.008673545904F);
  p = hn::Sub(hn::Mul(p, s), hn::Set(d, 0.042787734419F));
  p = hn::Add(hn::Mul(p, s), hn::Set(d, 0.101381741464F));
  p = hn::Sub(hn::Mul(p, s), hn::Set(d, 0.168493092060F));
  p = hn::Add(hn::Mul(p, s), hn::Set(d, 0.252201199532F));
  p = hn::Sub(hn::Mul(p, s), hn::Set(d, 0.424209922552F));
  p = hn::Add(hn::Mul(p, s), hn::Set(d, 1.273234605789F));
  return hn::Min(hn::Mul(p, ratio), hn::Set(d, 1.0F));
}

template <typename D>
HWY_INLINE void split_at(D d, const float* right, const float* down, std::size_t i,
                         const GradientParts& to) {
  const auto x = hn::LoadU(d, right + i);
  const auto y = hn::LoadU(d, down + i);
  const auto across = hn::Abs(x);
  const auto along = hn::Abs(y);
  // Instead of a division by zero where there is no gradient.
  const auto larger = hn::Max(hn::Max(across, along), hn::Set(d, 1e-30F));
  const auto part = part_of_octant(d, hn::Div(hn::Min(across, along), larger));
  const auto length = hn::Sqrt(hn::Add(hn::Mul(x, x), hn::Mul(y, y)));
  const auto diagonal_part = hn::Mul(length, part);
  hn::StoreU(diagonal_part, d, to.diagonal_part + i);
  hn::StoreU(hn::Sub(length, diagonal_part), d, to.axis_part + i);

  const hn::RebindToSigned<D> whole;
  const auto is_left = hn::RebindMask(whole, hn::Lt(x, hn::Zero(d)));
  const auto is_up = hn::RebindMask(whole, hn::Lt(y, hn::Zero(d)));
  const auto is_steep = hn::RebindMask(whole, hn::Gt(along, across));
  const auto number = [&](std::int32_t n) { return hn::Set(whole, n); };
  const auto level = hn::IfThenElse(is_left, number(4), number(0));
  const auto upright = hn::IfThenElse(is_up, number(6), number(2));
  hn::StoreU(hn::IfThenElse(is_steep, upright, level), whole, to.axis + i);
  const auto above = hn::IfThenElse(is_left, number(5), number(7));
  const auto below = hn::IfThenElse(is_left, number(3), number(1));
  hn::StoreU(hn::IfThenElse(is_up, above, below), whole, to.diagonal + i);
}

// Shares.

using Doubles = hn::ScalableTag<double>;

template <typename D>
HWY_INLINE void root_at(D d, hn::Vec<D> offset, hn::Vec<D> whole, float* value) {
  const hn::Rebind<float, D> narrow;
  const auto wide = hn::Add(hn::PromoteTo(d, hn::LoadU(narrow, value)), offset);
  hn::StoreU(hn::DemoteTo(narrow, hn::Sqrt(hn::Div(wide, whole))), narrow, value);
}

void root_of_run(float* values, std::size_t count, double offset, double whole) {
  const Doubles d;
  const hn::CappedTag<double, 1> one;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    root_at(d, hn::Set(d, offset), hn::Set(d, whole), values + i);
  }
  for (; i < count; ++i) root_at(one, hn::Set(one, offset), hn::Set(one, whole), values + i);
}

}  // namespace

void gray_all(const std::uint8_t* rgb, std::size_t count, float* gray) {
  const Floats d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) gray_at(d, rgb + 3 * i, gray + i);
  for (; i < count; ++i) {
    const std::uint8_t* const p = rgb + 3 * i;
    gray[i] = 0.299F * static_cast<float>(p[0]) + 0.587F * static_cast<float>(p[1]) +
              0.114F * static_cast<float>(p[2]);
  }
}

void weighted_sum_all(const float* const* rows, const float* weights, std::size_t num_rows,
                      std::size_t count, float* sum) {
  const Floats d;
  const std::size_t block = side_by_side * hn::Lanes(d);
  std::size_t x = 0;
  for (; x + block <= count; x += block) {
    weighted_sum_at<side_by_side>(d, rows, weights, num_rows, x, sum);
  }
  for (; x + hn::Lanes(d) <= count; x += hn::Lanes(d)) {
    weighted_sum_at<1>(d, rows, weights, num_rows, x, sum);
  }
  for (; x < count; ++x) weighted_sum_at<1>(One(), rows, weights, num_rows, x, sum);
}

void split_all(const float* right, const float* down, std::size_t count,
               const GradientParts& parts) {
  for_vectors(count, [&](auto d, std::size_t i) HWY_ATTR { split_at(d, right, down, i, parts); });
}

void windowed_sums_all(const float* row, const WeightedWindow* windows, std::size_t num_windows,
                       float* sums) {
  std::size_t w = 0;
  while (w < num_windows) {
    if (go_together(windows + w, num_windows - w)) {
      windowed_sums_at<side_by_side>(row, windows + w, sums + w * 8);
      w += side_by_side;
    } else {
      windowed_sums_at<1>(row, windows + w, sums + w * 8);
      ++w;
    }
  }
}

/// `rests` is null where nothing is asked about them.
void root_shares_all(float* values, std::size_t groups, std::size_t count, double offset,
                     double rest, float* rests) {
  constexpr std::size_t at_once = 4;
  for (std::size_t first = 0; first < groups; first += at_once) {
    const std::size_t some = std::min(at_once, groups - first);
    // Sums of several runs side by side, each in its own order.
    double sums[at_once] = {rest, rest, rest, rest};
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t g = 0; g < some; ++g) {
        sums[g] += static_cast<double>(values[(first + g) * count + i]) + offset;
      }
    }
    for (std::size_t g = 0; g < some; ++g) {
      const double whole = sums[g] * static_cast<double>(groups);
      root_of_run(values + (first + g) * count, count, offset, whole);
      if (rests != nullptr) rests[first + g] = static_cast<float>(std::sqrt(rest / whole));
    }
  }
}

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {

HWY_EXPORT(gray_all);
HWY_EXPORT(weighted_sum_all);
HWY_EXPORT(split_all);
HWY_EXPORT(windowed_sums_all);
HWY_EXPORT(root_shares_all);

void gray_of_rgb(const std::uint8_t* rgb, std::size_t count, float* gray) {
  HWY_DYNAMIC_DISPATCH(gray_all)(rgb, count, gray);
}

void weighted_sum(const float* const* rows, const float* weights, std::size_t num_rows,
                  std::size_t count, float* sum) {
  HWY_DYNAMIC_DISPATCH(weighted_sum_all)(rows, weights, num_rows, count, sum);
}

void split_gradients(const float* right, const float* down, std::size_t count,
                     const GradientParts& parts) {
  HWY_DYNAMIC_DISPATCH(split_all)(right, down, count, parts);
}

void windowed_sums(const float* row, const WeightedWindow* windows, std::size_t num_windows,
                   float* sums) {
  HWY_DYNAMIC_DISPATCH(windowed_sums_all)(row, windows, num_windows, sums);
}

void root_shares(float* values, std::size_t groups, std::size_t count, double offset) {
  HWY_DYNAMIC_DISPATCH(root_shares_all)(values, groups, count, offset, 0, nullptr);
}

void root_shares_and_rests(float* values, std::size_t groups, std::size_t count, double rest,
                           float* rests) {
  HWY_DYNAMIC_DISPATCH(root_shares_all)(values, groups, count, 0, rest, rests);
}

}  // namespace caos::kernels

#endif
