#include "apps/cli/points/point_error_csv.hpp"

#include <string>

#include "caos/landmarks/points/point_error_text.hpp"

namespace caos::cli {
namespace {

/// The figure, its standard error, and the smallest and largest of a split; empty where absent.
void add_figure(CsvLine& line, const std::string& name, const PointFigure* figure) {
  const bool has_splits = figure != nullptr && figure->by_split.size() > 1;
  const auto number = [](bool known, const auto& value) {
    return known ? csv_number(value()) : std::string();
  };
  line.emplace_back(name, number(figure != nullptr, [&] { return std::optional(figure->value); }));
  line.emplace_back(name + "_sem",
                    number(figure != nullptr, [&] { return figure->standard_error; }));
  line.emplace_back(name + "_smallest_split",
                    number(has_splits, [&] { return std::optional(figure->smallest()); }));
  line.emplace_back(name + "_largest_split",
                    number(has_splits, [&] { return std::optional(figure->largest()); }));
}

void add_distances(CsvLine& line, const std::optional<PointDistances>& errors) {
  line.emplace_back("points", errors ? std::to_string(errors->num_points) : "0");
  add_figure(line, "median", errors ? &errors->median : nullptr);
  add_figure(line, "mean", errors ? &errors->mean : nullptr);
  add_figure(line, "q90", errors ? &errors->q90 : nullptr);
}

void add_lines(std::vector<CsvLine>& lines, const PointSummary& summary, PointSource source,
               const std::string& landmark, const PointErrors& errors) {
  for (std::size_t u = 0; u < summary.units.size(); ++u) {
    CsvLine& line = lines.emplace_back();
    line.emplace_back("source", std::string(point_source_key(source)));
    line.emplace_back("landmark", landmark);
    line.emplace_back("unit", unit_text(summary, u));
    add_distances(line, errors.distances[u]);
    for (std::size_t i = 0; i < summary.tolerances.size(); ++i) {
      const bool shown = u == 0 && errors.within[i].has_value();
      add_figure(line, "within " + summary.tolerances[i],
                 shown ? &errors.within[i]->share : nullptr);
    }
  }
}

}  // namespace

std::vector<CsvLine> point_error_lines(const PointSummary& summary) {
  std::vector<CsvLine> lines;
  for (const SourceErrors& source : summary.sources) {
    add_lines(lines, summary, source.source, "", source.all);
  }
  for (std::size_t t = 0; t < summary.landmarks.size(); ++t) {
    for (const SourceErrors& source : summary.sources) {
      add_lines(lines, summary, source.source, summary.landmarks[t], source.landmarks[t]);
    }
  }
  return lines;
}

}  // namespace caos::cli
