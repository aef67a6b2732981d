#include "apps/cli/landmarks/landmark_evaluation_json.hpp"

#include "apps/cli/points/point_error_json.hpp"
#include "caos/landmarks/landmark_model.hpp"

namespace caos::cli {
namespace {

/// A mean over landmarks with the error over images, and how far landmarks differ.
Json mean_json(const LandmarkMethodResult& result, MeanWithError TaskSummary::*figure) {
  return {{"mean", ((*result.summary).*figure).mean},
          {"standard_error", json_number(((*result.summary).*figure).standard_error)},
          {"standard_error_over_landmarks",
           json_number(((*result.over_landmarks).*figure).standard_error)}};
}

Json landmark_json(const std::string& name, const LandmarkResult& landmark) {
  Json json = {{"landmark", name},
               {"n", landmark.n},
               {"num_subjects", landmark.num_subjects},
               {"rank", landmark.rank > 0 ? Json(landmark.rank) : Json(nullptr)},
               {"feasible", landmark.feasible},
               {"smallest_feasible_alpha", landmark.smallest_feasible_alpha}};
  const auto& e = landmark.evaluation;
  json["coverage"] = e ? Json(e->coverage) : Json(nullptr);
  json["mean_set_size"] = e ? Json(e->mean_set_size) : Json(nullptr);
  return json;
}

Json result_json(const LandmarkMethodResult& result, const std::vector<std::string>& names) {
  Json json = {{"method", method_name(result.method)},
               {"k", result.k},
               {"alpha", result.alpha.value()},
               {"guarantee", result.guarantee.text()}};
  if (result.summary) {
    json["coverage"] = mean_json(result, &TaskSummary::coverage);
    json["mean_set_size"] = mean_json(result, &TaskSummary::mean_set_size);
    json["median_set_size"] = mean_json(result, &TaskSummary::median_set_size);
    json["singleton_rate"] = mean_json(result, &TaskSummary::singleton_rate);
    json["empty_rate"] = mean_json(result, &TaskSummary::empty_rate);
    json["mean_region_share"] =
        result.mean_region_share ? Json(*result.mean_region_share) : Json(nullptr);
    json["mean_region_area"] =
        result.mean_region_area ? Json(*result.mean_region_area) : Json(nullptr);
    json["mean_region_area_mm2"] = json_number(result.mean_region_area_mm2);
  }
  json["landmarks"] = Json::array();
  for (std::size_t t = 0; t < names.size(); ++t) {
    json["landmarks"].push_back(landmark_json(names[t], result.landmarks[t]));
  }
  return json;
}

Json simultaneous_json(const SimultaneousResult& result) {
  return {{"alpha", result.alpha.value()},
          {"guarantee", result.guarantee.text()},
          {"n", result.n},
          {"num_subjects", result.num_subjects},
          {"feasible", result.feasible},
          {"coverage", result.evaluation.coverage},
          {"mean_set_size", result.evaluation.mean_set_size},
          {"covered_separately", result.covered_separately}};
}

}  // namespace

Json to_json(const LandmarkReport& report) {
  Json json = {{"num_labeled", report.num_labeled},
               {"num_test", report.num_test},
               {"num_landmarks", report.landmarks.size()},
               {"left_out", report.left_out},
               {"k", report.k},
               {"score", patch_score_text(report.score)},
               {"score_parameter", report.own_parameter ? "given" : "default"},
               {"error_over", report.evaluation.test.name()},
               {"error_over_count", report.evaluation.test.num_clusters},
               {"assumption", assumption_of(report.evaluation.target)},
               {"guarantee_is_for", guarantee_is_for(report.evaluation.target)},
               {"target", target_text(report.evaluation.target)},
               {"average_over", report.evaluation.over_subjects ? "subjects" : "images"}};
  json["working_size"] = report.embedding ? Json(report.embedding->working_size) : Json(nullptr);
  json["precision"] =
      report.embedding ? Json(precision_name(report.embedding->precision)) : Json(nullptr);
  json["rotation"] =
      report.embedding ? Json(vision::rotation_name(report.embedding->rotation)) : Json(nullptr);
  const bool has_cells = report.embedding && report.embedding->cell;
  json["cell"] = has_cells ? Json(*report.embedding->cell) : Json(nullptr);
  const auto large = large_regions_text(report.evaluation);
  json["large_regions"] = large ? Json(*large) : Json(nullptr);
  json["results"] = Json::array();
  for (const LandmarkMethodResult& result : report.evaluation.methods) {
    json["results"].push_back(result_json(result, report.landmarks));
  }
  json["simultaneous"] = Json::array();
  for (const SimultaneousResult& result : report.evaluation.simultaneous) {
    json["simultaneous"].push_back(simultaneous_json(result));
  }
  if (report.points) json["point_errors"] = to_json(*report.points);
  return json;
}

}  // namespace caos::cli
