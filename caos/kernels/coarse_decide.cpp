#include "caos/kernels/coarse_decide.hpp"

#include <algorithm>
#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "caos/kernels/coarse_decide.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace caos::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag16 = hn::CappedTag<std::int16_t, coarse_group>;
using Vector16 = hn::Vec<Tag16>;
inline constexpr std::size_t lanes16 = std::min<std::size_t>(HWY_LANES(std::int16_t), coarse_group);

using Tag32 = hn::CappedTag<std::int32_t, 16>;
inline constexpr std::size_t lanes32 = std::min<std::size_t>(HWY_LANES(std::int32_t), 16);
using Half16 = hn::Rebind<std::int16_t, Tag32>;

/// Puts a value where it belongs among the K largest so far, descending.
template <std::size_t K, std::size_t J = 0>
HWY_INLINE void insert(Vector16 value, Vector16 (&best)[K]) {
  if constexpr (J < K) {
    const Vector16 rest = hn::Min(best[J], value);
    best[J] = hn::Max(best[J], value);
    insert<K, J + 1>(rest, best);
  }
}

template <std::size_t K, std::size_t J = 0>
HWY_INLINE void clear(Vector16 (&best)[K]) {
  if constexpr (J < K) {
    best[J] = hn::Set(Tag16(), coarse_left_out);
    clear<K, J + 1>(best);
  }
}

template <std::size_t K, std::size_t J = 0>
HWY_INLINE void store(const Vector16 (&best)[K], std::int16_t* out) {
  if constexpr (J < K) {
    hn::Store(best[J], Tag16(), out + J * coarse_group);
    store<K, J + 1>(best, out);
  }
}

/// The K largest of each query, kept in registers.
template <std::size_t K>
HWY_NOINLINE void largest_few(const std::int16_t* similarities,
                              std::span<const std::uint32_t> columns, std::int16_t* out) {
  for (std::size_t q = 0; q < coarse_group; q += lanes16) {
    Vector16 best[K];
    clear(best);
    for (const std::uint32_t column : columns) {
      insert(hn::Load(Tag16(), similarities + column * coarse_group + q), best);
    }
    store(best, out + q);
  }
}

/// The same for any k, kept in memory.
HWY_NOINLINE void largest_many(const std::int16_t* similarities,
                               std::span<const std::uint32_t> columns, std::size_t k,
                               std::int16_t* out) {
  const Tag16 d;
  std::fill(out, out + k * coarse_group, coarse_left_out);
  for (const std::uint32_t column : columns) {
    for (std::size_t q = 0; q < coarse_group; q += lanes16) {
      Vector16 value = hn::Load(d, similarities + column * coarse_group + q);
      for (std::size_t j = 0; j < k; ++j) {
        std::int16_t* place = out + j * coarse_group + q;
        const Vector16 before = hn::Load(d, place);
        hn::Store(hn::Max(before, value), d, place);
        value = hn::Min(before, value);
      }
    }
  }
}

template <typename D, typename M>
HWY_INLINE std::uint32_t bits_of(D d, M mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  return static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8 |
         static_cast<std::uint32_t>(bytes[2]) << 16 | static_cast<std::uint32_t>(bytes[3]) << 24;
}

/// As many ones as a vector has lanes.
template <std::size_t Lanes>
constexpr std::uint32_t all_bits() {
  return static_cast<std::uint32_t>((std::uint64_t{1} << Lanes) - 1);
}

/// Clamping moves a limit that is out of range to where nothing but a saturated value is.
HWY_INLINE std::int16_t narrow(std::int32_t value) {
  return static_cast<std::int16_t>(std::clamp(value, -32768, 32767));
}

/// What the sums say about each rule, for some of the queries.
HWY_INLINE void decide_lanes(const std::int16_t* largest, const std::int32_t* errors,
                             std::span<const CoarseRule> rules, std::size_t q,
                             CoarseVerdict* verdicts) {
  const Tag32 d;
  const auto error = hn::LoadU(d, errors + q);
  auto sum = hn::Zero(d);
  std::uint32_t added = 0;
  for (std::size_t r = 0; r < rules.size(); ++r) {
    for (; added < rules[r].k; ++added) {
      sum = hn::Add(sum, hn::PromoteTo(d, hn::Load(Half16(), largest + added * coarse_group + q)));
    }
    const auto slack = hn::Mul(error, hn::Set(d, static_cast<std::int32_t>(rules[r].k)));
    const auto limit = hn::Set(d, rules[r].limit);
    const auto one = hn::Set(d, 1);
    const auto reached = hn::Gt(hn::Sub(sum, slack), hn::Add(limit, one));
    const auto missed = hn::Lt(hn::Add(sum, slack), hn::Sub(limit, one));
    constexpr std::uint32_t all = all_bits<lanes32>();
    const std::uint32_t reached_bits = bits_of(d, reached) & all;
    const std::uint32_t missed_bits = bits_of(d, missed) & all;
    verdicts[r].reached |= reached_bits << q;
    verdicts[r].open |= (all & ~reached_bits & ~missed_bits) << q;
  }
}

}  // namespace

