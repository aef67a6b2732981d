#include "apps/cli/experiments/experiment_json.hpp"
#include "apps/cli/experiments/landmark_results.hpp"
#include "apps/cli/experiments/paper_landmarks.hpp"
#include "apps/cli/points/point_error_json.hpp"
#include "caos/evaluation.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/version.hpp"

namespace caos::cli {
namespace {

Json figures_json(const SplitFigures& figures) {
  return {{"mean", figures.mean()},
          {"sem", json_or_null(figures.error())},
          {"sem_images", json_or_null(figures.error_over_images())},
          {"sem_landmarks", json_or_null(figures.error_over_landmarks())},
          {"sem_splits", json_or_null(figures.error_over_splits())}};
}

void add_figures(Json& json, const ExperimentResult& result) {
  json["coverage"] = figures_json(result.coverage);
  json["mean_set_size"] = figures_json(result.mean_set_size);
  json["mean_region_share"] = region_share(result);
}

Json paper_json(const ExperimentResult& result) {
  const auto paper = paper_landmark_figure(method_name(result.method), result.alpha.text());
  if (!paper) return nullptr;
  return {{"coverage", paper->coverage},
          {"coverage_sem", json_or_null(paper->coverage_sem)},
          {"mean_set_size", paper->mean_set_size},
          {"mean_set_size_sem", json_or_null(paper->mean_set_size_sem)}};
}

Json methods_json(const ResultList& results, ImageTarget target) {
  return rows_json(results, [&](const ExperimentResult* result) {
    Json json = {{"method", method_name(result->method)}, {"alpha", result->alpha.text()}};
    add_guarantee(json, result->guarantee);
    add_figures(json, *result);
    json["paper"] = paper_json(*result);
    json["target"] = target_text(target);
    return json;
  });
}

Json k_json(const ExperimentResult& result) {
  Json json = {{"k", result.k}, {"alpha", result.alpha.text()}};
  add_figures(json, result);
  return json;
}

Json stratum_json(const StratumResult& result) {
  return {{"stratum", result.stratum},
          {"k", result.k},
          {"mean_set_size", figures_json(result.mean_set_size)}};
}

Json simultaneous_json(const SimultaneousExperiment& result) {
  Json json = {{"alpha", result.alpha.text()}};
  add_guarantee(json, result.guarantee);
  json["coverage"] = figures_json(by_split(result.coverage));
  json["mean_set_size"] = figures_json(by_split(result.mean_set_size));
  json["per_landmark_coverage_together"] = mean_with_error(result.covered_separately).mean;
  return json;
}

Json beyond_json(const LandmarkResults& results) {
  return rows_json(score_results(results), [&](const ExperimentResult* result) {
    const bool own = has_own_parameter(results, result->score);
    Json json = {{"score", score_text(*result)},
                 {"cell", result->cell ? Json(*result->cell) : Json(nullptr)},
                 {"alpha", result->alpha.text()}};
    add_figures(json, *result);
    json["ratio_to_cosine"] = json_or_null(ratio_to_cosine(results, *result));
    json["fixed_in_advance"] = own ? Json(nullptr) : Json(true);
    return json;
  });
}

void add_landmark(Json& json, std::size_t t, const FirstAlpha& first) {
  json.update({{"sizes", Json::object()}, {"coverage", Json::object()}, {"by_k", Json::array()}});
  for (const ExperimentResult* result : first.methods) {
    json["sizes"][method_name(result->method)] = result->mean_set_size.of_landmark(t);
    json["coverage"][method_name(result->method)] = result->coverage.of_landmark(t);
    if (result->method != Method::caos) continue;
    json["n"] = result->n[t];
    json["smallest_alpha"] = result->smallest_feasible_alpha[t];
  }
  for (const auto* result : first.by_k) {
    json["by_k"].push_back(result->mean_set_size.of_landmark(t));
  }
}

Json landmarks_json(const LandmarkResults& results) {
  const std::vector<std::string> strata = strata_of(results);
  const FirstAlpha first = at_first_alpha(results);
  Json json = Json::array();
  for (std::size_t t = 0; t < results.experiment.landmarks.size(); ++t) {
    json.push_back({{"name", results.landmark(t)},
                    {"stratum", strata.empty() ? Json(nullptr) : Json(strata[t])}});
    add_landmark(json.back(), t, first);
  }
  return json;
}

Json grid_json(const AnnotatedImages& images) {
  const auto grid = grid_of(images);
  return grid ? Json({grid->columns, grid->rows}) : Json(nullptr);
}

Json setting_json(const LandmarkResults& results) {
  const LandmarkSplit& first = results.splits.front();
  const AnnotatedImages& images = results.images;
  const LandmarkExperimentOptions& options = results.options;
  const bool has_files = !images.frames.empty();
  return {
      {"images", num_images(results)},
      {"labeled", first.labeled().size()},
      {"test", first.test.size()},
      {"landmarks", results.experiment.landmarks.size()},
      {"splits", results.splits.size()},
      {"error_over", results.experiment.error_over()},
      {"k", options.k},
      {"alphas", rows_json(options.alphas, [](const auto& alpha) { return alpha.text(); })},
      {"patch_size", has_files ? Json(images.frames[0].grid.patch_size) : Json(nullptr)},
      {"grid", grid_json(images)},
      {"patches", has_files ? Json(nullptr) : Json(images.patches.images.at(0).rows())},
      {"backbone", results.backbone},
      {"working_size", results.embedding ? Json(results.embedding->working_size) : Json(nullptr)},
      {"precision",
       results.embedding ? Json(precision_name(results.embedding->precision)) : Json(nullptr)},
      {"rotation", results.embedding ? Json(vision::rotation_name(results.embedding->rotation))
                                     : Json(nullptr)},
      {"score", patch_score_text(options.score)},
      {"seed", results.random_splits ? Json(results.seed) : Json(nullptr)}};
}

}  // namespace

Json to_json(const LandmarkResults& results) {
  const ImageTarget target = results.target();
  const LandmarkExperiment& experiment = results.experiment;
  const auto large = large_regions_text(results);
  return {{"version", version()},
          {"command", results.command},
          {"setting", setting_json(results)},
          {"assumption", assumption_of(target)},
          {"target", target_text(target)},
          {"guarantee_is_for", guarantee_is_for(target)},
          {"average_over", experiment.first.over_subjects ? "subjects" : "images"},
          {"methods", methods_json(main_results(results), target)},
          {"data_reuse", methods_json(reuse_results(results), target)},
          {"k_ablation", rows_json(experiment.ablation, k_json)},
          {"k_strata", rows_json(stratum_results(results), stratum_json)},
          {"simultaneous", rows_json(experiment.simultaneous, simultaneous_json)},
          {"beyond", beyond_json(results)},
          {"landmarks", landmarks_json(results)},
          {"large_regions", large ? Json(*large) : Json(nullptr)},
          {"point_errors", results.points ? to_json(*results.points) : Json(nullptr)},
          {"notes", landmark_notes(results)}};
}

}  // namespace caos::cli
