#pragma once

#include "apps/cli/program.hpp"
#include "caos/evaluation/evaluation_tables.hpp"

namespace caos::cli {

/// What `caos evaluate` found.
[[nodiscard]] Json to_json(const EvaluationReport& report);

}  // namespace caos::cli
