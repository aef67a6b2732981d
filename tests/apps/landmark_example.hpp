#pragma once

#include <string>
#include <utility>
#include <vector>

#include "apps/cli/experiments/landmark_results.hpp"

namespace caos::cli {

/// Figures of two splits with this mean and standard error, the same for two landmarks.
inline SplitFigures figures(double mean, double error = 0) {
  SplitFigures result{.values = Matrix<double>(2, 2)};
  for (std::size_t t = 0; t < 2; ++t) {
    result.values(0, t) = mean - error;
    result.values(1, t) = mean + error;
  }
  return result;
}

/// The same figures in both splits, by landmark.
inline SplitFigures by_landmark(double first, double second) {
  SplitFigures result{.values = Matrix<double>(2, 2)};
  for (std::size_t s = 0; s < 2; ++s) {
    result.values(s, 0) = first;
    result.values(s, 1) = second;
  }
  return result;
}

inline ExperimentResult landmark_result(Method method, SplitFigures coverage, SplitFigures size,
                                        const std::string& alpha = "0.2") {
  const double share = size.mean() / (12 * 14);
  return {.method = method,
          .k = 3,
          .alpha = Miscoverage::parse(alpha),
          .n = {6, 6},
          .smallest_feasible_alpha = {0.143, 0.143},
          .coverage = std::move(coverage),
          .mean_set_size = std::move(size),
          .region_share = {share, share}};
}

inline void without_guarantee(ExperimentResult& result, const std::string& why) {
  result.guarantee = {Guarantee::Kind::none, why};
}

inline LandmarkExperiment small_experiment() {
  LandmarkExperiment experiment{.landmarks = {0, 1}, .num_splits = 2};
  experiment.methods = {
      landmark_result(Method::caos, figures(0.8125, 0.015625), figures(5.25, 0.5)),
      landmark_result(Method::scos, figures(0.84), figures(130.25)),
      landmark_result(Method::scos_best, figures(0.79), figures(4)),
      landmark_result(Method::scos_oracle, figures(1), by_landmark(2, 3)),
      landmark_result(Method::split_caos_cal, figures(0.85), figures(7))};
  without_guarantee(experiment.methods[2], "it chose late");
  without_guarantee(experiment.methods[3], "in hindsight");
  experiment.ablation = {landmark_result(Method::caos, figures(0.8), by_landmark(3.5, 8.75)),
                         landmark_result(Method::caos, figures(0.8), by_landmark(3, 8))};
  experiment.ablation[0].k = 1;
  experiment.ablation[1].k = 2;
  experiment.simultaneous = {{.alpha = Miscoverage::parse("0.2"),
                              .guarantee = {Guarantee::Kind::simultaneous, ""},
                              .coverage = {0.83, 0.83},
                              .mean_set_size = {44.5, 44.5},
                              .covered_separately = {0.41, 0.41}}};
  experiment.other_scores = {{landmark_result(Method::caos, figures(0.81), figures(3.25))}};
  experiment.other_scores[0][0].score = parse_patch_score("margin:10");
  return experiment;
}

/// A small synthetic run of `caos experiment landmarks` with every part.
inline LandmarkResults landmark_example() {
  LandmarkResults results{.command = "caos experiment landmarks faces", .backbone = "builtin"};
  const vision::Frame frame{.grid = {.patch_size = 16, .columns = 12, .rows = 14}};
  results.images.frames.assign(12, frame);
  results.images.names.assign(12, "x.jpg");
  results.images.patches.tasks = {"chin", "nose"};
  results.splits.assign(
      2, {.references = {0, 1, 2}, .calibration = {3, 4, 5}, .test = {6, 7, 8, 9, 10, 11}});
  results.random_splits = true;
  results.options.alphas = {Miscoverage::parse("0.2")};
  results.experiment = small_experiment();
  results.examples = {{.name = "x.jpg",
                       .width = 178,
                       .height = 218,
                       .jpeg = "QUJD",
                       .points = {{"chin", 90, 200, 12.5, 2}, {"nose", 90, 100, {}, {}}}}};
  return results;
}

}  // namespace caos::cli
