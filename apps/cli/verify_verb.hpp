#pragma once

#include <CLI/CLI.hpp>

namespace caos::cli {

void add_verify(CLI::App& app);

/// Thrown once a result was printed that is itself a failure: the program exits with 1 and has
/// nothing more to say.
struct FailedCheck {};

}  // namespace caos::cli
