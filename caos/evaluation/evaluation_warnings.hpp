#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "caos/evaluate.hpp"

namespace caos {

/// Which alphas have too few calibration examples; one warning for all methods that it concerns.
[[nodiscard]] std::vector<std::string> infeasibility_warnings(
    const std::vector<MethodResult>& results, const split::Partition& partition, RankRule rule);

/// What a user should hear where test examples are in groups that no labeled example is in.
[[nodiscard]] std::optional<std::string> unknown_group_warning(const std::set<GroupId>& unknown);

}  // namespace caos
