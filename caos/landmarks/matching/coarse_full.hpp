#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "caos/calibration.hpp"
#include "caos/landmarks/matching/coarse_pool.hpp"

namespace caos {

/// Whether queries that are in a CAOS set are also in the Full CAOS set, for symmetric scores.
///
/// With the query as a further reference, calibration score S_i becomes the sum of its k - 1
/// smallest terms, P_i, and the smaller of its k-th term and the query's score s_i. The query
/// conforms unless `rank` of these are below its own score. As no s_i is below the query's smallest
/// score, at most as many are as there are P_i below the sum of the query's other k - 1 scores:
/// comparing that sum with the P_i of the rank settles nearly every query. The rest is bracketed,
/// and at last computed.
class CoarseFull {
 public:
  /// `columns` are the references of the calibrating examples; `ranks` decide, one per alpha, among
  /// the calibration's units.
  /// `calibration` outlives this.
  CoarseFull(const Calibration& calibration, std::vector<std::uint32_t> columns,
             std::vector<std::size_t> ranks);

  /// For each alpha where `conforming` is 1: whether query q of a group that `pool` has just
  /// decided conforms.
  void decide(const CoarsePool& pool, const CoarseGroup& group, CoarseScratch& scratch,
              std::size_t q, std::span<std::uint8_t> conforming) const;

  /// How many calibration scores, changed by query q of a group, are below the query's own score,
  /// in units.
  [[nodiscard]] std::size_t below(const CoarseGroup& group, CoarseScratch& scratch, std::size_t q,
                                  Score score) const;

 private:
  /// How many changed scores are below the query's own, in units: at least, and at most.
  struct Count {
    std::size_t least = 0;
    std::size_t most = 0;
  };

  [[nodiscard]] double most_of_others(const CoarseGroup& group, const CoarseScratch& scratch,
                                      std::size_t q) const;
  [[nodiscard]] Count count_below(const CoarseGroup& group, const CoarseScratch& scratch,
                                  std::size_t q) const;
  void decide_exactly(const CoarsePool& pool, const CoarseGroup& group, CoarseScratch& scratch,
                      std::size_t q, std::span<std::uint8_t> conforming) const;

  const Calibration& calibration_;
  std::vector<std::uint32_t> columns_;
  std::vector<std::size_t> ranks_;
  std::vector<double> partial_;  ///< P_i, in the order of the examples
  std::vector<double> enough_;   ///< for each rank, the P_i of that rank: no more are below it
};

}  // namespace caos
