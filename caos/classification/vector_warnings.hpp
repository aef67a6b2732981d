#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>

#include "caos/classification.hpp"

namespace caos::classification {

/// The warning for an alpha that is infeasible for the examples; nothing for others.
[[nodiscard]] std::optional<std::string> feasibility_warning(const VectorClassifier& classifier,
                                                             const VectorPredictOptions& options,
                                                             const Miscoverage& alpha);

/// The groups of inputs that no labeled example is in.
[[nodiscard]] std::set<GroupId> unknown_groups(const Grouping& grouping,
                                               std::span<const GroupId> of_inputs);

}  // namespace caos::classification
