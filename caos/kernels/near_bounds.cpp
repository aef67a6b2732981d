#include "caos/kernels/near_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "caos/kernels/coarse.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/near_bounds.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, which includes everything below once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, near_padding>;
using Values = hn::Vec<Tag>;
using Whole = hn::Rebind<std::int32_t, Tag>;
using Narrow = hn::Rebind<std::int16_t, Tag>;
inline constexpr std::size_t lanes =
    HWY_LANES(double) < near_padding ? HWY_LANES(double) : near_padding;

/// First and last (not included) row or column whose centers can be near. More of them do no harm.
struct Window {
  HWY_INLINE Window(double place, double reach, double side, std::size_t begin, std::size_t end) {
    const double low = std::ceil((place - reach) / side - 0.5);
    const double high = std::floor((place + reach) / side - 0.5) + 1;
    first = static_cast<std::size_t>(
        std::clamp(low, static_cast<double>(begin), static_cast<double>(end)));
    last = static_cast<std::size_t>(
        std::clamp(high, static_cast<double>(begin), static_cast<double>(end)));
  }
  std::size_t first;
  std::size_t last;
};

HWY_INLINE void keep(Values value, std::size_t place, const NearValues& smallest) {
  const Tag d;
  double* at = smallest.values + place;
  for (std::size_t j = 0; j < smallest.k; ++j, at += smallest.stride) {
    const Values before = hn::LoadU(d, at);
    hn::StoreU(hn::Min(before, value), d, at);
    value = hn::Max(before, value);
  }
}

/// max(0, 1 - similarity) * inverse.
HWY_INLINE Values descriptor_term(Values similarity, Values inverse) {
  const Tag d;
  const Values lacking =
      hn::Sub(hn::Set(d, 1.0), hn::Mul(similarity, hn::Set(d, 1.0 / coarse_one)));
  return hn::Mul(hn::Max(lacking, hn::Zero(d)), inverse);
}

class Reference {
 public:
  HWY_INLINE Reference(const LabelRows& labels, const DistanceTerms& terms,
                       const PlacedTerms& reference)
      : labels_(labels), terms_(terms), reference_(reference) {}

  HWY_INLINE void keep_row(std::size_t row, const Window& columns, const NearValues& low,
                           const NearValues& high) const {
    const double y = (static_cast<double>(row) + 0.5) * labels_.side - reference_.y;
    if (y * y >= terms_.reach * terms_.reach) return;
    // From the same places for every reference: what one stores the next one loads.
    for (std::size_t c = columns.first / lanes * lanes; c < columns.last; c += lanes) {
      keep_labels(row, c, y * y, low, high);
    }
  }

 private:
  HWY_INLINE void keep_labels(std::size_t row, std::size_t column, double y_squared,
                              const NearValues& low, const NearValues& high) const {
    const Tag d;
    const auto number = hn::Iota(d, static_cast<double>(column) + 0.5);
    const auto x = hn::Sub(hn::Mul(number, hn::Set(d, labels_.side)), hn::Set(d, reference_.x));
    const auto squared = hn::Add(hn::Mul(x, x), hn::Set(d, y_squared));
    // Beyond the last column lies the next row.
    const auto near = hn::And(hn::Lt(squared, hn::Set(d, terms_.reach * terms_.reach)),
                              hn::Lt(number, hn::Set(d, static_cast<double>(labels_.columns))));
    const auto far = hn::Set(d, std::numeric_limits<double>::infinity());
    const auto distance = hn::Mul(squared, hn::Set(d, terms_.factor));
    const auto shrink = hn::Set(d, 1 - near_slack);
    const std::size_t place = (row - labels_.first_row) * labels_.columns + column;
    if (reference_.similarities == nullptr) {
      return keep(hn::IfThenElse(near, hn::Mul(distance, shrink), far), place, low);
    }
    const auto inverse = hn::Set(d, reference_.inverse);
    const auto error = hn::Set(d, static_cast<double>(terms_.error));
    const std::int16_t* const from = reference_.similarities + row * labels_.columns + column;
    const auto similarity = hn::PromoteTo(d, hn::PromoteTo(Whole(), hn::LoadU(Narrow(), from)));
    const auto least = hn::Add(descriptor_term(hn::Add(similarity, error), inverse), distance);
    const auto most = hn::Add(descriptor_term(hn::Sub(similarity, error), inverse), distance);
    keep(hn::IfThenElse(near, hn::Mul(least, shrink), far), place, low);
    keep(hn::IfThenElse(near, hn::Mul(most, hn::Set(d, 1 + near_slack)), far), place, high);
  }

  const LabelRows& labels_;
  const DistanceTerms& terms_;
  const PlacedTerms& reference_;
};

}  // namespace

void keep_all_near(const LabelRows& labels, const DistanceTerms& terms,
                   std::span<const PlacedTerms> references, const NearValues& low,
                   const NearValues& high) {
  for (const PlacedTerms& placed : references) {
    const Window rows(placed.y, terms.reach, labels.side, labels.first_row, labels.last_row);
    const Window columns(placed.x, terms.reach, labels.side, 0, labels.columns);
    const Reference reference(labels, terms, placed);
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      reference.keep_row(row, columns, low, high);
    }
  }
}

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {

HWY_EXPORT(keep_all_near);

void keep_near(const LabelRows& labels, const DistanceTerms& terms,
               std::span<const PlacedTerms> references, const NearValues& low,
               const NearValues& high) {
  HWY_DYNAMIC_DISPATCH(keep_all_near)(labels, terms, references, low, high);
}

}  // namespace caos::kernels

#endif
