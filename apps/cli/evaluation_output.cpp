#include "evaluation_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "caos/engine/table.hpp"

namespace caos::cli {
namespace {

void add_evaluation(Json& json, const Evaluation& e) {
  const auto& interval = e.coverage_interval;
  json["coverage"] = e.coverage;
  json["coverage_low"] = interval ? Json(interval->low) : Json(nullptr);
  json["coverage_high"] = interval ? Json(interval->high) : Json(nullptr);
  json["coverage_interval"] = interval_name(e.interval_kind);
  json["coverage_standard_error"] = json_number(e.coverage_standard_error);
  json["mean_set_size"] = e.mean_set_size;
  json["median_set_size"] = e.median_set_size;
  json["singleton_rate"] = e.singleton_rate;
  json["empty_rate"] = e.empty_rate;
}

Json group_json(const GroupResult& group, const std::vector<std::string>& names) {
  Json json = {{"group", group.id},          {"n", group.n},
               {"rank", group.rank},         {"threshold", json_number(group.threshold)},
               {"feasible", group.feasible}, {"num_test", group.num_test}};
  if (!names.empty()) json["label"] = names[static_cast<std::size_t>(group.id)];
  if (group.evaluation) add_evaluation(json, *group.evaluation);
  return json;
}

Json result_json(const MethodResult& result, const std::vector<std::string>& names) {
  Json json = {{"method", method_name(result.method)},
               {"alpha", result.alpha.value()},
               {"guarantee", result.guarantee.text()},
               {"rank", result.rank ? Json(*result.rank) : Json(nullptr)},
               {"threshold", json_number(result.threshold)},
               {"feasible", result.feasible}};
  add_evaluation(json, result.evaluation);
  if (!result.groups.empty()) {
    json["groups"] = Json::array();
    for (const GroupResult& group : result.groups)
      json["groups"].push_back(group_json(group, names));
  }
  return json;
}

std::string threshold_text(const std::optional<Score>& threshold) {
  return threshold ? fmt::format("{:.4g}", *threshold) : "-";
}

/// The guarantee in one word, for a column; `guarantee_lines` has the rest.
std::string short_guarantee(const Guarantee& guarantee) {
  return guarantee.kind == Guarantee::Kind::none ? "none" : guarantee.text();
}

std::string group_table(const MethodResult& result, const std::vector<std::string>& names) {
  Table table({"  group", "n", "rank", "threshold", "test", "coverage [95 %]", "mean size"});
  for (const GroupResult& group : result.groups) {
    const auto& e = group.evaluation;
    const std::string name =
        names.empty() ? fmt::format("{}", group.id) : names[static_cast<std::size_t>(group.id)];
    table.add({"  " + name, fmt::format("{}", group.n), fmt::format("{}", group.rank),
               threshold_text(group.threshold), fmt::format("{}", group.num_test),
               e ? coverage_text(*e) : "-", e ? fmt::format("{:.3f}", e->mean_set_size) : "-"});
  }
  return fmt::format("\n{}, alpha {}, by group:\n{}", method_name(result.method),
                     result.alpha.text(), table.text());
}

}  // namespace

Json to_json(const EvaluationOutput& output) {
  Json results = Json::array();
  for (const MethodResult& result : output.results)
    results.push_back(result_json(result, output.label_names));
  return {{"n", output.n}, {"num_labels", output.num_labels}, {"num_test", output.num_test},
          {"k", output.k}, {"assumption", assumption},        {"results", std::move(results)}};
}

std::string coverage_text(const Evaluation& e) {
  if (!e.coverage_interval) return fmt::format("{:.3f}", e.coverage);
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", e.coverage, e.coverage_interval->low,
                     e.coverage_interval->high);
}

std::vector<std::string> guarantee_lines(const EvaluationOutput& output) {
  std::vector<std::string> lines;
  const auto add = [&](std::string line) {
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  };
  for (const MethodResult& result : output.results) {
    if (result.guarantee.kind == Guarantee::Kind::none) {
      add(fmt::format("{}: {}", method_name(result.method), result.guarantee.text()));
    }
  }
  add(fmt::format(
      "Guarantees are averages over draws of labelled and new examples. They hold if {}.",
      assumption));
  const bool averages = std::ranges::any_of(
      output.results, [](const MethodResult& r) { return r.method == Method::scos; });
  add(averages
          ? "Intervals are for the coverage with these labelled examples: exact (Clopper-Pearson); "
            "for scos, an average over references, 1.96 standard errors over test examples."
          : "Intervals are for the coverage with these labelled examples: exact (Clopper-Pearson).");
  return lines;
}

std::string to_text(const EvaluationOutput& output) {
  Table table({"method", "alpha", "guarantee", "coverage [95 %]", "mean size", "median",
               "singletons", "empty", "threshold"});
  for (const MethodResult& result : output.results) {
    const Evaluation& e = result.evaluation;
    table.add({std::string(method_name(result.method)), result.alpha.text(),
               short_guarantee(result.guarantee), coverage_text(e),
               fmt::format("{:.3f}", e.mean_set_size), fmt::format("{:.1f}", e.median_set_size),
               fmt::format("{:.3f}", e.singleton_rate), fmt::format("{:.3f}", e.empty_rate),
               threshold_text(result.threshold)});
  }
  std::string text =
      fmt::format("{} labelled examples, {} labels, {} test examples, k = {}\n\n{}", output.n,
                  output.num_labels, output.num_test, output.k, table.text());
  for (const MethodResult& result : output.results) {
    if (!result.groups.empty()) text += group_table(result, output.label_names);
  }
  text += "\n";
  for (const std::string& line : guarantee_lines(output)) text += line + "\n";
  return text;
}

}  // namespace caos::cli
