#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/command.hpp"
#include "caos/coverage_law.hpp"
#include "caos/method.hpp"

namespace caos::cli {

/// A guarantee of Split CAOS for one calibration, as texts from the command line.
struct ConditionalOptions {
  std::string confidence;  ///< empty: on average over calibrations
  std::size_t pool = 0;    ///< 0: not given
};

/// Adds --confidence and --pool-size.
void add_conditional_options(Command& command, ConditionalOptions& options);

/// Everything that can be found wrong before a file is opened: a confidence that is not usable, one
/// without split-caos among the methods, and a pool without a confidence.
void check(const ConditionalOptions& options, const std::vector<Method>& methods);

/// What they say for `num_labeled` labeled examples, which are part of the pool; nothing where no
/// confidence is given. Throws `invalid_input` if nothing of the pool remains.
[[nodiscard]] std::optional<TrainingConditional> conditional_of(const ConditionalOptions& options,
                                                                std::size_t num_labeled);

}  // namespace caos::cli
