#pragma once

#include <vector>

#include "caos/conformal/split.hpp"
#include "caos/engine/evaluate.hpp"
#include "options.hpp"

namespace caos::cli {

/// Says which alphas have too few calibration examples; one warning for all methods that it
/// concerns.
void warn_if_infeasible(const CommonOptions& options, const std::vector<MethodResult>& results,
                        const split::Partition& partition, bool clip_rank);

}  // namespace caos::cli
