#include <fmt/format.h>

#include "apps/studio/routes/api.hpp"
#include "apps/studio/routes/studio_json.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

using http::Answer;
using http::Body;
using http::Request;

std::string state_of_plan(const Acceptance& acceptance) {
  if (!acceptance.discarded_at.empty()) return "discarded";
  if (!acceptance.accepted_at.empty()) return "accepted";
  return acceptance.is_decided() ? "ready" : "planned";
}

Json time_or_null(const std::string& time) { return time.empty() ? Json(nullptr) : Json(time); }

Json landmarks_json(const Api& api, Id project, const Acceptance& acceptance) {
  Json all = Json::array();
  const std::vector<SchemeLandmark> scheme = api.store.scheme(project);
  for (const AcceptedLandmark& landmark : acceptance.landmarks) {
    const auto found = std::ranges::find(scheme, landmark.name, &SchemeLandmark::name);
    all.push_back({{"landmark", found == scheme.end() ? Json(nullptr) : Json(found->id)},
                   {"name", landmark.name},
                   {"candidates", acceptance.num_candidates - acceptance.num_failed},
                   {"accepted", landmark.num_accepted},
                   {"wrong_in_calibration", landmark.num_wrong}});
  }
  return all;
}

void add_acceptance(const Api& api, Id project, const Acceptance& acceptance, Json& json) {
  const std::size_t candidates = acceptance.num_candidates - acceptance.num_failed;
  json["tolerance"] = acceptance.tolerance;
  json["q"] = acceptance.q;
  json["unit"] = name_of(acceptance.unit);
  json["chosen_at"] = acceptance.planned_at;
  json["decided_at"] = time_or_null(acceptance.decided_at);
  json["accepted_at"] = time_or_null(acceptance.accepted_at);
  json["accepted_by"] = time_or_null(acceptance.accepted_by);
  json["num_references"] = acceptance.num_references;
  json["num_calibration"] = acceptance.num_calibration;
  json["num_candidates"] = acceptance.num_candidates;
  json["num_points"] = candidates * acceptance.landmarks.size();
  json["num_accepted"] = acceptance.num_accepted();
  json["num_images_accepted"] = acceptance.num_images_accepted;
  json["landmarks"] = landmarks_json(api, project, acceptance);
  json["left_out"] = acceptance.left_out;
}

Json acceptance_json(const Api& api, Id project, const AcceptanceReport& report) {
  Json json = {{"why_none", report.why_none},
               {"state", report.acceptance ? state_of_plan(*report.acceptance) : "none"},
               {"num_labeled", report.num_labeled},
               {"num_possible", report.num_candidates},
               {"claim", report.claim},
               {"assumption", report.assumption},
               {"warning", report.warning},
               {"guarantee",
                {{"kind", report.has_guarantee ? "FDR" : "none"},
                 {"by_design", report.by_design},
                 {"why_none", report.no_guarantee}}}};
  if (report.acceptance) add_acceptance(api, project, *report.acceptance, json);
  return json;
}

Answer answer_for(const Api& api, Id project, int status = 200) {
  return answer_of(acceptance_json(api, project, api.workbench.acceptance(project)), status);
}

Answer show_acceptance(const Api& api, const Request& request) {
  check_query(request, {});
  return answer_for(api, id_in(request, "p"));
}

/// Tells everyone who looks at the project.
Answer answer_to_all(const Api& api, Id project, int status = 200) {
  api.changed({.kind = Event::Kind::project, .project = project});
  return answer_for(api, project, status);
}

Answer plan_and_decide(const Api& api, const Request& request) {
  check_query(request, {});
  const Id project = id_in(request, "p");
  const Json body = parse_body(request);
  Reader reader(body);
  const std::string tolerance = reader.text("tolerance");
  const std::string q = reader.text("q");
  const Acceptance::Unit unit = parse_unit(reader.text("unit", "points"));
  std::optional<std::size_t> references;
  if (reader.has("references")) references = reader.count("references", 1);
  reader.finish();
  // Fixed on the disk before anything is computed.
  api.workbench.plan_acceptance(project, tolerance, q, unit, references);
  api.workbench.decide_acceptance(project);
  return answer_to_all(api, project, 201);
}

/// Of a plan whose decision was interrupted.
Answer decide_plan(const Api& api, const Request& request) {
  check_query(request, {});
  const Id project = id_in(request, "p");
  api.workbench.decide_acceptance(project);
  return answer_to_all(api, project);
}

Answer accept_points(const Api& api, const Request& request) {
  check_query(request, {});
  const Id project = id_in(request, "p");
  const Json body = parse_body(request);
  Reader reader(body);
  const std::string annotator = reader.text("annotator");
  reader.finish();
  static_cast<void>(api.store.apply_acceptance(project, annotator));
  return answer_to_all(api, project);
}

Answer discard_plan(const Api& api, const Request& request) {
  check_query(request, {});
  const Id project = id_in(request, "p");
  static_cast<void>(api.store.discard_acceptance(project));
  return answer_to_all(api, project);
}

}  // namespace

std::vector<http::Route> acceptance_routes(const Api& api) {
  const std::string acceptance = "/v1/projects/{p}/acceptance";
  return {
      {"GET", acceptance, Body::none, [&api](const Request& r) { return show_acceptance(api, r); }},
      {"POST", acceptance, Body::json,
       [&api](const Request& r) { return plan_and_decide(api, r); }},
      {"POST", acceptance + "/decide", Body::none,
       [&api](const Request& r) { return decide_plan(api, r); }},
      {"POST", acceptance + "/accept", Body::json,
       [&api](const Request& r) { return accept_points(api, r); }},
      {"DELETE", acceptance, Body::none, [&api](const Request& r) { return discard_plan(api, r); }},
  };
}

}  // namespace caos::studio
