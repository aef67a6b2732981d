#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "apps/cli/experiments/experiment_output.hpp"
#include "apps/cli/experiments/paper_landmarks.hpp"
#include "caos/evaluation.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/version.hpp"

namespace caos::cli {
namespace {

using Results = std::vector<ExperimentResult>;

constexpr std::array reuse_methods = {Method::scos, Method::split_caos, Method::split_caos_cal,
                                      Method::split_caos_ref, Method::caos};
constexpr std::array strata = {"easy", "medium", "hard"};

Json figures_json(const SplitFigures& figures) {
  return {{"mean", figures.mean()},
          {"sem", json_number(figures.error())},
          {"sem_images", json_number(figures.error_over_images())},
          {"sem_landmarks", json_number(figures.error_over_landmarks())},
          {"sem_splits", json_number(figures.error_over_splits())}};
}

Json over_splits(const std::vector<double>& values) {
  const MeanWithError mean = mean_with_error(values);
  return {{"mean", mean.mean},
          {"sem", json_number(mean.standard_error)},
          {"sem_images", nullptr},
          {"sem_landmarks", nullptr},
          {"sem_splits", json_number(mean.standard_error)}};
}

void add_figures(Json& json, const ExperimentResult& result) {
  json["coverage"] = figures_json(result.coverage);
  json["mean_set_size"] = figures_json(result.mean_set_size);
}

void add_guarantee(Json& json, const Guarantee& guarantee) {
  const bool none = guarantee.kind == Guarantee::Kind::none;
  json["guarantee"] = none ? "none" : guarantee.text();
  json["why_none"] = none ? Json(guarantee.why_none) : Json(nullptr);
}

Json paper_json(const ExperimentResult& result) {
  const auto figure = paper_landmark_figure(method_name(result.method), result.alpha.text());
  if (!figure) return nullptr;
  return {{"coverage", figure->coverage},
          {"coverage_sem", json_number(figure->coverage_sem)},
          {"mean_set_size", figure->mean_set_size},
          {"mean_set_size_sem", json_number(figure->mean_set_size_sem)}};
}

Json method_json(const ExperimentResult& result) {
  Json json = {{"method", method_name(result.method)}, {"alpha", result.alpha.text()}};
  add_guarantee(json, result.guarantee);
  add_figures(json, result);
  json["paper"] = paper_json(result);
  return json;
}

/// The entries of some methods: alpha by alpha, in the order of the paper's tables.
Json methods_json(const ExperimentOutput& output, std::span<const Method> methods) {
  Json json = Json::array();
  for (const Miscoverage& alpha : output.options.alphas) {
    for (const Method method : methods) {
      const auto* result = find_result(output.experiment.methods, method, alpha);
      if (result == nullptr) continue;
      json.push_back(method_json(*result));
      json.back()["target"] = target_text(target_of(output));
    }
  }
  return json;
}

Json data_reuse_json(const ExperimentOutput& output) {
  return output.experiment.by_subject ? Json::array() : methods_json(output, reuse_methods);
}

Json ablation_json(const ExperimentOutput& output) {
  Json json = Json::array();
  for (const ExperimentResult& result : output.experiment.ablation) {
    Json entry = {{"k", result.k}, {"alpha", result.alpha.text()}};
    add_figures(entry, result);
    json.push_back(std::move(entry));
  }
  return json;
}

/// The stratum of each landmark; empty where there is no Oracle to tell.
std::vector<std::size_t> strata_of(const ExperimentOutput& output) {
  const auto* oracle =
      find_result(output.experiment.methods, Method::scos_oracle, output.options.alphas.at(0));
  return oracle == nullptr ? std::vector<std::size_t>() : thirds_by(oracle->mean_set_size);
}

Matrix<double> columns_of(const Matrix<double>& values, const Indices& columns) {
  Matrix<double> result(values.rows(), columns.size());
  for (std::size_t r = 0; r < values.rows(); ++r) {
    for (std::size_t c = 0; c < columns.size(); ++c) result(r, c) = values(r, columns[c]);
  }
  return result;
}

SplitFigures with_landmarks(const SplitFigures& figures, const Indices& landmarks) {
  return {.values = columns_of(figures.values, landmarks),
          .deviations = columns_of(figures.deviations, landmarks)};
}

Json stratum_json(const ExperimentOutput& output, std::size_t stratum, const Indices& landmarks) {
  Json json = Json::array();
  for (const ExperimentResult& result : output.experiment.ablation) {
    if (result.alpha != output.options.alphas.at(0)) continue;
    json.push_back(
        {{"stratum", strata.at(stratum)},
         {"k", result.k},
         {"mean_set_size", figures_json(with_landmarks(result.mean_set_size, landmarks))}});
  }
  return json;
}

Json strata_json(const ExperimentOutput& output, const std::vector<std::size_t>& stratum_of) {
  Json json = Json::array();
  for (std::size_t stratum = 0; stratum < strata.size(); ++stratum) {
    Indices landmarks;
    for (std::size_t t = 0; t < stratum_of.size(); ++t) {
      if (stratum_of[t] == stratum) landmarks.push_back(t);
    }
    if (landmarks.empty()) continue;
    for (Json& entry : stratum_json(output, stratum, landmarks)) json.push_back(std::move(entry));
  }
  return json;
}

/// One landmark at the first alpha, under the methods of the main table and at each k.
Json landmark_json(const ExperimentOutput& output, std::size_t t) {
  const Miscoverage& alpha = output.options.alphas.at(0);
  Json json = {{"sizes", Json::object()}, {"coverage", Json::object()}, {"by_k", Json::array()}};
  for (const Method method : main_methods) {
    const auto* result = find_result(output.experiment.methods, method, alpha);
    if (result == nullptr) continue;
    json["sizes"][method_name(method)] = result->mean_set_size.of_landmark(t);
    json["coverage"][method_name(method)] = result->coverage.of_landmark(t);
  }
  for (const ExperimentResult& result : output.experiment.ablation) {
    if (result.alpha == alpha) json["by_k"].push_back(result.mean_set_size.of_landmark(t));
  }
  const auto* caos = find_result(output.experiment.methods, Method::caos, alpha);
  json["n"] = caos->n[t];
  json["smallest_alpha"] = caos->smallest_feasible_alpha[t];
  return json;
}

Json landmarks_json(const ExperimentOutput& output, const std::vector<std::size_t>& stratum_of) {
  Json json = Json::array();
  for (std::size_t t = 0; t < output.experiment.landmarks.size(); ++t) {
    Json entry = {{"name", output.images.patches.tasks[output.experiment.landmarks[t]]},
                  {"stratum", stratum_of.empty() ? Json(nullptr) : Json(strata[stratum_of[t]])}};
    entry.update(landmark_json(output, t));
    json.push_back(std::move(entry));
  }
  return json;
}

Json simultaneous_json(const ExperimentOutput& output) {
  Json json = Json::array();
  for (const SimultaneousExperiment& result : output.experiment.simultaneous) {
    Json entry = {{"alpha", result.alpha.text()}};
    add_guarantee(entry, result.guarantee);
    entry["coverage"] = over_splits(result.coverage);
    entry["mean_set_size"] = over_splits(result.mean_set_size);
    entry["per_landmark_coverage_together"] = mean_with_error(result.covered_separately).mean;
    json.push_back(std::move(entry));
  }
  return json;
}

/// CAOS under every score, the paper's first: that of the main table may be another.
std::vector<const ExperimentResult*> by_score(const ExperimentOutput& output,
                                              const Miscoverage& alpha) {
  std::vector results = {find_result(output.experiment.methods, Method::caos, alpha)};
  for (const Results& of_score : output.experiment.other_scores) {
    results.push_back(find_result(of_score, Method::caos, alpha));
  }
  std::ranges::stable_sort(results, {},
                           [](const ExperimentResult* result) { return result->score.kind; });
  return results;
}

Json score_json(const ExperimentOutput& output, const ExperimentResult& result,
                double size_of_cosine) {
  const bool unknown = output.own_parameter && result.score == output.options.score;
  Json json = {{"score", patch_score_text(result.score)}, {"alpha", result.alpha.text()}};
  add_figures(json, result);
  json["ratio_to_cosine"] = json_number(result.mean_set_size.mean() / size_of_cosine);
  json["fixed_in_advance"] = unknown ? Json(nullptr) : Json(true);
  return json;
}

Json beyond_json(const ExperimentOutput& output) {
  Json json = Json::array();
  for (const Miscoverage& alpha : output.options.alphas) {
    const auto results = by_score(output, alpha);
    const double size_of_cosine = results.front()->mean_set_size.mean();
    for (const ExperimentResult* result : results) {
      json.push_back(score_json(output, *result, size_of_cosine));
    }
  }
  return json;
}

Json alphas_json(const ExperimentOutput& output) {
  Json json = Json::array();
  for (const Miscoverage& alpha : output.options.alphas) json.push_back(alpha.text());
  return json;
}

/// Columns and rows, where all images have the same.
Json grid_json(const AnnotatedImages& images) {
  const auto same = [&](const vision::Frame& frame) {
    return frame.grid == images.frames.front().grid;
  };
  if (images.frames.empty() || !std::ranges::all_of(images.frames, same)) return nullptr;
  return {images.frames.front().grid.columns, images.frames.front().grid.rows};
}

Json setting_json(const ExperimentOutput& output) {
  const LandmarkSplit& first = output.splits.front();
  const std::size_t num_labeled = first.labeled().size();
  const AnnotatedImages& images = output.images;
  const bool has_files = !images.frames.empty();
  return {{"images", output.random_splits ? images.names.size() : num_labeled + first.test.size()},
          {"labeled", num_labeled},
          {"test", first.test.size()},
          {"landmarks", output.experiment.landmarks.size()},
          {"splits", output.splits.size()},
          {"error_over", output.experiment.error_over()},
          {"k", output.options.k},
          {"alphas", alphas_json(output)},
          {"patch_size", has_files ? Json(images.frames[0].grid.patch_size) : Json(nullptr)},
          {"grid", grid_json(images)},
          {"patches", has_files ? Json(nullptr) : Json(images.patches.images.at(0).rows())},
          {"backbone", output.backbone},
          {"score", patch_score_text(output.options.score)},
          {"seed", output.random_splits ? Json(output.seed) : Json(nullptr)}};
}

}  // namespace

Json to_json(const ExperimentOutput& output) {
  const std::vector<std::size_t> stratum_of = strata_of(output);
  Json json = {{"version", version()}, {"command", output.command}};
  json["setting"] = setting_json(output);
  json["assumption"] = assumption_of(target_of(output));
  json["target"] = target_text(target_of(output));
  json["guarantee_is_for"] = guarantee_is_for(target_of(output));
  json["average_over"] = output.experiment.first.over_subjects ? "subjects" : "images";
  json["methods"] = methods_json(output, main_methods);
  json["data_reuse"] = data_reuse_json(output);
  json["k_ablation"] = ablation_json(output);
  json["k_strata"] = strata_json(output, stratum_of);
  json["simultaneous"] = simultaneous_json(output);
  json["beyond"] = beyond_json(output);
  json["landmarks"] = landmarks_json(output, stratum_of);
  json["notes"] = experiment_notes(output);
  return json;
}

}  // namespace caos::cli
