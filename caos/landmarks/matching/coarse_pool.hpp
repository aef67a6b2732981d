#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "caos/core/aligned_buffer.hpp"
#include "caos/kernels/coarse_decide.hpp"
#include "caos/landmarks/matching/coarse_group.hpp"
#include "caos/landmarks/matching/set_decider.hpp"
#include "caos/scorers/exact_nearest.hpp"
#include "caos/scores.hpp"

namespace caos {

/// What deciding needs besides; one thread's.
struct CoarseScratch {
  CoarseScratch(std::span<const float* const> references, std::size_t dimension)
      : exact(references, dimension) {}

  ExactNearest exact;
  AlignedBuffer<std::int16_t> largest{};
  std::vector<kernels::CoarseVerdict> verdicts{};

  /// A reference and a query whose score must be computed.
  struct Open {
    std::uint32_t reference = 0;
    std::uint32_t query = 0;
  };
  std::vector<Open> open{};
  std::vector<const float*> open_rows{};
  std::vector<std::uint32_t> open_columns{};
};

/// Which queries have a CAOS score of at most some thresholds: the sum of the k smallest scores
/// under the references of one pool. Coarse similarities decide nearly all; the others are computed
/// as they are defined, so the answer is exact.
class CoarsePool {
 public:
  using Limit = PoolRule::Limit;

  /// The k of the limits ascend, and none exceeds the number of columns. Scores are `unit` times
  /// 1 - similarity.
  CoarsePool(std::vector<std::uint32_t> columns, std::vector<Limit> limits, Score unit = 1);

  [[nodiscard]] std::span<const std::uint32_t> columns() const { return columns_; }
  [[nodiscard]] std::size_t num_limits() const { return limits_.size(); }
  /// No query within a limit has k nearest references that are less similar on average.
  [[nodiscard]] double least_similarity() const;

  /// One word of bits for each limit. Leaves the largest similarities in `scratch.largest`.
  void decide(const CoarseGroup& group, CoarseScratch& scratch,
              std::span<std::uint32_t> words) const;

  /// One bit for each query that may be within one of the limits, `group` holding upper bounds of
  /// the similarities.
  [[nodiscard]] std::uint32_t not_missed(const CoarseGroup& group, CoarseScratch& scratch) const;

  /// The largest similarities of one query of a group that was just decided.
  [[nodiscard]] ExactNearest::Query query(const CoarseGroup& group, const CoarseScratch& scratch,
                                          std::size_t q, std::size_t k) const;

 private:
  void compare(const CoarseGroup& group, CoarseScratch& scratch) const;
  void settle(const CoarseGroup& group, CoarseScratch& scratch, std::size_t q,
              std::span<std::uint32_t> words) const;

  std::vector<std::uint32_t> columns_;
  std::vector<Limit> limits_;
  std::vector<kernels::CoarseRule> rules_;
};

/// The limit of the sum of k similarities that stands for a threshold of the CAOS score, where
/// scores are `unit` times 1 - similarity.
[[nodiscard]] std::int32_t coarse_limit(std::size_t k, Score threshold, Score unit = 1);

}  // namespace caos
