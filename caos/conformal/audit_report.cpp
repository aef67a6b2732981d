#include "caos/conformal/audit_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caos/error.hpp"

namespace caos {
namespace {

/// The outcome of a unit for all of its landmarks: missed if one is, absent if all are.
AuditOutcome of_all(std::span<const AuditOutcome> outcomes) {
  const auto any = [&](AuditOutcome outcome) {
    return std::ranges::find(outcomes, outcome) != outcomes.end();
  };
  if (any(AuditOutcome::missed)) return AuditOutcome::missed;
  return any(AuditOutcome::contained) ? AuditOutcome::contained : AuditOutcome::absent;
}

AuditFinding finding_of(std::optional<std::string> landmark,
                        const std::vector<AuditOutcome>& outcomes, std::optional<std::size_t> pool,
                        const AuditReportOptions& options, std::size_t statements) {
  std::vector<std::size_t> missed;
  std::size_t absent = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i] == AuditOutcome::missed) missed.push_back(i);
    if (outcomes[i] == AuditOutcome::absent) ++absent;
  }
  const std::size_t hits = outcomes.size() - missed.size();
  const AuditBound bound =
      audit_bound({hits, outcomes.size(), pool}, options.confidence, statements);
  std::string statement =
      audit_statement(bound, options.confidence, landmark, options.unit, options.absence);
  return {std::move(landmark), absent, std::move(missed), bound, std::move(statement)};
}

std::string text_of(const AuditFinding& finding) {
  const std::string absent = finding.absent > 0
                                 ? fmt::format(" ({} counted as without it)", finding.absent)
                                 : std::string();
  return fmt::format("{}: {} of {} hits{}. {}\n", finding.landmark.value_or("whole images"),
                     finding.bound.count.hits, finding.bound.count.audited, absent,
                     finding.statement);
}

}  // namespace

std::size_t num_audit_statements(std::size_t num_landmarks) {
  return num_landmarks > 1 ? num_landmarks + 1 : num_landmarks;
}

AuditReport audit_report(std::span<const std::string> landmarks,
                         MatrixView<const AuditOutcome> outcomes, std::optional<std::size_t> pool,
                         const AuditReportOptions& options) {
  require(!landmarks.empty() && outcomes.cols() == landmarks.size(), ErrorKind::invalid_input, [&] {
    return fmt::format("{} landmarks are named and {} were audited; expected one name for each",
                       landmarks.size(), outcomes.cols());
  });
  const std::size_t statements = options.together ? num_audit_statements(landmarks.size()) : 1;
  AuditReport report{.audited = outcomes.rows(), .pool = pool, .options = options};
  const auto add = [&](std::optional<std::string> landmark, const auto& outcome_of) {
    std::vector<AuditOutcome> column;
    for (std::size_t i = 0; i < outcomes.rows(); ++i) column.push_back(outcome_of(i));
    report.findings.push_back(finding_of(std::move(landmark), column, pool, options, statements));
  };
  for (std::size_t t = 0; t < landmarks.size(); ++t) {
    add(landmarks[t], [&](std::size_t i) { return outcomes(i, t); });
  }
  if (landmarks.size() > 1) {
    add(std::nullopt, [&](std::size_t i) { return of_all(outcomes.row(i)); });
  }
  report.assumption = audit_assumption(report.findings.front().bound, options.unit);
  return report;
}

std::string text_of(const AuditReport& report) {
  std::string text;
  for (const AuditFinding& finding : report.findings) text += text_of(finding);
  const bool several = report.findings.size() > 1;
  if (several && !report.options.together) {
    text += fmt::format("Each statement has {} confidence on its own.\n",
                        report.options.confidence.percent());
  }
  return text + fmt::format("This holds if {}.\n", report.assumption);
}

}  // namespace caos
