#include "apps/studio/workbench/region_sizes.hpp"

#include "apps/studio/workbench/workbench.hpp"
#include "caos/numerics/conformal_rank.hpp"
#include "caos/numerics/p_value.hpp"

namespace caos::studio {
namespace {

/// Where no patch is possible, none conforms at all.
double proposal_p_value(const PatchCounts& counts) {
  const int count = counts.at_least[counts.proposal];
  return count < 0 ? 0 : p_value({.greater = static_cast<std::size_t>(count)}, counts.n);
}

}  // namespace

RegionSize::RegionSize(const PatchCounts& counts, std::optional<Label> marked)
    : patches_with_(counts.n + 1),
      proposal_p_value_(proposal_p_value(counts)),
      proposal_score_(counts.proposal_score) {
  for (const int count : counts.at_least) {
    if (count >= 0) ++patches_with_[static_cast<std::size_t>(count)];
  }
  for (std::size_t c = counts.n; c > 0; --c) patches_with_[c - 1] += patches_with_[c];
  if (marked && counts.at_least[*marked] >= 0) {
    marked_ = static_cast<std::size_t>(counts.at_least[*marked]);
  }
}

/// A patch conforms iff its count plus the rank exceeds n (`conforms` in p_value.hpp).
std::size_t RegionSize::least_count(const Miscoverage& alpha) const {
  const std::size_t n = patches_with_.size() - 1;
  return n + 1 - conformal_rank(n, alpha);
}

std::size_t RegionSize::size(const Miscoverage& alpha) const {
  return is_known() ? patches_with_[least_count(alpha)] : 0;
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
  const PatchCounts counts{.n = region.n,
                           .at_least = region.exceeding,
                           .proposal = region.proposal,
                           .proposal_score = region.proposal_score};
  return RegionSize(counts, std::nullopt).conformity(alpha, *region.peers);
}

}  // namespace caos::studio
