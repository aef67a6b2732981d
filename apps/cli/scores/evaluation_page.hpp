#pragma once

#include <string>

#include "caos/evaluation/evaluation_tables.hpp"

namespace caos::cli {

/// A page with one table per alpha, coverage and set sizes drawn in its rows. Self-contained: it
/// needs no network and no script.
[[nodiscard]] std::string evaluation_page(const EvaluationReport& output);

}  // namespace caos::cli
