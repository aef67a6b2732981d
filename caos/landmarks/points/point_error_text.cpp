#include "caos/landmarks/points/point_error_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "caos/evaluation/table.hpp"

namespace caos {
namespace {

/// A figure with its standard error, or with the smallest and the largest of the splits.
std::string figure_text(const PointFigure& figure) {
  const std::string value = point_error_text(figure.value);
  if (figure.standard_error) {
    return fmt::format("{} ± {:.2g}", value, *figure.standard_error);
  }
  if (figure.by_split.size() < 2) return value;
  return fmt::format("{} ({} to {})", value, point_error_text(figure.smallest()),
                     point_error_text(figure.largest()));
}

std::string share_text(const std::optional<PointShare>& share) {
  return share ? fmt::format("{:.3f}", share->share.value) : "-";
}

std::string distance_table(const PointSummary& summary) {
  Table table({"error of the point", "median", "mean", "90 %"});
  for (std::size_t u = 0; u < summary.units.size(); ++u) {
    for (const SourceErrors& source : summary.sources) {
      const std::string name =
          fmt::format("{}, {}", point_source_name(source.source), unit_text(summary, u));
      const auto& errors = source.all.distances[u];
      table.add(errors
                    ? std::vector<std::string>{name, figure_text(errors->median),
                                               figure_text(errors->mean), figure_text(errors->q90)}
                    : std::vector<std::string>{name, "-", "-", "-"});
    }
  }
  return table.text();
}

std::string share_table(const PointSummary& summary) {
  if (summary.tolerances.empty()) return "";
  std::vector<std::string> head{"share within"};
  head.insert(head.end(), summary.tolerances.begin(), summary.tolerances.end());
  Table table(head);
  for (const SourceErrors& source : summary.sources) {
    std::vector<std::string> row{std::string(point_source_name(source.source))};
    for (const auto& share : source.all.within) row.push_back(share_text(share));
    table.add(std::move(row));
  }
  return "\n" + table.text();
}

/// The landmarks that are shown, those with the largest median first.
Indices shown_landmarks(const PointSummary& summary) {
  constexpr std::size_t most = 12;
  const auto median = [&](std::size_t t) {
    const auto& errors = summary.sources[0].landmarks[t].distances[0];
    return errors ? errors->median.value : -1;
  };
  Indices order(summary.landmarks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), median);
  if (order.size() > most) order.resize(most);
  return order;
}

/// Errors by landmark, in pixels.
std::string landmark_table(const PointSummary& summary) {
  if (summary.landmarks.size() < 2) return "";
  const Indices shown = shown_landmarks(summary);
  const std::string title =
      shown.size() < summary.landmarks.size()
          ? fmt::format("the worst {} of {} landmarks", shown.size(), summary.landmarks.size())
          : "landmark, worst first";
  std::vector<std::string> head{title, "median, px", "mean", "90 %"};
  for (std::size_t s = 1; s < summary.sources.size(); ++s) {
    head.push_back(fmt::format("{}, median", point_source_name(summary.sources[s].source)));
  }
  Table table(head);
  for (const std::size_t t : shown) {
    const PointErrors& own = summary.sources[0].landmarks[t];
    std::vector<std::string> row{summary.landmarks[t]};
    const auto add = [&](const std::optional<PointDistances>& errors, auto figure) {
      row.push_back(errors ? point_error_text(((*errors).*figure).value) : "-");
    };
    add(own.distances[0], &PointDistances::median);
    add(own.distances[0], &PointDistances::mean);
    add(own.distances[0], &PointDistances::q90);
    for (std::size_t s = 1; s < summary.sources.size(); ++s) {
      add(summary.sources[s].landmarks[t].distances[0], &PointDistances::median);
    }
    table.add(std::move(row));
  }
  return "\n" + table.text();
}

bool has_source(const PointSummary& summary, PointSource source) {
  return std::ranges::find(summary.sources, source, &SourceErrors::source) != summary.sources.end();
}

std::string spread_note(const PointSummary& summary) {
  if (summary.num_splits > 1) {
    return fmt::format(
        "Points of {} splits are pooled; in parentheses the smallest and the largest figure of a "
        "split.",
        summary.num_splits);
  }
  return fmt::format("± is the standard error over {} test {}.", summary.num_clusters,
                     summary.by_subject ? "subjects" : "images");
}

void add_left_out(const PointSummary& summary, std::vector<std::string>& notes) {
  for (std::size_t u = 0; u < summary.units.size(); ++u) {
    if (summary.without_unit[u] == 0) continue;
    notes.push_back(fmt::format("{} of {} test images{} {} and are left out of the figures in {}.",
                                summary.without_unit[u], summary.num_images,
                                summary.num_splits > 1 ? " (all splits)" : "",
                                summary.units[u] == PointUnit::millimeters
                                    ? "have no scale"
                                    : fmt::format("lack a landmark of {}", summary.reference),
                                unit_text(summary, u)));
  }
  for (std::size_t i = 0; i < summary.tolerances.size(); ++i) {
    if (summary.without_tolerance[i] == 0) continue;
    notes.push_back(fmt::format(
        "{} of {} test images{} lack what the tolerance {} needs and are left out of it.",
        summary.without_tolerance[i], summary.num_images,
        summary.num_splits > 1 ? " (all splits)" : "", summary.tolerances[i]));
  }
}

}  // namespace

std::string point_error_text(double error) {
  return error >= 99.95 ? fmt::format("{:.0f}", error) : fmt::format("{:#.3g}", error);
}

std::string unit_text(const PointSummary& summary, std::size_t unit) {
  const std::string name(point_unit_name(summary.units[unit]));
  return summary.units[unit] == PointUnit::percent
             ? fmt::format("{} of {}", name, summary.reference)
             : name;
}

std::vector<std::string> point_notes(const PointSummary& summary) {
  std::vector<std::string> notes{
      "A proposed point carries no guarantee; pixels are those of the original images."};
  notes.push_back(spread_note(summary));
  if (summary.over_subjects) {
    notes.emplace_back("Each of a subject's m test images weighs 1/m, in quantiles too.");
  }
  if (has_source(summary, PointSource::nearest_image)) {
    notes.emplace_back(
        "Nearest image: the point of the labeled image with the most similar 32 x 32 thumbnail.");
  }
  notes.emplace_back("Mean position: the mean of the labeled positions.");
  add_left_out(summary, notes);
  return notes;
}

std::string text_of(const PointSummary& summary) {
  if (summary.sources.empty()) return "";
  std::string text =
      distance_table(summary) + share_table(summary) + landmark_table(summary) + "\n";
  for (const std::string& note : point_notes(summary)) text += note + "\n";
  return text;
}

}  // namespace caos
