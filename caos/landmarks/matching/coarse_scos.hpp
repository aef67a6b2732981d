#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "caos/landmarks/matching/coarse_pool.hpp"

namespace caos {

/// Which queries are in the SCOS sets of one landmark, under each reference at each alpha.
class CoarseScos {
 public:
  /// Scores are `unit` times 1 - similarity.
  CoarseScos(const ScosRule& rule, Score unit);

  /// References times alphas.
  [[nodiscard]] std::size_t num_cells() const { return limits_.size(); }

  /// One word of bits for each reference and alpha, [references, alphas].
  void decide(const CoarseGroup& group, CoarseScratch& scratch,
              std::span<std::uint32_t> words) const;

 private:
  /// Computes the scores that are open.
  void settle(const CoarseGroup& group, CoarseScratch& scratch,
              std::span<std::uint32_t> words) const;

  std::size_t num_alphas_;
  std::vector<std::uint32_t> columns_;
  std::vector<Score> thresholds_;     ///< [references, alphas]
  std::vector<std::int32_t> limits_;  ///< as many
};

}  // namespace caos
