#pragma once

#include <string>
#include <vector>

#include "apps/cli/command.hpp"
#include "caos/evaluation/evaluation_tables.hpp"

namespace caos::cli {

/// What an evaluation writes besides its result.
struct EvaluationFiles {
  std::string per_example;
  std::string report;
};

/// Adds --per-example and --report.
void add_evaluation_files(Command& command, EvaluationFiles& files);

/// Writes those that are named; `labels` are the true labels of the test examples, as texts.
void write_files(const EvaluationFiles& files, const EvaluationReport& output,
                 const std::vector<std::string>& labels);

}  // namespace caos::cli
