#include "apps/studio/workbench/region_sizes.hpp"

#include <algorithm>

#include "apps/studio/workbench/workbench.hpp"
#include "caos/miscoverage.hpp"
#include "caos/sorted_scores.hpp"

namespace caos::studio {
namespace {

/// Where no patch is possible, none conforms at all.
double proposal_p_value(const PatchCounts& counts) {
  const std::int64_t count = counts.at_least[counts.proposal];
  return count < 0 ? 0 : p_value({.greater = static_cast<std::size_t>(count)}, counts.n);
}

}  // namespace

RegionSize::RegionSize(const PatchCounts& counts, std::optional<Label> marked)
    : is_known_(true),
      units_(counts.n),
      proposal_p_value_(proposal_p_value(counts)),
      proposal_score_(counts.proposal_score) {
  std::vector<std::int64_t> sorted;
  for (const std::int64_t count : counts.at_least) {
    if (count >= 0) sorted.push_back(count);
  }
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i > 0 && sorted[i] == sorted[i - 1]) continue;
    steps_.push_back({sorted[i], static_cast<std::uint32_t>(sorted.size() - i)});
  }
  if (marked && counts.at_least[*marked] >= 0) marked_ = counts.at_least[*marked];
}

/// A patch conforms iff its count plus the rank exceeds n (`conforms` in p_value.hpp).
std::int64_t RegionSize::least_count(const Miscoverage& alpha) const {
  return static_cast<std::int64_t>(units_ + 1 - conformal_rank(units_, alpha));
}

std::size_t RegionSize::size(const Miscoverage& alpha) const {
  const auto found = std::ranges::lower_bound(steps_, least_count(alpha), {}, &Step::count);
  return found == steps_.end() ? 0 : found->patches;
}

LandmarkConformity RegionSize::conformity(const Miscoverage& alpha,
                                          const SortedScores& peers) const {
  return {.set_size = size(alpha),
          .p_value = proposal_p_value_,
          .score_over_threshold =
              score_over_threshold(proposal_score_, peers.threshold(alpha, RankRule::clip))};
}

bool RegionSize::holds_marked(const Miscoverage& alpha) const {
  return *marked_ >= least_count(alpha);
}

LandmarkConformity conformity_of(const LandmarkRegion& region, const Miscoverage& alpha) {
  const PatchCounts counts{.n = region.units,
                           .at_least = region.exceeding,
                           .proposal = region.proposal,
                           .proposal_score = region.proposal_score};
  return RegionSize(counts, std::nullopt).conformity(alpha, *region.peers);
}

}  // namespace caos::studio
