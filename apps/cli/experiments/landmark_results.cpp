#include "apps/cli/experiments/landmark_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "caos/landmarks/large_regions.hpp"

namespace caos::cli {
namespace {

constexpr std::array main_methods = {Method::scos, Method::scos_best, Method::caos,
                                     Method::full_caos, Method::scos_oracle};
constexpr std::array reuse_methods = {Method::scos, Method::split_caos, Method::split_caos_cal,
                                      Method::split_caos_ref, Method::caos};
constexpr std::array strata = {"easy", "medium", "hard"};

void add_results(ResultList& list, const LandmarkResults& results, std::span<const Method> methods,
                 const Miscoverage& alpha) {
  for (const Method method : methods) {
    const auto* result = find_result(results.experiment.methods, method, alpha);
    if (result != nullptr) list.push_back(result);
  }
}

ResultList results_of(const LandmarkResults& results, std::span<const Method> methods) {
  ResultList list;
  for (const Miscoverage& alpha : results.options.alphas) {
    add_results(list, results, methods, alpha);
  }
  return list;
}

ResultList scores_at(const LandmarkResults& results, const Miscoverage& alpha) {
  ResultList list = {find_result(results.experiment.methods, Method::caos, alpha)};
  for (const std::vector<ExperimentResult>& of_score : results.experiment.other_scores) {
    list.push_back(find_result(of_score, Method::caos, alpha));
  }
  // The score of the main table may be another than the cosine.
  std::ranges::stable_sort(list, {},
                           [](const ExperimentResult* result) { return result->score.kind; });
  return list;
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

}  // namespace

ResultList main_results(const LandmarkResults& results) {
  return results_of(results, main_methods);
}

ResultList reuse_results(const LandmarkResults& results) {
  return results.experiment.by_subject ? ResultList() : results_of(results, reuse_methods);
}

ResultList score_results(const LandmarkResults& results) {
  ResultList list;
  for (const Miscoverage& alpha : results.options.alphas) {
    const ResultList at = scores_at(results, alpha);
    list.insert(list.end(), at.begin(), at.end());
  }
  return list;
}

std::string score_text(const ExperimentResult& result) {
  const std::string score = patch_score_text(result.score);
  return result.cell ? fmt::format("{}, cells of {} px", score, *result.cell) : score;
}

std::optional<double> ratio_to_cosine(const LandmarkResults& results,
                                      const ExperimentResult& of_score) {
  const ExperimentResult& cosine = *scores_at(results, of_score.alpha).front();
  const double ratio = of_score.mean_set_size.mean() / cosine.mean_set_size.mean();
  return std::isfinite(ratio) ? std::optional(ratio) : std::nullopt;
}

bool has_own_parameter(const LandmarkResults& results, const PatchScore& score) {
  return results.own_parameter && score == results.options.score;
}

std::vector<std::string> strata_of(const LandmarkResults& results) {
  const auto* oracle =
      find_result(results.experiment.methods, Method::scos_oracle, results.options.alphas.at(0));
  std::vector<std::string> names;
  if (oracle == nullptr) return names;
  for (const std::size_t third : thirds_by(oracle->mean_set_size)) {
    names.emplace_back(strata.at(third));
  }
  return names;
}

std::vector<StratumResult> stratum_results(const LandmarkResults& results) {
  const std::vector<std::string> stratum_of = strata_of(results);
  std::vector<StratumResult> found;
  for (const char* stratum : strata) {
    Indices landmarks;
    for (std::size_t t = 0; t < stratum_of.size(); ++t) {
      if (stratum_of[t] == stratum) landmarks.push_back(t);
    }
    if (landmarks.empty()) continue;
    for (const ExperimentResult* result : at_first_alpha(results).by_k) {
      found.push_back({.stratum = stratum,
                       .k = result->k,
                       .mean_set_size = with_landmarks(result->mean_set_size, landmarks)});
    }
  }
  return found;
}

FirstAlpha at_first_alpha(const LandmarkResults& results) {
  const Miscoverage& alpha = results.options.alphas.at(0);
  FirstAlpha first;
  add_results(first.methods, results, main_methods, alpha);
  for (const ExperimentResult& result : results.experiment.ablation) {
    if (result.alpha == alpha) first.by_k.push_back(&result);
  }
  return first;
}

SplitFigures by_split(const std::vector<double>& values) {
  SplitFigures figures{.values = Matrix<double>(0, 1)};
  for (const double value : values) figures.values.push_row(std::span(&value, 1));
  return figures;
}

std::optional<vision::PatchGrid> grid_of(const AnnotatedImages& images) {
  const auto same = [&](const vision::Frame& frame) {
    return frame.grid == images.frames.front().grid;
  };
  if (images.frames.empty() || !std::ranges::all_of(images.frames, same)) return std::nullopt;
  return images.frames.front().grid;
}

double region_share(const ExperimentResult& result) {
  return mean_with_error(result.region_share).mean;
}

std::optional<std::string> large_regions_text(const LandmarkResults& results) {
  const ResultList main = main_results(results);
  const auto counts = [](const ExperimentResult& result) {
    return result.feasible && result.guarantee.kind != Guarantee::Kind::none;
  };
  for (const ExperimentResult* result : main) {
    const auto is_smaller = [&](const ExperimentResult* other) {
      return counts(*other) && other->alpha == result->alpha &&
             region_share(*other) < region_share(*result);
    };
    if (!counts(*result) || std::ranges::any_of(main, is_smaller)) continue;
    const auto text = large_regions_text(
        RegionSize{.share = region_share(*result), .patches = result->mean_set_size.mean()});
    if (!text) continue;
    return fmt::format("{} at alpha {}: {}", method_name(result->method), result->alpha.text(),
                       *text);
  }
  return std::nullopt;
}

std::size_t num_images(const LandmarkResults& results) {
  const LandmarkSplit& first = results.splits.front();
  return results.random_splits ? results.images.names.size()
                               : first.labeled().size() + first.test.size();
}

}  // namespace caos::cli
