#include "apps/studio/workbench/region_sizes.hpp"

#include "caos/numerics/conformal_rank.hpp"

namespace caos::studio {

RegionSize::RegionSize(const PatchCounts& counts, std::optional<Label> marked)
    : patches_with_(counts.n + 1) {
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

bool RegionSize::holds_marked(const Miscoverage& alpha) const {
  return *marked_ >= least_count(alpha);
}

}  // namespace caos::studio
