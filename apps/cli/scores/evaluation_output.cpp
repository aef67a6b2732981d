#include "apps/cli/scores/evaluation_output.hpp"

#include "caos/guarantee.hpp"

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
  if (!names.empty()) json["label"] = group_name(group, names);
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
  if (result.guarantee.kind == Guarantee::Kind::pac) {
    json["assumption"] = assumption_of(result.guarantee);
  }
  add_evaluation(json, result.evaluation);
  if (!result.groups.empty()) {
    json["groups"] = Json::array();
    for (const GroupResult& group : result.groups)
      json["groups"].push_back(group_json(group, names));
  }
  return json;
}

}  // namespace

Json to_json(const EvaluationReport& output) {
  Json results = Json::array();
  for (const MethodResult& result : output.results)
    results.push_back(result_json(result, output.label_names));
  return {{"n", output.n},
          {"num_labels", output.num_labels},
          {"num_test", output.num_test},
          {"k", output.k > 0 ? Json(output.k) : Json(nullptr)},
          {"assumption", assumption},
          {"results", std::move(results)}};
}

}  // namespace caos::cli
