#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "caos/landmarks/image_scores.hpp"
#include "caos/landmarks/triage.hpp"
#include "caos/miscoverage.hpp"

namespace caos::studio {

/// How large one landmark's region is at every alpha, how well its best patch conforms, and whether
/// it holds the marked point: all that ordering and describing images needs of it.
class RegionSize {
 public:
  RegionSize() = default;
  /// `marked` is the patch that holds the landmark, where it is known.
  RegionSize(const PatchCounts& counts, std::optional<Label> marked);

  /// Patches in the region.
  [[nodiscard]] std::size_t size(const Miscoverage& alpha) const;
  [[nodiscard]] bool is_marked() const { return marked_.has_value(); }
  /// How well its best patch conforms. `peers` are the scores that the counts came from.
  [[nodiscard]] LandmarkConformity conformity(const Miscoverage& alpha,
                                              const SortedScores& peers) const;
  /// Whether the region holds the marked patch. Requires one.
  [[nodiscard]] bool holds_marked(const Miscoverage& alpha) const;
  [[nodiscard]] bool is_known() const { return is_known_; }

 private:
  /// A count that patches have, and how many patches have that many or more.
  struct Step {
    std::int64_t count = 0;
    std::uint32_t patches = 0;
  };

  /// How many calibration scores at least a patch of the region must have below or at its own.
  [[nodiscard]] std::int64_t least_count(const Miscoverage& alpha) const;

  bool is_known_ = false;
  std::size_t units_ = 0;                 ///< what calibration scores weigh
  std::vector<Step> steps_{};             ///< by ascending count
  std::optional<std::int64_t> marked_{};  ///< how many the marked patch has
  double proposal_p_value_ = 0;
  Score proposal_score_ = 0;
};

}  // namespace caos::studio
