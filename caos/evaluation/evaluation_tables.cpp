#include "caos/evaluation/evaluation_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "caos/guarantee.hpp"

namespace caos {
namespace {

std::string threshold_text(const std::optional<Score>& threshold) {
  return threshold ? fmt::format("{:.4g}", *threshold) : "-";
}

/// The guarantee in one word, for a column; `guarantee_lines` has the rest.
std::string short_guarantee(const Guarantee& guarantee) {
  return guarantee.listed_labels_only && guarantee.kind != Guarantee::Kind::none
             ? guarantee.name() + " (listed)"
             : guarantee.name();
}

bool has_confidence(const MethodResult& result) {
  return result.guarantee.kind == Guarantee::Kind::pac;
}

}  // namespace

std::string coverage_text(const Evaluation& e) {
  if (!e.coverage_interval) return fmt::format("{:.3f}", e.coverage);
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", e.coverage, e.coverage_interval->low,
                     e.coverage_interval->high);
}

std::string group_name(const GroupResult& group, const std::vector<std::string>& label_names) {
  return label_names.empty() ? fmt::format("{}", group.id)
                             : label_names[static_cast<std::size_t>(group.id)];
}

Table summary_table(const EvaluationReport& report) {
  Table table({"method", "alpha", "guarantee", "coverage [95 %]", "mean size", "median",
               "singletons", "empty", "threshold"});
  for (const MethodResult& result : report.results) {
    const Evaluation& e = result.evaluation;
    table.add({std::string(method_name(result.method)), result.alpha.text(),
               short_guarantee(result.guarantee), coverage_text(e),
               fmt::format("{:.3f}", e.mean_set_size), fmt::format("{:.1f}", e.median_set_size),
               fmt::format("{:.3f}", e.singleton_rate), fmt::format("{:.3f}", e.empty_rate),
               threshold_text(result.threshold)});
  }
  return table;
}

Table group_table(const MethodResult& result, const std::vector<std::string>& label_names) {
  Table table({"  group", "n", "rank", "threshold", "test", "coverage [95 %]", "mean size"});
  for (const GroupResult& group : result.groups) {
    const auto& e = group.evaluation;
    table.add({"  " + group_name(group, label_names), fmt::format("{}", group.n),
               fmt::format("{}", group.rank), threshold_text(group.threshold),
               fmt::format("{}", group.num_test), e ? coverage_text(*e) : "-",
               e ? fmt::format("{:.3f}", e->mean_set_size) : "-"});
  }
  return table;
}

std::string title(const EvaluationReport& report) {
  return fmt::format("{} labeled examples, {} labels, {} test examples{}", report.n,
                     report.num_labels, report.num_test,
                     report.k > 0 ? fmt::format(", k = {}", report.k) : "");
}

std::string title_of_groups(const MethodResult& result) {
  return fmt::format("{}, alpha {}, by group:", method_name(result.method), result.alpha.text());
}

std::vector<std::string> guarantee_lines(const EvaluationReport& report) {
  std::vector<std::string> lines;
  const auto add = [&](const std::string& line) {
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
  };
  for (const MethodResult& result : report.results) {
    if (result.guarantee.kind == Guarantee::Kind::none) {
      add(fmt::format("{}: {}", method_name(result.method), result.guarantee.text()));
    }
  }
  const bool listed = std::ranges::any_of(report.results, [](const MethodResult& r) {
    return r.guarantee.listed_labels_only && r.guarantee.kind != Guarantee::Kind::none;
  });
  if (listed) {
    add(fmt::format(
        "listed: {}. The list is the labels of the labeled examples; test examples with another "
        "label count as missed.",
        listed_labels_cost));
  }
  for (const MethodResult& result : report.results) {
    if (!has_confidence(result)) continue;
    add(fmt::format("{}: covers at least 1 - alpha with {}, if {}.", method_name(result.method),
                    result.guarantee.scope, assumption_of(result.guarantee)));
  }
  add(fmt::format("{} averages over draws of labeled and new examples. They hold if {}.",
                  std::ranges::any_of(report.results, &has_confidence) ? "Other guarantees are"
                                                                       : "Guarantees are",
                  assumption));
  const bool averages = std::ranges::any_of(
      report.results, [](const MethodResult& r) { return r.method == Method::scos; });
  add(averages
          ? "Intervals are for the coverage with these labeled examples: exact (Clopper-Pearson); "
            "for scos, an average over references, 1.96 standard errors over test examples."
          : "Intervals are for the coverage with these labeled examples: exact (Clopper-Pearson).");
  return lines;
}

std::string text_of(const EvaluationReport& report) {
  std::string text = title(report) + "\n\n" + summary_table(report).text();
  for (const MethodResult& result : report.results) {
    if (result.groups.empty()) continue;
    text += fmt::format("\n{}\n{}", title_of_groups(result),
                        group_table(result, report.label_names).text());
  }
  text += "\n";
  for (const std::string& line : guarantee_lines(report)) text += line + "\n";
  return text;
}

}  // namespace caos
