#include "caos/kernels/patch_votes.hpp"

#include <algorithm>
#include <utility>

#include "caos/kernels/coarse.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/patch_votes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<std::int16_t, coarse_group>;
using Values = hn::Vec<Tag>;
inline constexpr std::size_t lanes =
    HWY_LANES(std::int16_t) < coarse_group ? HWY_LANES(std::int16_t) : coarse_group;
/// Vectors of a group.
inline constexpr std::size_t parts = coarse_group / lanes;

#if HWY_TARGET == HWY_SCALAR

/// Sums of values and their squares, one by one.
class Sums {
 public:
  HWY_INLINE void add(Values value) {
    const std::int64_t number = hn::GetLane(value);
    sums_.values += number;
    sums_.squares += number * number;
  }
  HWY_INLINE void move_to(VoteSums& total) {
    total.values += sums_.values;
    total.squares += sums_.squares;
    sums_ = {};
  }

 private:
  VoteSums sums_;
};

#else

using Tag32 = hn::Repartition<std::int32_t, Tag>;

/// Pairs of squares fit 31 bits; halves of them are added up apart, so that 2^16 of them fit.
class Sums {
 public:
  HWY_INLINE Sums() { clear(); }
  HWY_INLINE void add(Values value) {
    const Tag32 d32;
    const auto one = hn::Set(Tag(), std::int16_t{1});
    // Where products of neighbors are not added at once, the second vector takes the upper half.
    auto upper = hn::Zero(d32);
    const auto lower = hn::ReorderWidenMulAccumulate(d32, value, value, hn::Zero(d32), upper);
    add_squares(lower);
    if constexpr (!HWY_ARCH_X86) add_squares(upper);
    values_ = hn::ReorderWidenMulAccumulate(d32, value, one, values_, upper_values_);
  }
  HWY_INLINE void move_to(VoteSums& total) {
    total.values += sum(values_, signed_lane) + sum(upper_values_, signed_lane);
    total.squares += sum(low_, unsigned_lane) + (sum(high_, unsigned_lane) << 16);
    clear();
  }

 private:
  HWY_INLINE void clear() { values_ = upper_values_ = low_ = high_ = hn::Zero(Tag32()); }
  HWY_INLINE void add_squares(hn::Vec<Tag32> squares) {
    low_ = hn::Add(low_, hn::And(squares, hn::Set(Tag32(), 0xFFFF)));
    high_ = hn::Add(high_, hn::ShiftRight<16>(squares));
  }

  static std::int64_t signed_lane(std::int32_t lane) { return lane; }
  static std::int64_t unsigned_lane(std::int32_t lane) { return static_cast<std::uint32_t>(lane); }

  template <typename Lane>
  static HWY_INLINE std::int64_t sum(hn::Vec<Tag32> vector, const Lane& lane) {
    HWY_ALIGN std::int32_t all[hn::MaxLanes(Tag32())];
    hn::Store(vector, Tag32(), all);
    std::int64_t result = 0;
    for (std::size_t i = 0; i < hn::Lanes(Tag32()); ++i) result += lane(all[i]);
    return result;
  }

  hn::Vec<Tag32> values_;
  hn::Vec<Tag32> upper_values_;
  hn::Vec<Tag32> low_;
  hn::Vec<Tag32> high_;
};

#endif

/// The maxima of one grid row for one group; adds its entries to the sums.
HWY_INLINE void scan_row(const std::int16_t* row, std::size_t count, std::int16_t* maxima,
                         VoteSums& total) {
  const Tag d;
  Values best[parts];
  Sums sums;
  for (Values& value : best) value = hn::Set(d, coarse_least);
  for (std::size_t p = 0; p < count; ++p) {
    for (std::size_t v = 0; v < parts; ++v) {
      const Values value = hn::Load(d, row + p * coarse_group + v * lanes);
      best[v] = hn::Max(best[v], value);
      sums.add(value);
    }
  }
  for (std::size_t v = 0; v < parts; ++v) hn::Store(best[v], d, maxima + v * lanes);
  sums.move_to(total);
}

HWY_INLINE void raise(const std::int16_t* values, std::int16_t* maxima) {
  const Tag d;
  for (std::size_t v = 0; v < coarse_group; v += lanes) {
    hn::Store(hn::Max(hn::Load(d, maxima + v), hn::Load(d, values + v)), d, maxima + v);
  }
}

/// 2 c - m where that is above the lowest number, which it is otherwise.
HWY_INLINE Values both_ways(Values c, Values m) {
  return hn::SaturatedSub(c, hn::SaturatedSub(m, c));
}

/// The best column of a row, if its 2 c - m is above the lowest number; else none.
HWY_INLINE std::size_t best_column(const VoteTable& table, std::size_t p, std::size_t num_groups,
                                   const std::int16_t* column_maxima) {
  const Tag d;
  Values best[parts];
  Values found[parts];
  for (std::size_t v = 0; v < parts; ++v) {
    best[v] = hn::Set(d, coarse_left_out);
    found[v] = hn::Zero(d);
  }
  const std::int16_t* row = table.values + p * coarse_group;
  for (std::size_t g = 0; g < num_groups; ++g, row += table.stride) {
    const Values number = hn::Set(d, static_cast<std::int16_t>(g));
    for (std::size_t v = 0; v < parts; ++v) {
      const Values value = both_ways(hn::Load(d, row + v * lanes),
                                     hn::Load(d, column_maxima + g * coarse_group + v * lanes));
      found[v] = hn::IfThenElse(hn::Gt(value, best[v]), number, found[v]);
      best[v] = hn::Max(best[v], value);
    }
  }
  HWY_ALIGN std::int16_t values[coarse_group];
  HWY_ALIGN std::int16_t groups[coarse_group];
  for (std::size_t v = 0; v < parts; ++v) {
    hn::Store(best[v], d, values + v * lanes);
    hn::Store(found[v], d, groups + v * lanes);
  }
  const std::int16_t largest = *std::max_element(values, values + coarse_group);
  std::size_t column = table.num_to();
  if (largest == coarse_left_out) return column;
  for (std::size_t q = 0; q < coarse_group; ++q) {
    if (values[q] != largest) continue;
    column = std::min(column, static_cast<std::uint16_t>(groups[q]) * coarse_group + q);
  }
  return column;
}

