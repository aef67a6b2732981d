#pragma once

#include <string>

#include "evaluation_output.hpp"

namespace caos::cli {

/// A page with one table per alpha, coverage and set sizes drawn in its rows. Self-contained: it
/// needs no network and no script.
[[nodiscard]] std::string html_report(const EvaluationOutput& output);

}  // namespace caos::cli
