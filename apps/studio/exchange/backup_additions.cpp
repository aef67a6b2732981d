#include "apps/studio/exchange/backup_additions.hpp"

#include <string>

#include "caos/error.hpp"

namespace caos::studio {
namespace {

using landmarks::Json;
using landmarks::JsonView;

std::size_t number_at(const JsonView& view, const char* key) {
  return whole<std::size_t>(view.at(key));
}

AcceptedLandmark accepted_landmark_in(const JsonView& view) {
  return {.name = view.at("name").text(),
          .num_wrong = number_at(view, "num_wrong"),
          .num_accepted = number_at(view, "num_accepted")};
}

/// What a name cannot be is refused with its place.
template <typename Parse>
auto parsed(const JsonView& view, Parse parse) {
  try {
    return parse(view.text());
  } catch (const Error& error) {
    view.refuse(error.what());
  }
}

std::vector<Id> landmarks_in(const JsonView& view) {
  std::vector<Id> landmarks;
  for (const JsonView& item : view.items()) landmarks.push_back(whole<Id>(item));
  return landmarks;
}

}  // namespace

Json acceptance_json(const Acceptance& acceptance) {
  Json landmarks = Json::array();
  for (const AcceptedLandmark& landmark : acceptance.landmarks) {
    landmarks.push_back({{"name", landmark.name},
                         {"num_wrong", landmark.num_wrong},
                         {"num_accepted", landmark.num_accepted}});
  }
  return {{"tolerance", acceptance.tolerance},
          {"q", acceptance.q},
          {"unit", name_of(acceptance.unit)},
          {"num_references", acceptance.num_references},
          {"num_calibration", acceptance.num_calibration},
          {"labels", acceptance.labels},
          {"num_candidates", acceptance.num_candidates},
          {"by_subject", acceptance.by_subject},
          {"has_late_images", acceptance.has_late_images},
          {"results_seen", acceptance.results_seen},
          {"reviewed_before", acceptance.reviewed_before},
          {"retuned", acceptance.retuned},
          {"planned_at", acceptance.planned_at},
          {"decided_at", acceptance.decided_at},
          {"reviewed_since", acceptance.reviewed_since},
          {"labels_changed", acceptance.labels_changed},
          {"candidates_changed", acceptance.candidates_changed},
          {"num_failed", acceptance.num_failed},
          {"num_images_accepted", acceptance.num_images_accepted},
          {"landmarks", std::move(landmarks)},
          {"left_out", acceptance.left_out},
          {"accepted_at", acceptance.accepted_at},
          {"accepted_by", acceptance.accepted_by},
          {"discarded_at", acceptance.discarded_at}};
}

Acceptance acceptance_in(const JsonView& view) {
  Acceptance acceptance{.tolerance = view.at("tolerance").text(),
                        .q = view.at("q").text(),
                        .unit = parsed(view.at("unit"), parse_unit),
                        .num_references = number_at(view, "num_references"),
                        .num_calibration = number_at(view, "num_calibration"),
                        .labels = view.at("labels").text(),
                        .num_candidates = number_at(view, "num_candidates"),
                        .by_subject = view.at("by_subject").truth(),
                        .has_late_images = view.at("has_late_images").truth(),
                        .results_seen = view.at("results_seen").truth(),
                        .reviewed_before = number_at(view, "reviewed_before"),
                        .retuned = view.at("retuned").truth(),
                        .planned_at = view.at("planned_at").text(),
                        .decided_at = view.at("decided_at").text(),
                        .reviewed_since = number_at(view, "reviewed_since"),
                        .labels_changed = view.at("labels_changed").truth(),
                        .candidates_changed = view.at("candidates_changed").truth(),
                        .num_failed = number_at(view, "num_failed"),
                        .num_images_accepted = number_at(view, "num_images_accepted")};
  for (const JsonView& item : view.at("landmarks").items()) {
    acceptance.landmarks.push_back(accepted_landmark_in(item));
  }
  for (const JsonView& item : view.at("left_out").items()) {
    acceptance.left_out.push_back(item.text());
  }
  acceptance.accepted_at = view.at("accepted_at").text();
  acceptance.accepted_by = view.at("accepted_by").text();
  acceptance.discarded_at = view.at("discarded_at").text();
  return acceptance;
}

Json measures_json(const Measures& measures) {
  Json list = Json::array();
  for (const Measure& measure : measures.measures) {
    list.push_back({{"name", measure.name},
                    {"kind", name_of(measure.kind)},
                    {"landmarks", measure.landmarks}});
  }
  Json skeleton = Json::array();
  for (const auto& [from, to] : measures.skeleton) skeleton.push_back({from, to});
  return {{"revision", measures.revision},
          {"measures", std::move(list)},
          {"skeleton", std::move(skeleton)}};
}

Measures measures_in(const JsonView& view) {
  Measures measures{.revision = whole<std::int64_t>(view.at("revision"))};
  for (const JsonView& item : view.at("measures").items()) {
    measures.measures.push_back({.name = item.at("name").text(),
                                 .kind = parsed(item.at("kind"), parse_measure_kind),
                                 .landmarks = landmarks_in(item.at("landmarks"))});
  }
  for (const JsonView& item : view.at("skeleton").items()) {
    const std::vector<Id> ends = landmarks_in(item);
    if (ends.size() != 2) item.refuse("not a pair of landmarks");
    measures.skeleton.emplace_back(ends[0], ends[1]);
  }
  return measures;
}

}  // namespace caos::studio
