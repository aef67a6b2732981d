#include <fmt/format.h>

#include "apps/cli/experiments/landmark_results.hpp"
#include "apps/cli/experiments/paper_landmarks.hpp"
#include "caos/evaluation.hpp"
#include "caos/evaluation/table.hpp"
#include "caos/landmarks/points/point_error_text.hpp"

namespace caos::cli {
namespace {

std::string measured(const SplitFigures& figures, int digits) {
  const auto error = figures.error();
  const std::string mean = fmt::format("{:.{}f}", figures.mean(), digits);
  return error ? fmt::format("{} ± {:.{}f}", mean, *error, digits) : mean;
}

std::string paper_text(const ExperimentResult& result) {
  const auto paper = paper_landmark_figure(method_name(result.method), result.alpha.text());
  return paper ? fmt::format("{:.3f}  {:5.2f}", paper->coverage, paper->mean_set_size) : "-";
}

std::string main_table(const LandmarkResults& results) {
  Table table(
      {"method", "alpha", "guarantee", "coverage", "mean size", "% of image", "(the paper's)"});
  for (const ExperimentResult* result : main_results(results)) {
    const bool none = result->guarantee.kind == Guarantee::Kind::none;
    table.add({std::string(method_name(result->method)), result->alpha.text(),
               none ? "none" : result->guarantee.text(), measured(result->coverage, 3),
               measured(result->mean_set_size, 2),
               fmt::format("{:.2f}", 100 * region_share(*result)), paper_text(*result)});
  }
  return table.text();
}

std::string points_text(const LandmarkResults& results) {
  if (!results.points || results.points->sources.empty()) return "";
  return "\n" + text_of(*results.points);
}

/// Where subjects matter.
std::string target_line(ImageTarget target) {
  if (target == ImageTarget::any) return "";
  return fmt::format("The target is {}.\n", target_text(target));
}

}  // namespace

std::string unsteady_error_text(std::size_t splits) {
  if (splits == 1 || splits >= splits_for_a_steady_error) return "";
  return fmt::format(
      "An error over {} splits may itself be several times too small; give --seeds {} or more.",
      splits, splits_for_a_steady_error);
}

std::string to_text(const LandmarkResults& results) {
  const LandmarkSplit& first = results.splits.front();
  const std::size_t splits = results.splits.size();
  const std::string caution = unsteady_error_text(splits);
  return fmt::format(
      "{} labeled and {} test images, {} landmarks, {}; backbone {}{}, k = {}, score {}\n\n{}\n"
      "Means over landmarks{} ± the standard error over {}.{}{} The paper's figures are for other\n"
      "images and another backbone. Guarantees are averages over draws of labeled and new images;\n"
      "they hold if {}.\n{}{}",
      first.labeled().size(), first.test.size(), results.experiment.landmarks.size(),
      splits == 1 ? "one split" : fmt::format("{} random splits", splits), results.backbone,
      results.embedding ? ", " + size_and_precision(*results.embedding) : "", results.options.k,
      patch_score_text(results.options.score), main_table(results),
      splits == 1 ? "" : " and splits", results.experiment.error_over(), caution.empty() ? "" : " ",
      caution, assumption_of(results.target()), target_line(results.target()),
      points_text(results));
}

}  // namespace caos::cli
