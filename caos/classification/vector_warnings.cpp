#include "caos/classification/vector_warnings.hpp"

#include <fmt/format.h>

namespace caos::classification {

std::optional<std::string> feasibility_warning(const VectorClassifier& classifier,
                                               const VectorPredictOptions& options,
                                               const Miscoverage& alpha) {
  if (classifier.is_feasible(alpha)) return std::nullopt;
  const bool grouped = classifier.grouping().kind() != Grouping::Kind::none;
  const std::size_t n = classifier.size();
  const std::string have = grouped
                               ? "in each group and there are fewer"
                               : fmt::format("and there are {}, which support alpha {:.4g} or more",
                                             n, smallest_feasible_alpha(n));
  const char* consequence = "every set is every label";
  if (grouped) consequence = "labels without enough examples are always included";
  if (options.smoothing_seed) consequence = "labels are excluded at random only";
  if (options.rule == RankRule::clip) {
    consequence = "the rank is clipped and nothing is guaranteed";
  }
  return fmt::format("alpha {}: {} labeled examples are needed {}; so {}", alpha.text(),
                     examples_needed(alpha), have, consequence);
}

std::set<GroupId> unknown_groups(const Grouping& grouping, std::span<const GroupId> of_inputs) {
  std::set<GroupId> unknown;
  for (const GroupId id : of_inputs) {
    if (grouping.of_candidate(0, id) == grouping.num_groups()) unknown.insert(id);
  }
  return unknown;
}

}  // namespace caos::classification
