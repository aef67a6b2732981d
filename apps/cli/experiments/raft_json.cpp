#include "apps/cli/experiments/experiment_json.hpp"
#include "apps/cli/experiments/raft_results.hpp"
#include "apps/cli/experiments/raft_tables.hpp"
#include "caos/version.hpp"

namespace caos::cli {
namespace {

Json mean_json(const MeanWithError& mean) {
  return {{"mean", mean.mean}, {"sem", json_or_null(mean.standard_error)}};
}

Json by_seed_json(const std::vector<double>& values) {
  Json json = mean_json(mean_with_error(values));
  json["by_seed"] = values;
  return json;
}

Json result_json(const std::string& task, const TextExperimentResult& result) {
  Json json = {
      {"task", task}, {"method", method_name(result.method)}, {"alpha", result.alpha.text()}};
  add_guarantee(json, result.guarantee);
  json["feasible"] = result.feasible;
  json["coverage"] = by_seed_json(result.coverage);
  const Interval interval = result.coverage_interval();
  json["coverage"]["low"] = interval.low;
  json["coverage"]["high"] = interval.high;
  json["mean_set_size"] = by_seed_json(result.mean_set_size);
  json["singleton_rate"] = mean_with_error(result.singleton_rate).mean;
  json["empty_rate"] = mean_with_error(result.empty_rate).mean;
  return json;
}

Json results_json(const RaftResults& results) {
  Json json = Json::array();
  for_each_result(results, [&](const RaftTask& task, const TextExperimentResult& result) {
    json.push_back(result_json(task.experiment.task, result));
  });
  return json;
}

Json overall_json(const RaftOverall& row) {
  Json json = {{"method", method_name(row.method)}, {"alpha", row.alpha.text()}};
  add_guarantee(json, row.guarantee);
  json["coverage"] = mean_json(row.coverage);
  json["errors_from_target"] = json_or_null(row.errors_from_target);
  json["mean_set_size"] = mean_json(row.mean_set_size);
  return json;
}

Json part_json(const RaftPart& part) {
  return {{"reaches", raft_tables::group_name(part.reaches)},
          {"tasks", rows_json(part.tasks, [](const auto* task) { return task->experiment.task; })}};
}

Json groups_json(const RaftResults& results) {
  return rows_json(groups_of(results), [&](const RaftGroup& group) -> Json {
    return {{"alpha", group.alpha.text()},    {"target", 1 - group.alpha.value()},
            {"tasks", results.tasks.size()},  {"caos_smaller", group.caos_smaller},
            {"caos_equal", group.caos_equal}, {"parts", rows_json(group.parts, part_json)}};
  });
}

Json tasks_json(const RaftResults& results) {
  return rows_json(results.tasks, [&](const RaftTask& task) -> Json {
    const std::size_t texts = task.experiment.num_examples;
    return {{"task", task.experiment.task},
            {"texts", texts},
            {"labels", task.experiment.num_labels},
            {"text_columns", task.text_columns},
            {"labeled", texts - results.options.test_size},
            {"test", results.options.test_size},
            {"pairs", task.scoring.tally.pairs},
            {"shortened", task.scoring.shortened()}};
  });
}

Json setting_json(const RaftResults& results) {
  const ScoringReport& scoring = results.tasks.at(0).scoring;
  const TextExperimentOptions& options = results.options;
  return {{"tasks", results.tasks.size()},
          {"seeds", options.seeds.size()},
          {"error_over", error_over(results)},
          {"seed", options.seeds.at(0)},
          {"test", options.test_size},
          {"k", options.k},
          {"alphas", rows_json(options.alphas, [](const auto& alpha) { return alpha.text(); })},
          {"model", scoring.model},
          {"description", scoring.description},
          {"identity", scoring.identity},
          {"template", scoring.prompt},
          {"template_hash", results.template_hash},
          {"normalization", scoring.normalization},
          {"normalization_meaning", normalization_meaning(scoring)}};
}

}  // namespace

Json to_json(const RaftResults& results) {
  return {{"version", version()},
          {"command", results.command},
          {"setting", setting_json(results)},
          {"assumption", assumption},
          {"overall", rows_json(overall_of(results), overall_json)},
          {"groups", groups_json(results)},
          {"tasks", tasks_json(results)},
          {"results", results_json(results)},
          {"notes", raft_notes(results)}};
}

}  // namespace caos::cli
