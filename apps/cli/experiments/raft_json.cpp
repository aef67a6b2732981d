#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "apps/cli/experiments/raft_output.hpp"
#include "caos/version.hpp"

namespace caos::cli {
namespace {

constexpr std::array<std::pair<ReachesTarget, const char*>, 4> groups = {{
    {ReachesTarget::both, "both"},
    {ReachesTarget::caos_only, "caos-only"},
    {ReachesTarget::scos_only, "scos-only"},
    {ReachesTarget::neither, "neither"},
}};

/// Sizes are averages of whole numbers: what is closer than this is equal.
constexpr double rounding = 1e-9;

Json mean_json(const MeanWithError& mean) {
  return {{"mean", mean.mean}, {"sem", json_number(mean.standard_error)}};
}

Json by_seed_json(const std::vector<double>& values) {
  Json json = mean_json(mean_with_error(values));
  json["by_seed"] = values;
  return json;
}

void add_guarantee(Json& json, const Guarantee& guarantee) {
  const bool none = guarantee.kind == Guarantee::Kind::none;
  json["guarantee"] = none ? "none" : guarantee.text();
  json["why_none"] = none ? Json(guarantee.why_none) : Json(nullptr);
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

/// Task by task, alpha by alpha, in the order of the methods that were asked for.
Json results_json(const RaftOutput& output) {
  Json json = Json::array();
  for (const RaftTask& task : output.tasks) {
    for (const Miscoverage& alpha : output.options.alphas) {
      for (const Method method : output.options.methods) {
        const auto* result = find_result(task.experiment, method, alpha);
        if (result != nullptr) json.push_back(result_json(task.experiment.task, *result));
      }
    }
  }
  return json;
}

Json task_json(const RaftOutput& output, const RaftTask& task) {
  const std::size_t texts = task.experiment.num_examples;
  return {{"task", task.experiment.task},
          {"texts", texts},
          {"labels", task.experiment.num_labels},
          {"text_columns", task.text_columns},
          {"labeled", texts - output.options.test_size},
          {"test", output.options.test_size},
          {"pairs", task.scoring.tally.pairs},
          {"shortened", task.scoring.tally.shortened}};
}

Json tasks_json(const RaftOutput& output) {
  Json json = Json::array();
  for (const RaftTask& task : output.tasks) json.push_back(task_json(output, task));
  return json;
}

Json overall_json(const RaftOutput& output) {
  Json json = Json::array();
  for (const Miscoverage& alpha : output.options.alphas) {
    for (const Method method : output.options.methods) {
      const OverTasks mean = over_tasks(output, method, alpha);
      Json entry = {{"method", method_name(method)}, {"alpha", alpha.text()}};
      add_guarantee(entry, find_result(output.tasks.at(0).experiment, method, alpha)->guarantee);
      entry["coverage"] = mean_json(mean.coverage);
      entry["errors_from_target"] = json_number(errors_from_target(mean.coverage, alpha));
      entry["mean_set_size"] = mean_json(mean.mean_set_size);
      json.push_back(std::move(entry));
    }
  }
  return json;
}

/// The tasks in each group that has any.
Json parts_json(const RaftOutput& output, const Miscoverage& alpha) {
  Json parts = Json::array();
  for (const auto& [reaches, name] : groups) {
    Json tasks = Json::array();
    for (const RaftTask& task : output.tasks) {
      if (reaches_target(task.experiment, alpha) == reaches) tasks.push_back(task.experiment.task);
    }
    if (!tasks.empty()) parts.push_back({{"reaches", name}, {"tasks", std::move(tasks)}});
  }
  return parts;
}

/// Who is smaller, and who reaches the target, at an alpha.
Json group_json(const RaftOutput& output, const Miscoverage& alpha) {
  std::size_t smaller = 0;
  std::size_t equal = 0;
  for (const RaftTask& task : output.tasks) {
    const double caos = find_result(task.experiment, Method::caos, alpha)->mean_size();
    const double scos = find_result(task.experiment, Method::scos, alpha)->mean_size();
    smaller += caos < scos - rounding ? 1U : 0U;
    equal += caos >= scos - rounding && caos <= scos + rounding ? 1U : 0U;
  }
  return {{"alpha", alpha.text()},        {"target", 1 - alpha.value()},
          {"tasks", output.tasks.size()}, {"caos_smaller", smaller},
          {"caos_equal", equal},          {"parts", parts_json(output, alpha)}};
}

/// Nothing unless both were asked for.
Json groups_json(const RaftOutput& output) {
  Json json = Json::array();
  for (const Method method : {Method::caos, Method::scos}) {
    if (std::ranges::find(output.options.methods, method) == output.options.methods.end()) {
      return json;
    }
  }
  for (const Miscoverage& alpha : output.options.alphas) json.push_back(group_json(output, alpha));
  return json;
}

const char* meaning_of(const std::string& normalization) {
  switch (parse_normalization(normalization)) {
    case Normalization::average:
      return "average: negative log-likelihood per token, the paper's";
    case Normalization::sum:
      return "sum: negative log-likelihood";
    case Normalization::per_byte:
      return "per-byte: negative log-likelihood per byte of the label";
    case Normalization::pmi:
      return "pmi: negative log of how much the text raises the label's likelihood";
    case Normalization::softmax:
      return "softmax: negative log of the softmax, over the labels, of minus the average";
  }
  return "";
}

Json setting_json(const RaftOutput& output) {
  const ScoringReport& scoring = output.tasks.at(0).scoring;
  Json alphas = Json::array();
  for (const Miscoverage& alpha : output.options.alphas) alphas.push_back(alpha.text());
  return {{"tasks", output.tasks.size()},
          {"seeds", output.options.seeds.size()},
          {"error_over", fmt::format("{} split{}", output.options.seeds.size(),
                                     output.options.seeds.size() == 1 ? "" : "s")},
          {"seed", output.options.seeds.at(0)},
          {"test", output.options.test_size},
          {"k", output.options.k},
          {"alphas", alphas},
          {"model", scoring.model},
          {"description", scoring.description},
          {"identity", scoring.identity},
          {"template", scoring.prompt},
          {"template_hash", output.template_hash},
          {"normalization", scoring.normalization},
          {"normalization_meaning", meaning_of(scoring.normalization)}};
}

}  // namespace

OverTasks over_tasks(const RaftOutput& output, Method method, const Miscoverage& alpha) {
  const auto num_tasks = static_cast<double>(output.tasks.size());
  std::vector<double> coverage(output.options.seeds.size());
  std::vector<double> size(coverage.size());
  for (const RaftTask& task : output.tasks) {
    const TextExperimentResult& result = *find_result(task.experiment, method, alpha);
    for (std::size_t s = 0; s < coverage.size(); ++s) {
      coverage[s] += result.coverage[s] / num_tasks;
      size[s] += result.mean_set_size[s] / num_tasks;
    }
  }
  return {.coverage = mean_with_error(coverage), .mean_set_size = mean_with_error(size)};
}

std::optional<double> errors_from_target(const MeanWithError& coverage, const Miscoverage& alpha) {
  if (coverage.standard_error.value_or(0) == 0) return std::nullopt;
  return (coverage.mean - (1 - alpha.value())) / *coverage.standard_error;
}

Json to_json(const RaftOutput& output) {
  Json json = {{"version", version()}, {"command", output.command}};
  json["setting"] = setting_json(output);
  json["assumption"] = assumption;
  json["overall"] = overall_json(output);
  json["groups"] = groups_json(output);
  json["tasks"] = tasks_json(output);
  json["results"] = results_json(output);
  json["notes"] = raft_notes(output);
  return json;
}

}  // namespace caos::cli
