#include "apps/cli/points/point_error_html.hpp"

#include <fmt/format.h>

#include "apps/cli/pages/html.hpp"
#include "apps/cli/pages/html_table.hpp"
#include "caos/landmarks/points/point_error_text.hpp"

namespace caos::cli {
namespace {

constexpr const char* none = "&ndash;";

/// A figure with its standard error, or in small the smallest and the largest of a split.
std::string figure_cell(const PointFigure& figure, NumberFormat format) {
  const std::string spread = figure.by_split.size() < 2
                                 ? ""
                                 : fmt::format("<small>{} to {}</small>", format(figure.smallest()),
                                               format(figure.largest()));
  return number_cell(with_error(figure.value, figure.standard_error, format) + spread);
}

std::string share_cell(const std::optional<PointShare>& share) {
  return share ? figure_cell(share->share, share_text) : number_cell(none);
}

std::string distance_cells(const std::optional<PointDistances>& errors) {
  if (!errors) return number_cell(none) + number_cell(none) + number_cell(none);
  return figure_cell(errors->median, point_error_text) +
         figure_cell(errors->mean, point_error_text) + figure_cell(errors->q90, point_error_text);
}

std::string value_cells(const std::optional<PointDistances>& errors) {
  if (!errors) return number_cell(none) + number_cell(none) + number_cell(none);
  return number_cell(point_error_text(errors->median.value)) +
         number_cell(point_error_text(errors->mean.value)) +
         number_cell(point_error_text(errors->q90.value));
}

std::vector<std::string> tolerance_heads(const PointSummary& summary) {
  std::vector<std::string> heads;
  for (const std::string& tolerance : summary.tolerances) {
    heads.push_back("within " + escaped(tolerance));
  }
  return heads;
}

std::string row_of(const PointSummary& summary, const SourceErrors& source, std::size_t unit) {
  std::string row = fmt::format("<tr{}><th scope=\"row\">{}</th><td>{}</td>{}",
                                source.source == PointSource::proposal ? "" : " class=\"none\"",
                                point_source_name(source.source), escaped(unit_text(summary, unit)),
                                distance_cells(source.all.distances[unit]));
  for (const std::optional<PointShare>& share : source.all.within) {
    row += unit == 0 ? share_cell(share) : number_cell("");
  }
  return row + "</tr>\n";
}

}  // namespace

std::string point_error_table(const PointSummary& summary) {
  std::vector<std::string> heads{"median", "mean", "90 %"};
  const std::vector<std::string> tolerances = tolerance_heads(summary);
  heads.insert(heads.end(), tolerances.begin(), tolerances.end());
  std::string body;
  for (std::size_t u = 0; u < summary.units.size(); ++u) {
    for (const SourceErrors& source : summary.sources) body += row_of(summary, source, u);
  }
  return html_table(table_head({"point", "error in"}, number_heads(heads)), body);
}

std::string point_landmark_table(const PointSummary& summary) {
  std::vector<std::string> heads{"median, px", "mean", "90 %"};
  const std::vector<std::string> tolerances = tolerance_heads(summary);
  heads.insert(heads.end(), tolerances.begin(), tolerances.end());
  for (std::size_t s = 1; s < summary.sources.size(); ++s) {
    heads.push_back(fmt::format("{}, median", point_source_name(summary.sources[s].source)));
  }
  std::string body;
  for (std::size_t t = 0; t < summary.landmarks.size(); ++t) {
    const PointErrors& own = summary.sources[0].landmarks[t];
    body += fmt::format("<tr><th scope=\"row\">{}</th>{}", escaped(summary.landmarks[t]),
                        value_cells(own.distances[0]));
    for (const std::optional<PointShare>& share : own.within) {
      body += number_cell(share ? share_text(share->share.value) : none);
    }
    for (std::size_t s = 1; s < summary.sources.size(); ++s) {
      const auto& errors = summary.sources[s].landmarks[t].distances[0];
      body += number_cell(errors ? point_error_text(errors->median.value) : none);
    }
    body += "</tr>\n";
  }
  return fmt::format("<details><summary>All {} landmarks as a table</summary>\n{}</details>\n",
                     summary.landmarks.size(),
                     html_table(table_head({"landmark"}, number_heads(heads)), body));
}

}  // namespace caos::cli
