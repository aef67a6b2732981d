#include "apps/cli/audit/audit_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace caos::cli {
namespace {

Json or_null(const std::optional<std::size_t>& count) {
  return count ? Json(*count) : Json(nullptr);
}

std::vector<std::string> missed_images(const AuditFinding& finding, const AuditPlan& plan) {
  std::vector<std::string> images;
  for (const std::size_t i : finding.missed) images.push_back(plan.units[i].image);
  return images;
}

Json finding_json(const AuditFinding& finding, const AuditPlan& plan) {
  Json json = {{"landmark", finding.landmark ? Json(*finding.landmark) : Json(nullptr)}};
  json.update(bound_json(finding.bound));
  json["absent"] = finding.absent;
  json["missed"] = missed_images(finding, plan);
  json["statement"] = finding.statement;
  return json;
}

std::string missed_text(const AuditFinding& finding, const AuditPlan& plan) {
  if (!finding.landmark || finding.missed.empty()) return "";
  return fmt::format("{} lies outside its region in {}.\n", *finding.landmark,
                     fmt::join(missed_images(finding, plan), ", "));
}

}  // namespace

Json bound_json(const AuditBound& bound) {
  return {{"hits", bound.count.hits},
          {"audited", bound.count.audited},
          {"pool", or_null(bound.count.pool)},
          {"remaining", or_null(bound.remaining)},
          {"remaining_hits_at_least", or_null(bound.remaining_hits)},
          {"share_at_least", bound.share},
          {"statements", bound.statements}};
}

Json to_json(const AuditReport& report, const AuditPlan& plan) {
  Json findings = Json::array();
  for (const AuditFinding& finding : report.findings) {
    findings.push_back(finding_json(finding, plan));
  }
  return {{"regions", plan.regions.path},
          {"unit", plan.subjects ? "subject" : "image"},
          {"audited", report.audited},
          {"pool", or_null(report.pool)},
          {"confidence", report.options.confidence.value()},
          {"together", report.options.together},
          {"assumption", report.assumption},
          {"findings", std::move(findings)}};
}

std::string to_text(const AuditReport& report, const AuditPlan& plan) {
  std::string text = text_of(report);
  for (const AuditFinding& finding : report.findings) text += missed_text(finding, plan);
  return text;
}

}  // namespace caos::cli
