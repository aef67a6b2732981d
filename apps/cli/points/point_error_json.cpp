#include "apps/cli/points/point_error_json.hpp"

#include "apps/cli/experiments/experiment_json.hpp"
#include "caos/landmarks/points/point_error_text.hpp"

namespace caos::cli {
namespace {

using predictions::Json;

/// Splits are told apart where there are several.
Json figure_json(const PointFigure& figure) {
  Json json = {{"value", figure.value}};
  if (figure.standard_error) json["standard_error"] = *figure.standard_error;
  if (figure.by_split.size() > 1) json["by_split"] = figure.by_split;
  return json;
}

Json value_json(const PointFigure& figure) { return figure.value; }

template <typename ToJson>
Json distances_json(const std::optional<PointDistances>& errors, ToJson to_json) {
  if (!errors) return nullptr;
  return {{"points", errors->num_points},
          {"median", to_json(errors->median)},
          {"mean", to_json(errors->mean)},
          {"q90", to_json(errors->q90)}};
}

/// One object per unit, and shares in the order of the tolerances.
template <typename ToJson>
void add_errors(Json& json, const PointSummary& summary, const PointErrors& errors,
                ToJson to_json) {
  for (std::size_t u = 0; u < summary.units.size(); ++u) {
    json[std::string(point_unit_name(summary.units[u]))] =
        distances_json(errors.distances[u], to_json);
  }
  json["within"] = Json::array();
  for (const std::optional<PointShare>& share : errors.within) {
    json["within"].push_back(share ? to_json(share->share) : Json(nullptr));
  }
}

Json source_json(const PointSummary& summary, const SourceErrors& source) {
  Json json = {{"source", point_source_key(source.source)}};
  add_errors(json, summary, source.all, figure_json);
  json["percentiles_px"] = source.percentiles;
  json["landmarks"] = Json::array();
  for (std::size_t t = 0; t < summary.landmarks.size(); ++t) {
    Json landmark = {{"landmark", summary.landmarks[t]}};
    add_errors(landmark, summary, source.landmarks[t], value_json);
    json["landmarks"].push_back(std::move(landmark));
  }
  return json;
}

Json units_json(const PointSummary& summary) {
  Json json = Json::array();
  for (std::size_t u = 0; u < summary.units.size(); ++u) {
    json.push_back({{"unit", point_unit_name(summary.units[u])},
                    {"text", unit_text(summary, u)},
                    {"images_left_out", summary.without_unit[u]}});
  }
  return json;
}

Json tolerances_json(const PointSummary& summary) {
  Json json = Json::array();
  for (std::size_t i = 0; i < summary.tolerances.size(); ++i) {
    json.push_back(
        {{"tolerance", summary.tolerances[i]}, {"images_left_out", summary.without_tolerance[i]}});
  }
  return json;
}

}  // namespace

Json to_json(const PointSummary& summary) {
  return {{"guarantee", "none"},
          {"splits", summary.num_splits},
          {"images", summary.num_images},
          {"average_over", summary.over_subjects ? "subjects" : "images"},
          {"error_over", summary.by_subject ? "subjects" : "images"},
          {"error_over_count", summary.num_clusters},
          {"units", units_json(summary)},
          {"tolerances", tolerances_json(summary)},
          {"sources",
           rows_json(summary.sources,
                     [&](const SourceErrors& source) { return source_json(summary, source); })},
          {"notes", point_notes(summary)}};
}

}  // namespace caos::cli
