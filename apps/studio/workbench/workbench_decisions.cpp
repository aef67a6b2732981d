// Audits, and proposals that are accepted without review.
#include <string>
#include <utility>
#include <vector>

#include "apps/studio/workbench/workbench.hpp"
#include "apps/studio/workbench/workbench_impl.hpp"
#include "caos/error.hpp"

namespace caos::studio {

Audits Workbench::audits(Id project, const AuditQuestion& question) {
  return impl_->on(project, [&](Desk& desk) {
    Audits all{.limits = impl_->store.audit_limits(project),
               .confidence = std::string(default_confidence)};
    all.offers = offers_for(all.limits, question.size);
    for (const Audit& audit : impl_->store.audits(project)) {
      AuditReport report = report_of(audit, {.together = question.together,
                                             .begun_before = all.audits.size(),
                                             .num_removed = desk.num_removed(audit),
                                             .integrity = desk.view().project().integrity});
      report.num_labeled = desk.num_labeled(audit);
      report.why_void = desk.why_void(audit);
      all.audits.push_back(std::move(report));
    }
    return all;
  });
}

void Workbench::begin_audit(Id project, std::size_t size) {
  impl_->on(project, [&](Desk& desk) {
    desk.require_regions_to_audit();
    return impl_->store.begin_audit(project, size, desk.view().alpha().text(), desk.fingerprint());
  });
  changed(project);
}

void Workbench::finish_audit(Id project) {
  impl_->on(project, [&](Desk& desk) {
    const std::vector<Audit> audits = impl_->store.audits(project);
    require(!audits.empty() && audits.back().is_open(), ErrorKind::invalid_input,
            "no audit is open in this project; begin one first");
    const std::string why_void = desk.why_void(audits.back());
    require(why_void.empty(), ErrorKind::invalid_input, [&] { return why_void; });
    return impl_->store.finish_audit(project, desk.fingerprint(),
                                     desk.audit_outcome(audits.back()));
  });
  changed(project);
}

AcceptanceReport Workbench::acceptance(Id project) {
  return impl_->on(project, [](Desk& desk) { return desk.acceptance(); });
}

void Workbench::plan_acceptance(Id project, const std::string& tolerance, const std::string& q,
                                Acceptance::Unit unit, std::optional<std::size_t> references) {
  impl_->on(project, [&](Desk& desk) {
    return impl_->store.plan_acceptance(project,
                                        desk.acceptance_request(tolerance, q, unit, references));
  });
}

void Workbench::decide_acceptance(Id project) {
  const AcceptanceJob job = impl_->on(project, [&](Desk& desk) {
    const std::vector<Acceptance> plans = impl_->store.acceptances(project);
    require(!plans.empty() && plans.back().is_open() && !plans.back().is_decided(),
            ErrorKind::invalid_input, "no plan to accept without review waits for its decision");
    return desk.acceptance_job(plans.back());
  });
  std::size_t told = 0;
  const AcceptanceDecision decision = job.run([&](std::size_t done) {
    constexpr std::size_t between = 50;
    if (done - told < between && done < job.files.size()) return;
    told = done;
    impl_->tell({.kind = Event::Kind::acceptance,
                 .project = project,
                 .done = done,
                 .total = job.files.size()});
  });
  impl_->store.decide_acceptance(project, decision);
  changed(project);
}

}  // namespace caos::studio
