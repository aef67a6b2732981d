#pragma once

#include <vector>

#include "apps/studio/routes/json_arguments.hpp"
#include "apps/studio/store/records.hpp"

namespace caos::studio {

/// Every pair of points, what they say together, and landmark by landmark.
[[nodiscard]] Json comparison_json(const std::vector<PairOfPoints>& pairs);

}  // namespace caos::studio
