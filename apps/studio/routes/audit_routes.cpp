#include <fmt/format.h>

#include "apps/studio/routes/api.hpp"
#include "apps/studio/routes/studio_json.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

using http::Answer;
using http::Body;
using http::Request;

Json text_or_nothing(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

std::string state_of(const Audit& audit) {
  if (!audit.discarded_at.empty()) return "discarded";
  return audit.finished_at.empty() ? "open" : "finished";
}

Json to_json(const AuditFinding& finding) {
  return {{"landmark", text_or_nothing(finding.landmark)},
          {"misses", finding.misses},
          {"absent", finding.absent},
          {"remaining_hits", finding.remaining_hits},
          {"share", finding.share},
          {"percent", finding.percent},
          {"statement", finding.statement},
          {"missed", finding.missed}};
}

Json findings(const AuditReport& report) {
  if (report.audit.finished_at.empty()) return nullptr;
  Json landmarks = Json::array();
  for (const AuditFinding& finding : report.landmarks) landmarks.push_back(to_json(finding));
  return {{"images", to_json(report.images)}, {"landmarks", std::move(landmarks)}};
}

Json to_json(const AuditReport& report) {
  const Audit& audit = report.audit;
  return {{"state", state_of(audit)},
          {"size", audit.size},
          {"num_labeled", report.num_labeled},
          {"begun_before", report.begun_before},
          {"population", audit.population},
          {"unit", audit.by_subject ? "subject" : "image"},
          {"alpha", audit.alpha},
          {"simultaneous", audit.simultaneous},
          {"begun_at", audit.begun_at},
          {"finished_at", text_or_nothing(audit.finished_at)},
          {"discarded_at", text_or_nothing(audit.discarded_at)},
          {"why_void", report.why_void},
          {"assumption", report.assumption},
          {"findings", findings(report)}};
}

Json to_json(const AuditOffer& offer) {
  return {{"size", offer.size}, {"percents", offer.percents}};
}

Json to_json(const Audits& all) {
  Json audits = Json::array();
  for (const AuditReport& report : all.audits) audits.push_back(to_json(report));
  Json offers = Json::array();
  for (const AuditOffer& offer : all.offers) offers.push_back(to_json(offer));
  return {{"confidence", all.confidence},  {"population", all.limits.population},
          {"largest", all.limits.largest}, {"why_none", all.limits.why_none},
          {"offers", std::move(offers)},   {"audits", std::move(audits)}};
}

Answer show_audits(const Api& api, const Request& request) {
  check_query(request, {"together", "size"});
  AuditQuestion question{.together = query_flag(request, "together", false)};
  if (const auto size = query_whole(request, "size")) {
    require(*size >= 1, ErrorKind::invalid_input, "size: an audit has at least one image");
    question.size = static_cast<std::size_t>(*size);
  }
  return answer_of(to_json(api.workbench.audits(id_in(request, "p"), question)));
}

/// Which images may be seen has changed.
Answer shown_to_all(const Api& api, Id project, int status = 200) {
  api.changed({.kind = Event::Kind::project, .project = project});
  return answer_of(to_json(api.workbench.audits(project)), status);
}

Answer begin(const Api& api, const Request& request) {
  check_query(request, {});
  const Id project = id_in(request, "p");
  const Json body = parse_body(request);
  Reader reader(body);
  const std::size_t size = reader.count("size", 1);
  reader.finish();
  api.workbench.begin_audit(project, size);
  return shown_to_all(api, project, 201);
}

Answer finish(const Api& api, const Request& request) {
  check_query(request, {});
  const Id project = id_in(request, "p");
  api.workbench.finish_audit(project);
  return shown_to_all(api, project);
}

Answer discard(const Api& api, const Request& request) {
  check_query(request, {});
  const Id project = id_in(request, "p");
  static_cast<void>(api.store.discard_audit(project));
  return shown_to_all(api, project);
}

}  // namespace

std::vector<http::Route> audit_routes(const Api& api) {
  return {
      {"GET", "/v1/projects/{p}/audit", Body::none,
       [&api](const Request& r) { return show_audits(api, r); }},
      {"POST", "/v1/projects/{p}/audit", Body::json,
       [&api](const Request& r) { return begin(api, r); }},
      {"POST", "/v1/projects/{p}/audit/finish", Body::none,
       [&api](const Request& r) { return finish(api, r); }},
      {"DELETE", "/v1/projects/{p}/audit", Body::none,
       [&api](const Request& r) { return discard(api, r); }},
  };
}

}  // namespace caos::studio
