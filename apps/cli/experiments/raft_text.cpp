#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/cli/experiments/raft_output.hpp"
#include "caos/evaluation/table.hpp"

namespace caos::cli {
namespace {

using Lines = std::vector<std::string>;

void note_splits(const RaftOutput& output, Lines& lines) {
  if (output.options.seeds.size() > 1) {
    lines.push_back(fmt::format(
        "Intervals of coverages, in brackets, are of 95 % and for one task: they take into account "
        "that a text is tested in several splits and that the {} test texts of a split share their "
        "calibration, and claim at most as much as one test of each text.",
        output.options.test_size));
    return;
  }
  lines.push_back(fmt::format(
      "One split with {} test texts says little about coverage; --seeds repeats the experiment.",
      output.options.test_size));
}

/// Tasks that had to give every label because too few texts calibrate.
void note_infeasible(const RaftOutput& output, Lines& lines) {
  for (const Miscoverage& alpha : output.options.alphas) {
    for (const Method method : output.options.methods) {
      Lines tasks;
      for (const RaftTask& task : output.tasks) {
        if (!find_result(task.experiment, method, alpha)->feasible) {
          tasks.push_back(task.experiment.task);
        }
      }
      if (tasks.empty()) continue;
      lines.push_back(fmt::format(
          "{} at alpha = {}: too few texts calibrate, so that every set is all labels: {}.",
          method_name(method), alpha.text(), fmt::join(tasks, ", ")));
    }
  }
}

void note_shortened(const RaftOutput& output, Lines& lines) {
  std::uint64_t shortened = 0;
  std::uint64_t pairs = 0;
  for (const RaftTask& task : output.tasks) {
    shortened += task.scoring.tally.shortened;
    pairs += task.scoring.tally.pairs;
  }
  lines.push_back(shortened == 0
                      ? fmt::format("All {} prompts fit the model's context.", pairs)
                      : fmt::format("{} of {} prompts did not fit the model's context, and their "
                                    "texts were shortened by a fixed rule: sets are valid all the "
                                    "same, and may be larger.",
                                    shortened, pairs));
}

void note_meaning(const RaftOutput&, Lines& lines) {
  lines.emplace_back(
      "SCOS is the mean over its references. SCOS Oracle takes, where no set holds the truth, the "
      "smallest set and a miss.");
  lines.emplace_back(
      "The guarantees hold if model, prompt, normalization and k were chosen before these texts "
      "were looked at. A model that saw the texts in training is no less valid.");
}

std::string measured(const MeanWithError& mean, int digits) {
  const std::string text = fmt::format("{:.{}f}", mean.mean, digits);
  return mean.standard_error ? fmt::format("{} ± {:.{}f}", text, *mean.standard_error, digits)
                             : text;
}

/// What ± is over, and what to think of it where that is little.
std::string error_text(std::size_t splits) {
  if (splits < 2) return "";
  return fmt::format("± is the standard error over {} splits{}. ", splits,
                     splits < splits_for_a_steady_error
                         ? ", so few that it may itself be several times too small"
                         : "");
}

std::string task_table(const RaftOutput& output, const Miscoverage& alpha) {
  std::vector<std::string> heads = {"task", "labels", "shortened"};
  for (const Method method : output.options.methods) heads.emplace_back(method_name(method));
  Table table(heads);
  for (const RaftTask& task : output.tasks) {
    std::vector<std::string> row = {task.experiment.task,
                                    fmt::format("{}", task.experiment.num_labels),
                                    fmt::format("{}", task.scoring.tally.shortened)};
    for (const Method method : output.options.methods) {
      const TextExperimentResult& result = *find_result(task.experiment, method, alpha);
      row.push_back(fmt::format("{:.3f} {:6.2f}", result.mean_coverage(), result.mean_size()));
    }
    table.add(std::move(row));
  }
  return table.text();
}

std::string overall_lines(const RaftOutput& output, const Miscoverage& alpha) {
  std::string text;
  for (const Method method : output.options.methods) {
    const OverTasks mean = over_tasks(output, method, alpha);
    const auto errors = errors_from_target(mean.coverage, alpha);
    const Guarantee& guarantee =
        find_result(output.tasks.at(0).experiment, method, alpha)->guarantee;
    text += fmt::format(
        "{}: coverage {}{}, mean size {}; guarantee {}\n", method_name(method),
        measured(mean.coverage, 3),
        errors ? fmt::format(" ({:+.1f} standard errors from the target)", *errors) : "",
        measured(mean.mean_set_size, 2), guarantee.text());
  }
  return text;
}

std::string text_at(const RaftOutput& output, const Miscoverage& alpha) {
  return fmt::format(
      "alpha = {}: coverage (target {:.4g}) and mean set size\n\n{}\nAll tasks\n{}\n", alpha.text(),
      1 - alpha.value(), task_table(output, alpha), overall_lines(output, alpha));
}

}  // namespace

std::vector<std::string> raft_notes(const RaftOutput& output) {
  Lines lines;
  for (const auto add : {note_splits, note_infeasible, note_shortened, note_meaning}) {
    add(output, lines);
  }
  return lines;
}

std::string to_text(const RaftOutput& output) {
  const std::size_t seeds = output.options.seeds.size();
  std::string text =
      fmt::format("{} tasks, {} test texts in each of {} random splits; model {}, k = {}\n\n",
                  output.tasks.size(), output.options.test_size, seeds,
                  output.tasks.at(0).scoring.description, output.options.k);
  for (const Miscoverage& alpha : output.options.alphas) text += text_at(output, alpha);
  return text + fmt::format(
                    "{}Guarantees are averages over draws of labeled and new texts; they hold if\n"
                    "{}.\n\nReport: {}\n",
                    error_text(seeds), assumption, output.report);
}

}  // namespace caos::cli
