#include "apps/cli/scores/evaluation_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/pages/html.hpp"
#include "apps/cli/pages/html_table.hpp"

namespace caos::cli {
namespace {

constexpr const char* page_head = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>caos: evaluation</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; color: #1d2430; max-width: 1080px; margin: 2rem auto;
         padding: 0 1rem; }
  h1 { font-size: 1.5rem; margin-bottom: .2rem; }
  h2 { font-size: 1.1rem; margin: 2rem 0 .4rem; }
  table { border-collapse: collapse; width: 100%; }
  th { text-align: left; font-weight: 600; border-bottom: 2px solid #c9d1dc; padding: .3rem .6rem; }
  td { border-bottom: 1px solid #e6eaf0; padding: .3rem .6rem; white-space: nowrap; }
  th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
  tr.none td { color: #8a93a0; }
  .lead, .notes { color: #4a5464; max-width: 46rem; }
  svg { display: block; }
</style>
</head>
<body>
)";

std::string coverage_cell(const MethodResult& result, double lowest) {
  const Evaluation& e = result.evaluation;
  const Interval interval = e.coverage_interval.value_or(Interval{e.coverage, e.coverage});
  return coverage_plot({.share = e.coverage,
                        .low = interval.low,
                        .high = interval.high,
                        .target = 1 - result.alpha.value(),
                        .axis_begin = lowest,
                        .color = color_of(result.guarantee)});
}

/// Where the coverage axis begins, and the largest mean set size: the same for every table.
struct Scale {
  double lowest_coverage = 1;
  double largest_size = 0;
};

Scale scale_of(const EvaluationReport& output) {
  Scale scale;
  for (const MethodResult& result : output.results) {
    const Evaluation& e = result.evaluation;
    const double low = e.coverage_interval ? e.coverage_interval->low : e.coverage;
    scale.lowest_coverage = std::min({scale.lowest_coverage, low, 1 - result.alpha.value()});
    scale.largest_size = std::max(scale.largest_size, e.mean_set_size);
  }
  scale.lowest_coverage = coverage_axis_begin(scale.lowest_coverage);
  return scale;
}

std::string row(const MethodResult& result, const Scale& scale) {
  return fmt::format(
      "<tr class=\"{}\"><td>{}</td><td>{}</td><td class=\"number\">{}</td><td>{}</td>"
      "<td class=\"number\">{:.3f}</td><td>{}</td></tr>\n",
      has_guarantee(result.guarantee) ? "" : "none", method_name(result.method),
      has_guarantee(result.guarantee) ? result.guarantee.text() : "none",
      coverage_text(result.evaluation), coverage_cell(result, scale.lowest_coverage),
      result.evaluation.mean_set_size,
      size_plot(result.evaluation.mean_set_size, scale.largest_size, color_of(result.guarantee)));
}

std::string table_at(const EvaluationReport& output, const Miscoverage& alpha, const Scale& scale) {
  std::string text = fmt::format(
      "<h2>alpha = {}</h2>\n<table>\n<tr><th>method</th><th>guarantee</th><th>coverage [95 %]</th>"
      "<th>dashed: {:.4g}; axis from {:.2f} to 1</th><th class=\"number\">mean set size</th>"
      "<th></th></tr>\n",
      alpha.text(), 1 - alpha.value(), scale.lowest_coverage);
  for (const MethodResult& result : output.results) {
    if (result.alpha == alpha) text += row(result, scale);
  }
  return text + "</table>\n";
}

}  // namespace

std::string evaluation_page(const EvaluationReport& output) {
  std::string page = page_head;
  page += fmt::format(
      "<h1>Prediction sets with a guarantee</h1>\n"
      "<p class=\"lead\">{}. A good method covers the truth at the dashed line or above it, with "
      "small sets. The guarantee is an average over draws of the labeled examples: with these ones "
      "a method can lie below the line. The interval reflects the randomness of the test examples "
      "only.</p>\n",
      title(output));
  const Scale scale = scale_of(output);
  for (const Miscoverage& alpha : distinct(output.results, &MethodResult::alpha)) {
    page += table_at(output, alpha, scale);
  }
  page += "<h2>What is guaranteed</h2>\n<ul class=\"notes\">\n";
  for (const std::string& line : guarantee_lines(output)) {
    page += fmt::format("<li>{}</li>\n", escaped(line));
  }
  return page + "</ul>\n</body>\n</html>\n";
}

}  // namespace caos::cli
