#include <fmt/format.h>

#include "apps/cli/experiments/csv_text.hpp"
#include "apps/cli/experiments/landmark_results.hpp"
#include "apps/cli/experiments/paper_landmarks.hpp"
#include "apps/cli/points/point_error_csv.hpp"
#include "caos/evaluation.hpp"

namespace caos::cli {
namespace {

void add_figures(CsvLine& line, const std::string& name, const SplitFigures& figures) {
  line.insert(line.end(), {{name, csv_number(figures.mean())},
                           {name + "_sem_landmarks", csv_number(figures.error_over_landmarks())},
                           {name + "_sem_splits", csv_number(figures.error_over_splits())},
                           {name + "_sem_images", csv_number(figures.error_over_images())},
                           {name + "_sem", csv_number(figures.error())}});
}

void add_figures(CsvLine& line, const ExperimentResult& result) {
  add_figures(line, "coverage", result.coverage);
  add_figures(line, "mean_set_size", result.mean_set_size);
}

void add_paper(CsvLine& line, const ExperimentResult& result) {
  const auto paper = paper_landmark_figure(method_name(result.method), result.alpha.text());
  const auto add = [&](const char* name, auto figure) {
    line.emplace_back(name, paper ? csv_number((*paper).*figure) : "");
  };
  add("paper_coverage", &PaperFigure::coverage);
  add("paper_coverage_sem", &PaperFigure::coverage_sem);
  add("paper_mean_set_size", &PaperFigure::mean_set_size);
  add("paper_mean_set_size_sem", &PaperFigure::mean_set_size_sem);
}

CsvLine method_line(const ExperimentResult& result, ImageTarget target) {
  const bool none = result.guarantee.kind == Guarantee::Kind::none;
  CsvLine line = {{"method", std::string(method_name(result.method))},
                  {"alpha", result.alpha.text()},
                  {"guarantee", none ? "none" : result.guarantee.text()},
                  {"why_none", none ? result.guarantee.why_none : ""}};
  add_figures(line, result);
  add_paper(line, result);
  line.emplace_back("target", target_text(target));
  return line;
}

CsvLine k_line(const ExperimentResult& result) {
  CsvLine line = {{"k", std::to_string(result.k)}, {"alpha", result.alpha.text()}};
  add_figures(line, result);
  return line;
}

CsvLine stratum_line(const StratumResult& result) {
  CsvLine line = {{"stratum", result.stratum}, {"k", std::to_string(result.k)}};
  add_figures(line, "mean_set_size", result.mean_set_size);
  return line;
}

CsvLine simultaneous_line(const SimultaneousExperiment& result) {
  CsvLine line = {{"alpha", result.alpha.text()}};
  add_figures(line, "coverage", by_split(result.coverage));
  add_figures(line, "mean_set_size", by_split(result.mean_set_size));
  line.emplace_back("per_landmark_coverage_together",
                    csv_number(mean_with_error(result.covered_separately).mean));
  return line;
}

CsvLine score_line(const LandmarkResults& results, const ExperimentResult& result) {
  CsvLine line = {{"score", score_text(result)}, {"alpha", result.alpha.text()}};
  add_figures(line, result);
  line.emplace_back("ratio_to_cosine", csv_number(ratio_to_cosine(results, result)));
  line.emplace_back("fixed_in_advance", has_own_parameter(results, result.score) ? "" : "true");
  return line;
}

void add_landmark(CsvLine& line, std::size_t t, const FirstAlpha& first) {
  const auto add = [&](const char* prefix, auto name, const SplitFigures& figures) {
    line.emplace_back(fmt::format("{}{}", prefix, name), csv_number(figures.of_landmark(t)));
  };
  for (const auto* result : first.methods) {
    if (result->method != Method::caos) continue;
    line.emplace_back("n", std::to_string(result->n[t]));
    line.emplace_back("smallest_alpha", csv_number(result->smallest_feasible_alpha[t]));
  }
  for (const auto* r : first.methods) add("size_", method_name(r->method), r->mean_set_size);
  for (const auto* r : first.methods) add("coverage_", method_name(r->method), r->coverage);
  for (const auto* r : first.by_k) add("size_k", r->k, r->mean_set_size);
}

std::vector<CsvLine> landmark_lines(const LandmarkResults& results) {
  const std::vector<std::string> strata = strata_of(results);
  const FirstAlpha first = at_first_alpha(results);
  std::vector<CsvLine> lines;
  for (std::size_t t = 0; t < results.experiment.landmarks.size(); ++t) {
    lines.push_back(
        {{"landmark", results.landmark(t)}, {"stratum", strata.empty() ? "" : strata[t]}});
    add_landmark(lines.back(), t, first);
  }
  return lines;
}

template <typename Rows, typename LineOf>
std::vector<CsvLine> lines_of(const Rows& rows, LineOf line_of) {
  std::vector<CsvLine> lines;
  for (const auto& row : rows) lines.push_back(line_of(row));
  return lines;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> landmark_csvs(const LandmarkResults& results) {
  const auto of_method = [&](const auto* result) { return method_line(*result, results.target()); };
  const auto of_score = [&](const auto* result) { return score_line(results, *result); };
  std::vector<std::pair<std::string, std::string>> files;
  const auto add = [&](const char* file, const std::vector<CsvLine>& lines) {
    if (!lines.empty()) files.emplace_back(file, csv_text(lines));
  };
  add("methods.csv", lines_of(main_results(results), of_method));
  add("data_reuse.csv", lines_of(reuse_results(results), of_method));
  add("k_ablation.csv", lines_of(results.experiment.ablation, k_line));
  add("landmarks.csv", landmark_lines(results));
  add("k_strata.csv", lines_of(stratum_results(results), stratum_line));
  add("simultaneous.csv", lines_of(results.experiment.simultaneous, simultaneous_line));
  add("beyond.csv", lines_of(score_results(results), of_score));
  if (results.points) add("point_errors.csv", point_error_lines(*results.points));
  return files;
}

}  // namespace caos::cli
