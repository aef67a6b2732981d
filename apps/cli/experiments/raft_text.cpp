#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/cli/experiments/raft_results.hpp"
#include "caos/evaluation/table.hpp"

namespace caos::cli {
namespace {

using Lines = std::vector<std::string>;

void note_splits(const RaftResults& results, Lines& lines) {
  if (results.options.seeds.size() > 1) {
    lines.push_back(fmt::format(
        "Intervals of coverages, in brackets, are of 95 % and for one task: they take into account "
        "that a text is tested in several splits and that the {} test texts of a split share their "
        "calibration, and claim at most as much as one test of each text.",
        results.options.test_size));
    return;
  }
  lines.push_back(fmt::format(
      "One split with {} test texts says little about coverage; --seeds repeats the experiment.",
      results.options.test_size));
}

/// Tasks that had to give every label because too few texts calibrate.
void note_infeasible(const RaftResults& results, Lines& lines) {
  for (const Miscoverage& alpha : results.options.alphas) {
    for (const Method method : results.options.methods) {
      Lines tasks;
      for (const RaftTask& task : results.tasks) {
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

void note_shortened(const RaftResults& results, Lines& lines) {
  std::uint64_t shortened = 0;
  std::uint64_t pairs = 0;
  for (const RaftTask& task : results.tasks) {
    shortened += task.scoring.shortened();
    pairs += task.scoring.embeddings ? task.scoring.embeddings->texts : task.scoring.tally.pairs;
  }
  if (results.tasks.at(0).scoring.embeddings) {
    lines.push_back(fmt::format(
        "{} of {} texts and labels were too long for the encoder, which left out their ends: sets "
        "are valid all the same, and may be larger.",
        shortened, pairs));
    return;
  }
  lines.push_back(shortened == 0
                      ? fmt::format("All {} prompts fit the model's context.", pairs)
                      : fmt::format("{} of {} prompts did not fit the model's context, and their "
                                    "texts were shortened by a fixed rule: sets are valid all the "
                                    "same, and may be larger.",
                                    shortened, pairs));
}

void note_meaning(const RaftResults&, Lines& lines) {
  lines.emplace_back(
      "SCOS is the mean over its references. SCOS Oracle takes, where no set contains the truth, "
      "the "
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

std::string task_table(const RaftResults& results, const Miscoverage& alpha) {
  std::vector<std::string> heads = {"task", "labels", "shortened"};
  for (const Method method : results.options.methods) heads.emplace_back(method_name(method));
  Table table(heads);
  for (const RaftTask& task : results.tasks) {
    std::vector<std::string> row = {task.experiment.task,
                                    fmt::format("{}", task.experiment.num_labels),
                                    fmt::format("{}", task.scoring.shortened())};
    for (const Method method : results.options.methods) {
      const TextExperimentResult& result = *find_result(task.experiment, method, alpha);
      row.push_back(fmt::format("{:.3f} {:6.2f}", result.mean_coverage(), result.mean_size()));
    }
    table.add(std::move(row));
  }
  return table.text();
}

std::string overall_lines(const RaftResults& results, const Miscoverage& alpha) {
  std::string text;
  for (const RaftOverall& overall : overall_of(results)) {
    if (overall.alpha != alpha) continue;
    const auto& errors = overall.errors_from_target;
    text += fmt::format(
        "{}: coverage {}{}, mean size {}; guarantee {}\n", method_name(overall.method),
        measured(overall.coverage, 3),
        errors ? fmt::format(" ({:+.1f} standard errors from the target)", *errors) : "",
        measured(overall.mean_set_size, 2), overall.guarantee.text());
  }
  return text;
}

std::string text_at(const RaftResults& results, const Miscoverage& alpha) {
  return fmt::format(
      "alpha = {}: coverage (target {:.4g}) and mean set size\n\n{}\nAll tasks\n{}\n", alpha.text(),
      1 - alpha.value(), task_table(results, alpha), overall_lines(results, alpha));
}

}  // namespace

std::vector<std::string> raft_notes(const RaftResults& results) {
  Lines lines;
  for (const auto add : {note_splits, note_infeasible, note_shortened, note_meaning}) {
    add(results, lines);
  }
  return lines;
}

std::string to_text(const RaftResults& results) {
  const std::size_t seeds = results.options.seeds.size();
  std::string text =
      fmt::format("{} tasks, {} test texts in each of {} random splits; model {}, k = {}\n\n",
                  results.tasks.size(), results.options.test_size, seeds,
                  results.tasks.at(0).scoring.description, results.options.k);
  for (const Miscoverage& alpha : results.options.alphas) text += text_at(results, alpha);
  return text + fmt::format(
                    "{}Guarantees are averages over draws of labeled and new texts; they hold if\n"
                    "{}.\n",
                    error_text(seeds), assumption);
}

}  // namespace caos::cli
