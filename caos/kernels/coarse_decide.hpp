#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "caos/kernels/coarse.hpp"

namespace caos::kernels {

/// Whether the sum of a query's k largest similarities reaches a limit, both in units of
/// 1 / coarse_one. The true sum is within k times the query's error of the coarse one; a limit is
/// meant within 1, for its own rounding.
struct CoarseRule {
  std::uint32_t k = 1;
  std::int32_t limit = 0;
};

/// The largest k: sums and their errors fit 32 bits, and the two limits below.
inline constexpr std::size_t most_coarse_k = 16'384;

/// The limits that every sum, and that no sum, of so many similarities reaches.
inline constexpr std::int32_t limit_of_all = -(1 << 30);
inline constexpr std::int32_t limit_of_none = 1 << 30;

/// One bit for each query of a group: the limit is certainly reached; whether it is, is open.
struct CoarseVerdict {
  std::uint32_t reached = 0;
  std::uint32_t open = 0;
};

/// For each query of a group, its `rules.back().k` largest similarities with the references at
/// `columns`, descending: largest[j * coarse_group + q]; and what they say about each rule.
/// `similarities` is what `coarse_dots` wrote; `errors` has one for each query. The k of the rules
/// ascend; none exceeds the number of columns. `largest` has room for
/// `room_for_largest(rules.back().k)` values and is aligned to 64 bytes.
void decide_sums(const std::int16_t* similarities, std::span<const std::uint32_t> columns,
                 const std::int32_t* errors, std::span<const CoarseRule> rules,
                 std::int16_t* largest, CoarseVerdict* verdicts);

/// The values that `decide_sums` may write: it may keep more of the largest than asked for.
[[nodiscard]] std::size_t room_for_largest(std::size_t k);

/// For each reference at `columns`, and each of the `num_limits` limits that it has: whether its
/// similarity with each query of the group reaches the limit. `limits` and `verdicts` are
/// [columns, num_limits]. A limit beyond the range of similarities may leave queries open that are
/// near its ends.
void decide_references(const std::int16_t* similarities, std::span<const std::uint32_t> columns,
                       const std::int32_t* errors, const std::int32_t* limits,
                       std::size_t num_limits, CoarseVerdict* verdicts);

/// bits[r], for each of the references that `coarse_dots` compared with a group: one bit for each
/// query whose similarity with reference r is at least `least[q]`. `least` is aligned to 64 bytes.
void select_at_least(const std::int16_t* similarities, std::size_t num_references,
                     const std::int16_t* least, std::uint32_t* bits);

/// counts[i] += how many bits of words[i] are in the mask.
void add_bit_counts(std::span<const std::uint32_t> words, std::uint32_t mask,
                    std::uint32_t* counts);

}  // namespace caos::kernels