HWY_INLINE std::int16_t largest_of_row(const VoteTable& table, std::size_t p,
                                       std::size_t num_groups) {
  const Tag d;
  Values best[parts];
  for (Values& value : best) value = hn::Set(d, coarse_least);
  const std::int16_t* row = table.values + p * coarse_group;
  for (std::size_t g = 0; g < num_groups; ++g, row += table.stride) {
    for (std::size_t v = 0; v < parts; ++v) {
      best[v] = hn::Max(best[v], hn::Load(d, row + v * lanes));
    }
  }
  std::int16_t largest = coarse_least;
  for (const Values& value : best) {
    largest = std::max(largest, hn::GetLane(hn::MaxOfLanes(d, value)));
  }
  return largest;
}

HWY_INLINE std::int16_t& entry(const VoteTable& table, std::size_t p, std::size_t u) {
  return table.values[u / coarse_group * table.stride + p * coarse_group + u % coarse_group];
}

/// The meaning of the best column, one by one.
std::size_t plain_best_column(const VoteTable& table, std::size_t p,
                              const std::int16_t* column_maxima) {
  std::size_t column = 0;
  std::int32_t best = 2 * entry(table, p, 0) - column_maxima[0];
  for (std::size_t u = 1; u < table.num_to(); ++u) {
    const std::int32_t value = 2 * entry(table, p, u) - column_maxima[u];
    if (value > best) {
      best = value;
      column = u;
    }
  }
  return column;
}

/// The patches around one, itself included.
struct Around {
  Around(const VoteTable& table, std::size_t patch) {
    const std::size_t row = patch / table.to_columns;
    const std::size_t column = patch % table.to_columns;
    for (std::size_t r = row - (row > 0 ? 1 : 0); r < table.to_rows && r <= row + 1; ++r) {
      for (std::size_t c = column - (column > 0 ? 1 : 0); c < table.to_columns && c <= column + 1;
           ++c) {
        patches[count++] = r * table.to_columns + c;
      }
    }
  }
  std::size_t patches[9];
  std::size_t count = 0;
};

/// Takes the places around the match away, looks, and puts them back.
HWY_INLINE std::int16_t largest_elsewhere(const VoteTable& table, std::size_t p, std::size_t patch,
                                          std::size_t num_groups) {
  const Around around(table, patch);
  std::int16_t kept[9];
  for (std::size_t i = 0; i < around.count; ++i) {
    kept[i] = std::exchange(entry(table, p, around.patches[i]), coarse_left_out);
  }
  const std::int16_t largest = largest_of_row(table, p, num_groups);
  for (std::size_t i = 0; i < around.count; ++i) entry(table, p, around.patches[i]) = kept[i];
  return largest;
}

}  // namespace

VoteSums scan_table(const VoteTable& table, std::int16_t* row_maxima, std::int16_t* column_maxima) {
  const std::size_t width = (table.num_to() + coarse_group - 1) / coarse_group * coarse_group;
  VoteSums sums;
  for (std::size_t u = 0; u < width; u += coarse_group) {
    std::fill_n(column_maxima + u, coarse_group, coarse_least);
    for (std::size_t r = 0; r < table.from_rows; ++r) {
      const std::size_t first = r * table.from_columns * coarse_group;
      scan_row(table.values + u / coarse_group * table.stride + first, table.from_columns,
               row_maxima + r * width + u, sums);
      raise(row_maxima + r * width + u, column_maxima + u);
    }
  }
  return sums;
}

void match_all(const VoteTable& table, const std::int16_t* column_maxima, VoteMatch* matches) {
  const std::size_t num_groups = (table.num_to() + coarse_group - 1) / coarse_group;
  for (std::size_t p = 0; p < table.num_from(); ++p) {
    std::size_t patch = best_column(table, p, num_groups, column_maxima);
    if (patch == table.num_to()) patch = plain_best_column(table, p, column_maxima);
    matches[p] = {.patch = static_cast<std::uint32_t>(patch),
                  .similarity = entry(table, p, patch),
                  .rest = largest_elsewhere(table, p, patch, num_groups)};
  }
}

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {
namespace {

HWY_EXPORT(scan_table);
HWY_EXPORT(match_all);

}  // namespace

std::size_t padded_columns(std::size_t num_to) {
  return (num_to + coarse_group - 1) / coarse_group * coarse_group;
}

VoteSums scan_columns(const VoteTable& table, std::int16_t* row_maxima,
                      std::int16_t* column_maxima) {
  const VoteSums sums = HWY_DYNAMIC_DISPATCH(scan_table)(table, row_maxima, column_maxima);
  const std::size_t used = table.num_to() % coarse_group;
  if (used == 0) return sums;
  std::int16_t* const last = table.values + table.num_to() / coarse_group * table.stride;
  for (std::size_t p = 0; p < table.num_from(); ++p) {
    std::fill_n(last + p * coarse_group + used, coarse_group - used, coarse_left_out);
  }
  return sums;
}

void match_rows(const VoteTable& table, const std::int16_t* column_maxima, VoteMatch* matches) {
  HWY_DYNAMIC_DISPATCH(match_all)(table, column_maxima, matches);
}

}  // namespace caos::kernels

#endif
