#include "apps/cli/experiments/landmark_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/experiments/paper_landmarks.hpp"
#include "apps/cli/pages/html.hpp"
#include "apps/cli/pages/html_table.hpp"
#include "caos/evaluation.hpp"

namespace caos::cli::landmark_tables {
namespace {

constexpr double plot_width = 120;

/// A method, or what stands in its place, at an alpha.
struct NamedRow {
  std::string name{};
  Miscoverage alpha;
  Guarantee guarantee{};
  MeanWithError coverage{};
  MeanWithError mean_set_size{};
  std::optional<PaperFigure> paper{};
};

MeanWithError mean_of(const SplitFigures& figures) {
  return {.mean = figures.mean(), .standard_error = figures.error()};
}

NamedRow row_of(const ExperimentResult& result, const std::string& name) {
  return {.name = name,
          .alpha = result.alpha,
          .guarantee = result.guarantee,
          .coverage = mean_of(result.coverage),
          .mean_set_size = mean_of(result.mean_set_size)};
}

std::string measured(const MeanWithError& mean, NumberFormat format) {
  return with_error(mean.mean, mean.standard_error, format);
}

/// The axes of the plots in rows: sizes as in the whole table, coverages as far as alpha asks.
struct Scale {
  double axis_begin = 1;
  double largest_size = 0;
};

Scale scale_at(const std::vector<NamedRow>& rows, const Miscoverage& alpha) {
  Scale scale{.axis_begin = 1 - alpha.value()};
  for (const NamedRow& row : rows) {
    scale.largest_size = std::max(scale.largest_size, row.mean_set_size.mean);
    if (row.alpha == alpha) scale.axis_begin = std::min(scale.axis_begin, row.coverage.mean);
  }
  scale.axis_begin = coverage_axis_begin(scale.axis_begin);
  return scale;
}

std::string coverage_cell(const NamedRow& row, const Scale& scale) {
  const double error = row.coverage.standard_error.value_or(0);
  return plot_cell(coverage_plot({.share = row.coverage.mean,
                                  .low = row.coverage.mean - error,
                                  .high = row.coverage.mean + error,
                                  .target = 1 - row.alpha.value(),
                                  .axis_begin = scale.axis_begin,
                                  .color = color_of(row.guarantee),
                                  .width = plot_width}));
}

/// Coverage and size, each in figures and drawn.
std::string result_cells(const NamedRow& row, const Scale& scale, bool best) {
  return number_cell(measured(row.coverage, share_text)) + coverage_cell(row, scale) +
         number_cell(measured(row.mean_set_size, size_text), best ? " best" : "") +
         plot_cell(size_plot(row.mean_set_size.mean, scale.largest_size, color_of(row.guarantee),
                             plot_width));
}

constexpr const char* result_heads =
    "<th scope=\"col\" class=\"number\">coverage</th><td class=\"drawn\"></td>"
    "<th scope=\"col\" class=\"number\">mean set size</th><td class=\"drawn\"></td>";

std::string paper_cells(const std::optional<PaperFigure>& paper) {
  if (!paper) return number_cell("&ndash;", " paper") + number_cell("&ndash;", " paper");
  return number_cell(with_error(paper->coverage, paper->coverage_sem, share_text), " paper") +
         number_cell(with_error(paper->mean_set_size, paper->mean_set_size_sem, size_text),
                     " paper");
}

std::string named_row(const NamedRow& row, const Scale& scale, bool best, bool with_paper) {
  return fmt::format("<tr{}><th scope=\"row\">{}</th><td>{}</td>{}{}</tr>\n",
                     has_guarantee(row.guarantee) ? "" : " class=\"none\"", escaped(row.name),
                     guarantee_text(row.guarantee), result_cells(row, scale, best),
                     with_paper ? paper_cells(row.paper) : "");
}

/// The smallest mean set size with a guarantee, if there is a choice.
std::optional<double> smallest_size(const std::vector<NamedRow>& rows, const Miscoverage& alpha) {
  std::vector<double> sizes;
  for (const NamedRow& row : rows) {
    if (row.alpha == alpha && has_guarantee(row.guarantee)) sizes.push_back(row.mean_set_size.mean);
  }
  if (sizes.size() < 2) return std::nullopt;
  return std::ranges::min(sizes);
}

/// Begins the rows of an alpha: what is to be covered, and the axes of the plots below.
std::string alpha_row(const Miscoverage& alpha, const Scale& scale, int more_columns) {
  std::string text = fmt::format(
      "<tr class=\"alpha\"><th scope=\"rowgroup\" colspan=\"3\">alpha = {} <span>to be covered: "
      "{:.4g}</span></th><td class=\"drawn\">{:.2f} to 1</td><td></td><td class=\"drawn\">0 to {}</td>",
      alpha.text(), 1 - alpha.value(), scale.axis_begin, size_text(scale.largest_size));
  for (int column = 0; column < more_columns; ++column) text += "<td></td>";
  return text + "</tr>\n";
}

std::string rows_at(const std::vector<NamedRow>& rows, const Miscoverage& alpha, bool with_paper) {
  const std::optional<double> smallest = smallest_size(rows, alpha);
  const Scale scale = scale_at(rows, alpha);
  std::string text = alpha_row(alpha, scale, with_paper ? 2 : 0);
  for (const NamedRow& row : rows) {
    if (row.alpha != alpha) continue;
    const bool best = has_guarantee(row.guarantee) && row.mean_set_size.mean == smallest;
    text += named_row(row, scale, best, with_paper);
  }
  return text;
}

std::string table_of(const std::vector<NamedRow>& rows) {
  const bool with_paper =
      std::ranges::any_of(rows, [](const NamedRow& row) { return row.paper.has_value(); });
  const std::string paper_heads =
      "<th scope=\"col\" class=\"number paper\"><em>the paper:</em> coverage</th>"
      "<th scope=\"col\" class=\"number paper\">mean set size</th>";
  std::string body;
  for (const Miscoverage& alpha : distinct(rows, &NamedRow::alpha)) {
    body += rows_at(rows, alpha, with_paper);
  }
  std::vector<std::pair<std::string, Guarantee>> guarantees;
  for (const NamedRow& row : rows) guarantees.emplace_back(row.name, row.guarantee);
  return html_table(
             table_head({"method", "guarantee"}, result_heads + (with_paper ? paper_heads : "")),
             body) +
         reasons_for_none(guarantees);
}

/// A row per k and a column per value at `column`, under `heads`.
template <typename Row, typename Value, typename Cell>
std::string k_table(const std::vector<Row>& rows, Value Row::*column,
                    const std::vector<std::string>& heads, Cell cell_of) {
  std::string body;
  for (const std::size_t k : distinct(rows, &Row::k)) {
    body += fmt::format("<tr><th scope=\"row\">{}</th>", k);
    for (const Value& value : distinct(rows, column)) {
      const auto found = std::ranges::find_if(
          rows, [&](const Row& row) { return row.k == k && row.*column == value; });
      body += number_cell(found == rows.end() ? "&ndash;" : cell_of(*found));
    }
    body += "</tr>\n";
  }
  return html_table(table_head({"k"}, number_heads(heads)), body);
}

/// A landmark's set size under each method, and what is special to CAOS.
std::string landmark_cells(const ResultList& methods, std::size_t t) {
  std::string sizes;
  std::string of_caos;
  for (const ExperimentResult* result : methods) {
    sizes += number_cell(size_text(result->mean_set_size.of_landmark(t)));
    if (result->method != Method::caos) continue;
    of_caos = number_cell(share_text(result->coverage.of_landmark(t))) +
              number_cell(std::to_string(result->n[t])) +
              number_cell(share_text(result->smallest_feasible_alpha[t]));
  }
  return sizes + of_caos;
}

}  // namespace

std::string methods(const ResultList& results) {
  std::vector<NamedRow> rows;
  for (const ExperimentResult* result : results) {
    rows.push_back(row_of(*result, method_label(result->method)));
    rows.back().paper = paper_landmark_figure(method_name(result->method), result->alpha.text());
  }
  return table_of(rows);
}

std::string k_ablation(const std::vector<ExperimentResult>& results) {
  std::vector<std::string> heads;
  for (const Miscoverage& alpha : distinct(results, &ExperimentResult::alpha)) {
    heads.push_back("alpha = " + alpha.text());
  }
  return k_table(results, &ExperimentResult::alpha, heads, [](const ExperimentResult& result) {
    return fmt::format("{}<small>covers {}</small>",
                       measured(mean_of(result.mean_set_size), size_text),
                       share_text(result.coverage.mean()));
  });
}

std::string k_strata(const std::vector<StratumResult>& results) {
  const auto strata = distinct(results, &StratumResult::stratum);
  return k_table(results, &StratumResult::stratum, strata, [](const StratumResult& result) {
    return measured(mean_of(result.mean_set_size), size_text);
  });
}

std::string simultaneous(const LandmarkExperiment& experiment) {
  std::vector<NamedRow> rows;
  for (const SimultaneousExperiment& result : experiment.simultaneous) {
    rows.push_back({.name = "simultaneous sets",
                    .alpha = result.alpha,
                    .guarantee = result.guarantee,
                    .coverage = mean_with_error(result.coverage),
                    .mean_set_size = mean_with_error(result.mean_set_size)});
    const ExperimentResult* caos = find_result(experiment.methods, Method::caos, result.alpha);
    if (caos == nullptr) continue;
    rows.push_back(row_of(*caos, "separate sets (CAOS)"));
    rows.back().coverage = {mean_with_error(result.covered_separately).mean, std::nullopt};
    rows.back().guarantee = {
        Guarantee::Kind::none,
        "each contains its own landmark with probability 1 - alpha, not all at once"};
  }
  return table_of(rows);
}

std::string beyond(const LandmarkResults& results) {
  const ResultList of_scores = score_results(results);
  std::vector<NamedRow> rows;
  for (const auto* result : of_scores) {
    rows.push_back(row_of(*result, score_text(*result)));
  }
  std::string body;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const NamedRow& row = rows[r];
    const Scale scale = scale_at(rows, row.alpha);
    if (r == 0 || row.alpha != rows[r - 1].alpha) body += alpha_row(row.alpha, scale, 1);
    const bool own = has_own_parameter(results, of_scores[r]->score);
    body +=
        fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td>{}{}</tr>\n", escaped(row.name),
                    own ? "if given so" : "yes", result_cells(row, scale, false),
                    number_cell(number_text(ratio_to_cosine(results, *of_scores[r]), size_text)));
  }
  return html_table(
      table_head({"score", "fixed in advance"}, result_heads + number_heads({"size / cosine's"})),
      body);
}

std::string landmarks(const LandmarkResults& results) {
  const std::vector<std::string> strata = strata_of(results);
  const ResultList methods = at_first_alpha(results).methods;
  const std::size_t count = results.experiment.landmarks.size();
  std::vector<std::string> heads;
  for (const auto* result : methods) heads.push_back(method_label(result->method));
  heads.insert(heads.end(), {"CAOS covers", "n", "smallest alpha"});
  std::string body;
  for (std::size_t t = 0; t < count; ++t) {
    body += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td>{}</tr>\n",
                        escaped(results.landmark(t)), strata.empty() ? "" : strata[t],
                        landmark_cells(methods, t));
  }
  return fmt::format("<details><summary>All {} landmarks as a table</summary>\n{}</details>\n",
                     count,
                     html_table(table_head({"landmark", "stratum"}, number_heads(heads)), body));
}

}  // namespace caos::cli::landmark_tables