void largest_of(const std::int16_t* similarities, std::span<const std::uint32_t> columns,
                std::size_t k, std::int16_t* out) {
  switch (k) {
    case 1:
      return largest_few<1>(similarities, columns, out);
    case 2:
      return largest_few<2>(similarities, columns, out);
    case 3:
      return largest_few<3>(similarities, columns, out);
    case 4:
      return largest_few<4>(similarities, columns, out);
    case 5:
      return largest_few<5>(similarities, columns, out);
    case 6:
    case 7:
    case 8:
    case 9:
    case 10:
      return largest_few<10>(similarities, columns, out);
    default:
      return largest_many(similarities, columns, k, out);
  }
}

void decide_all_sums(const std::int16_t* similarities, std::span<const std::uint32_t> columns,
                     const std::int32_t* errors, std::span<const CoarseRule> rules,
                     std::int16_t* largest, CoarseVerdict* verdicts) {
  largest_of(similarities, columns, rules.back().k, largest);
  std::fill(verdicts, verdicts + rules.size(), CoarseVerdict{});
  for (std::size_t q = 0; q < coarse_group; q += lanes32) {
    decide_lanes(largest, errors, rules, q, verdicts);
  }
}

void decide_all_references(const std::int16_t* similarities, std::span<const std::uint32_t> columns,
                           const std::int32_t* errors, const std::int32_t* limits,
                           std::size_t num_limits, CoarseVerdict* verdicts) {
  const Tag16 d;
  constexpr std::uint32_t all = all_bits<lanes16>();
  std::fill(verdicts, verdicts + columns.size() * num_limits, CoarseVerdict{});
  for (std::size_t q = 0; q < coarse_group; q += lanes16) {
    HWY_ALIGN std::int16_t slack[lanes16];
    for (std::size_t i = 0; i < lanes16; ++i) slack[i] = narrow(errors[q + i] + 1);
    const auto error = hn::Load(d, slack);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto value = hn::Load(d, similarities + columns[c] * coarse_group + q);
      const auto least = hn::SaturatedSub(value, error);
      const auto most = hn::SaturatedAdd(value, error);
      for (std::size_t l = c * num_limits; l < (c + 1) * num_limits; ++l) {
        const auto limit = hn::Set(d, narrow(limits[l]));
        const std::uint32_t reached = bits_of(d, hn::Gt(least, limit)) & all;
        const std::uint32_t missed = bits_of(d, hn::Lt(most, limit)) & all;
        verdicts[l].reached |= reached << q;
        verdicts[l].open |= (all & ~reached & ~missed) << q;
      }
    }
  }
}

void select_all(const std::int16_t* similarities, std::size_t num_references,
                const std::int16_t* least, std::uint32_t* bits) {
  const Tag16 d;
  for (std::size_t r = 0; r < num_references; ++r) {
    std::uint32_t selected = 0;
    for (std::size_t q = 0; q < coarse_group; q += lanes16) {
      const auto below = hn::Lt(hn::Load(d, similarities + q), hn::Load(d, least + q));
      selected |= (~bits_of(d, below) & all_bits<lanes16>()) << q;
    }
    bits[r] = selected;
    similarities += coarse_group;
  }
}

void add_all_bit_counts(const std::uint32_t* words, std::size_t count, std::uint32_t mask,
                        std::uint32_t* counts) {
  const hn::ScalableTag<std::uint32_t> d;
  const auto bits = hn::Set(d, mask);
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto ones = hn::PopulationCount(hn::And(hn::LoadU(d, words + i), bits));
    hn::StoreU(hn::Add(hn::LoadU(d, counts + i), ones), d, counts + i);
  }
  for (; i < count; ++i) counts[i] += static_cast<std::uint32_t>(std::popcount(words[i] & mask));
}

}  // namespace caos::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace caos::kernels {

HWY_EXPORT(decide_all_sums);
HWY_EXPORT(decide_all_references);
HWY_EXPORT(select_all);
HWY_EXPORT(add_all_bit_counts);

std::size_t room_for_largest(std::size_t k) { return std::max<std::size_t>(k, 10) * coarse_group; }

void decide_sums(const std::int16_t* similarities, std::span<const std::uint32_t> columns,
                 const std::int32_t* errors, std::span<const CoarseRule> rules,
                 std::int16_t* largest, CoarseVerdict* verdicts) {
  HWY_DYNAMIC_DISPATCH(decide_all_sums)
  (similarities, columns, errors, rules, largest, verdicts);
}

void decide_references(const std::int16_t* similarities, std::span<const std::uint32_t> columns,
                       const std::int32_t* errors, const std::int32_t* limits,
                       std::size_t num_limits, CoarseVerdict* verdicts) {
  HWY_DYNAMIC_DISPATCH(decide_all_references)
  (similarities, columns, errors, limits, num_limits, verdicts);
}

void select_at_least(const std::int16_t* similarities, std::size_t num_references,
                     const std::int16_t* least, std::uint32_t* bits) {
  HWY_DYNAMIC_DISPATCH(select_all)(similarities, num_references, least, bits);
}

void add_bit_counts(std::span<const std::uint32_t> words, std::uint32_t mask,
                    std::uint32_t* counts) {
  HWY_DYNAMIC_DISPATCH(add_all_bit_counts)(words.data(), words.size(), mask, counts);
}

}  // namespace caos::kernels

#endif
