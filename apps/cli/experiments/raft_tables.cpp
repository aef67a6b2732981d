#include "apps/cli/experiments/raft_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/cli/pages/html.hpp"
#include "apps/cli/pages/html_table.hpp"

namespace caos::cli::raft_tables {
namespace {

constexpr double raft_plot_width = 140;

// Over all tasks.

double axis_begin(const std::vector<RaftOverall>& rows) {
  double lowest = 1;
  for (const RaftOverall& row : rows) {
    lowest = std::min({lowest, row.coverage.mean, 1 - row.alpha.value()});
  }
  return coverage_axis_begin(lowest);
}

std::string coverage_drawn(const RaftOverall& row, double begin) {
  const double error = row.coverage.standard_error.value_or(0);
  return plot_cell(coverage_plot({.share = row.coverage.mean,
                                  .low = row.coverage.mean - error,
                                  .high = row.coverage.mean + error,
                                  .target = 1 - row.alpha.value(),
                                  .axis_begin = begin,
                                  .color = color_of(row.guarantee),
                                  .width = raft_plot_width}));
}

std::string raft_measured(const MeanWithError& mean, NumberFormat format) {
  return with_error(mean.mean, mean.standard_error, format);
}

std::string errors_text(double errors) { return fmt::format("{:+.1f}", errors); }

std::string overall_row(const RaftOverall& row, double begin) {
  return fmt::format(
      "<tr{}><th scope=\"row\">{}</th><td>{}</td>{}{}{}{}</tr>\n",
      has_guarantee(row.guarantee) ? "" : " class=\"none\"", method_label(row.method),
      guarantee_text(row.guarantee), number_cell(raft_measured(row.coverage, share_text)),
      coverage_drawn(row, begin), number_cell(number_text(row.errors_from_target, errors_text)),
      number_cell(raft_measured(row.mean_set_size, size_text)));
}

std::string overall_rows(const std::vector<RaftOverall>& rows, const Miscoverage& alpha) {
  const double begin = axis_begin(rows);
  std::string text = fmt::format(
      "<tr class=\"alpha\"><th scope=\"rowgroup\" colspan=\"3\">alpha = {} <span>to be covered: "
      "{:.4g}</span></th><td class=\"drawn\">{:.2f} to 1</td><td></td><td></td></tr>\n",
      alpha.text(), 1 - alpha.value(), begin);
  for (const RaftOverall& row : rows) {
    if (row.alpha == alpha) text += overall_row(row, begin);
  }
  return text;
}

// Task by task.

/// The coverage with its interval below it, in small.
std::string coverage_text(const TextExperimentResult& result) {
  const Interval interval = result.coverage_interval();
  return fmt::format("{}<small>{:.2f} to {:.2f}</small>", share_text(result.mean_coverage()),
                     interval.low, interval.high);
}

/// The mean set size with its standard error below it.
std::string size_cell_text(const TextExperimentResult& result) {
  const auto error = result.size_error();
  return size_text(result.mean_size()) +
         (error ? fmt::format("<small>± {}</small>", size_text(*error)) : "");
}

/// The smallest mean set size on a task with a guarantee, if there is a choice.
std::optional<double> smallest_size(const std::vector<const TextExperimentResult*>& results) {
  std::vector<double> sizes;
  for (const TextExperimentResult* result : results) {
    if (has_guarantee(result->guarantee)) sizes.push_back(result->mean_size());
  }
  if (sizes.size() < 2) return std::nullopt;
  return std::ranges::min(sizes);
}

std::string method_cells(const TextExperimentResult& result, std::optional<double> smallest) {
  const bool guaranteed = has_guarantee(result.guarantee);
  // As the groups have it.
  const bool below = result.mean_coverage() < 1 - result.alpha.value() - 1e-9;
  const bool best = guaranteed && result.mean_size() == smallest;
  const std::string gray = guaranteed ? "" : " none";
  return number_cell(coverage_text(result), (gray + (below ? " below" : "")).c_str()) +
         number_cell(size_cell_text(result), (gray + (best ? " best" : "")).c_str());
}

std::string task_row(const TextTaskExperiment& task, const std::vector<Method>& methods,
                     const Miscoverage& alpha) {
  std::vector<const TextExperimentResult*> results;
  for (const Method method : methods) results.push_back(find_result(task, method, alpha));
  const auto smallest = smallest_size(results);
  std::string text = fmt::format("<tr><th scope=\"row\">{}</th>", escaped(task.task));
  for (const TextExperimentResult* result : results) text += method_cells(*result, smallest);
  return text + "</tr>\n";
}

/// Two rows: methods, and what of each.
std::string task_heads(const std::vector<Method>& methods) {
  std::string names = "<tr><td></td>";
  std::string figures = "<tr><th scope=\"col\">task</th>";
  for (const Method method : methods) {
    names += fmt::format("<th scope=\"colgroup\" colspan=\"2\" class=\"number\">{}</th>",
                         method_label(method));
    figures += number_heads({"coverage", "mean size"});
  }
  return names + "</tr>\n" + figures + "</tr>\n";
}

}  // namespace

const char* group_name(ReachesTarget reaches) {
  switch (reaches) {
    case ReachesTarget::both:
      return "both";
    case ReachesTarget::caos_only:
      return "caos-only";
    case ReachesTarget::scos_only:
      return "scos-only";
    case ReachesTarget::neither:
      break;
  }
  return "neither";
}

const char* group_label(ReachesTarget reaches) {
  switch (reaches) {
    case ReachesTarget::both:
      return "Both reach the target";
    case ReachesTarget::caos_only:
      return "Only CAOS reaches the target";
    case ReachesTarget::scos_only:
      return "Only SCOS reaches the target";
    case ReachesTarget::neither:
      break;
  }
  return "Neither reaches the target";
}

std::string overall(const std::vector<RaftOverall>& rows) {
  std::string body;
  for (const Miscoverage& alpha : distinct(rows, &RaftOverall::alpha)) {
    body += overall_rows(rows, alpha);
  }
  std::vector<std::pair<std::string, Guarantee>> guarantees;
  for (const RaftOverall& row : rows) {
    guarantees.emplace_back(method_label(row.method), row.guarantee);
  }
  return html_table(
             table_head(
                 {"method", "guarantee"},
                 "<th scope=\"col\" class=\"number\">coverage</th><td class=\"drawn\"></td>" +
                     number_heads(
                         {"from the target<small>in standard errors</small>", "mean set size"})),
             body) +
         reasons_for_none(guarantees);
}

std::string tasks_at(const RaftGroup& group, const std::vector<Method>& methods) {
  std::string body;
  for (const RaftPart& part : group.parts) {
    body += fmt::format("<tr class=\"alpha\"><th scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>\n",
                        1 + 2 * methods.size(), group_label(part.reaches));
    for (const RaftTask* task : part.tasks) {
      body += task_row(task->experiment, methods, group.alpha);
    }
  }
  return html_table(task_heads(methods), body);
}

std::string texts(const std::vector<RaftTask>& tasks) {
  std::string body;
  for (const RaftTask& task : tasks) {
    const ScoringReport& scoring = task.scoring;
    const std::uint64_t all = scoring.embeddings ? scoring.embeddings->texts : scoring.tally.pairs;
    body += fmt::format(
        "<tr><th scope=\"row\">{}</th>{}{}{}<td class=\"words\">{}</td></tr>\n",
        escaped(task.experiment.task), number_cell(std::to_string(task.experiment.num_examples)),
        number_cell(std::to_string(task.experiment.num_labels)),
        number_cell(scoring.shortened() == 0 ? "none"
                                             : fmt::format("{} of {}", scoring.shortened(), all)),
        escaped(fmt::format("{}", fmt::join(task.text_columns, ", "))));
  }
  return html_table(table_head({"task"}, number_heads({"texts", "labels", "shortened"}) +
                                             "<th scope=\"col\">text columns</th>"),
                    body);
}

}  // namespace caos::cli::raft_tables
