#include "caos/classification/vector_warnings.hpp"

#include "caos/evaluation/evaluation_warnings.hpp"

namespace caos::classification {

std::optional<std::string> feasibility_warning(const VectorClassifier& classifier,
                                               const VectorPredictOptions& options,
                                               const Miscoverage& alpha) {
  if (classifier.is_feasible(alpha)) return std::nullopt;
  return warning_text({.alpha = alpha,
                       .count = classifier.size(),
                       .grouped = classifier.grouping().kind() != Grouping::Kind::none,
                       .rule = options.rule,
                       .smoothed = options.smoothing_seed.has_value()});
}

std::set<GroupId> unknown_groups(const Grouping& grouping, std::span<const GroupId> of_inputs) {
  std::set<GroupId> unknown;
  for (const GroupId id : of_inputs) {
    if (grouping.of_candidate(0, id) == grouping.num_groups()) unknown.insert(id);
  }
  return unknown;
}

}  // namespace caos::classification
