#pragma once

#include <CLI/CLI.hpp>

namespace caos::cli {

/// The verbs of `caos landmarks`.
void add_landmarks_evaluate(CLI::App& landmarks);

}  // namespace caos::cli
