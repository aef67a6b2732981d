#include "caos/kernels/local_sums.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/local_sums.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, which includes everything below once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, local_values>;
using Values = hn::Vec<Tag>;
inline constexpr std::size_t lanes =
    HWY_LANES(double) < local_values ? HWY_LANES(double) : local_values;
inline constexpr std::size_t parts = local_values / lanes;

/// Entry i of a list.
HWY_INLINE void add(const double* rows, const WeightedRows& list, std::size_t i,
                    Values (&sums)[parts]) {
  const Tag d;
  const Values weight = hn::Set(d, list.weights[i]);
  for (std::size_t p = 0; p < parts; ++p) {
    const Values row = hn::LoadU(d, rows + list.rows[i] * local_values + p * lanes);
    sums[p] = hn::Add(sums[p], hn::Mul(weight, row));
  }
}

/// Several lists side by side, so that none waits for its own sums.
template <std::size_t N>
HWY_INLINE void sum_lists(const double* rows, const WeightedRows* lists, double* out) {
  const Tag d;
  Values sums[N][parts];
  std::size_t common = lists[0].count;
  for (std::size_t n = 0; n < N; ++n) {
    for (Values& sum : sums[n]) sum = hn::Zero(d);
    common = std::min(common, lists[n].count);
  }
  for (std::size_t i = 0; i < common; ++i) {
    for (std::size_t n = 0; n < N; ++n) add(rows, lists[n], i, sums[n]);
  }
  for (std::size_t n = 0; n < N; ++n) {
    for (std::size_t i = common; i < lists[n].count; ++i) add(rows, lists[n], i, sums[n]);
    for (std::size_t p = 0; p < parts; ++p) {
      hn::StoreU(sums[n][p], d, out + n * local_values + p * lanes);
    }
  }
}

}  // namespace

void sum_all(const double* rows, std::span<const WeightedRows> lists, double* out) {
  constexpr std::size_t together = 4;
  std::size_t i = 0;
  for (; lists.size() - i >= together; i += together) {
    sum_lists<together>(rows, lists.data() + i, out + i * local_values);
  }
  for (; i < lists.size(); ++i) sum_lists<1>(rows, lists.data() + i, out + i * local_values);
}

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {

HWY_EXPORT(sum_all);

void local_sums(const double* rows, std::span<const WeightedRows> lists, double* out) {
  HWY_DYNAMIC_DISPATCH(sum_all)(rows, lists, out);
}

}  // namespace caos::kernels

#endif
