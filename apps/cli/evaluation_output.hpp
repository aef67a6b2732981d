#pragma once

#include "caos/engine/evaluation_report.hpp"
#include "program.hpp"

namespace caos::cli {

/// What `caos evaluate` found.
[[nodiscard]] Json to_json(const EvaluationReport& report);

}  // namespace caos::cli
