#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "caos/evaluation.hpp"
#include "caos/landmarks/matching/query_bits.hpp"
#include "caos/scores.hpp"

namespace caos {

/// The SCOS sets of one landmark in one image, [references, alphas].
struct ScosCounts {
  std::vector<std::uint32_t> sizes{};
  std::vector<bool> covers{};  ///< whether the landmark's own patch is in the set
};

/// Which patches of some images are in which sets of which landmark.
struct ImageSets {
  std::size_t num_sets = 0;                     ///< of a landmark
  std::vector<std::size_t> starts{};            ///< first query of each image, and their number
  QueryBits bits{0, 0};                         ///< [landmarks, sets]
  std::vector<std::vector<ScosCounts>> scos{};  ///< by landmark and image, where asked for

  [[nodiscard]] std::size_t num_images() const { return starts.size() - 1; }
  [[nodiscard]] std::size_t row(std::size_t landmark, std::size_t set) const {
    return landmark * num_sets + set;
  }
  [[nodiscard]] PredictionSet set(std::size_t image, std::size_t landmark, std::size_t set) const {
    return bits.set(row(landmark, set), starts[image], starts[image + 1]);
  }
  [[nodiscard]] bool holds(std::size_t image, std::size_t landmark, std::size_t set,
                           Label patch) const {
    return bits.holds(row(landmark, set), starts[image] + patch);
  }
  /// What the set is worth where `truth` is right.
  [[nodiscard]] Outcome outcome(std::size_t image, std::size_t landmark, std::size_t set,
                                Label truth) const {
    return bits.outcome(row(landmark, set), starts[image], starts[image + 1], truth);
  }
};

}  // namespace caos
