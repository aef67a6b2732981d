#include "apps/studio/workbench/acceptance_statements.hpp"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "apps/studio/store/images/image_files.hpp"
#include "apps/studio/workbench/audit_statements.hpp"
#include "apps/studio/workbench/project_guarantee.hpp"
#include "caos/landmarks/landmark_acceptance.hpp"

namespace caos::studio {
namespace {

/// What stands in the way of a plan.
std::string why_no_plan(const ProjectView& view, const CandidateImages& now) {
  if (std::string why = why_sample_unfit(view); !why.empty()) return why;
  if (!now.why_none.empty()) return now.why_none;
  const std::size_t least = view.project().settings.k + 2;
  if (images_to_divide(view).size() < least) {
    return fmt::format(
        "accepting without review divides the labeled images into those that propose and those that "
        "calibrate, and needs at least {}",
        least);
  }
  return {};
}

/// Why the decision of a plan carries no guarantee; empty: it does.
std::string why_no_guarantee(const ProjectView& view, const Acceptance& plan) {
  if (std::string why = why_sample_unfit(view); !why.empty()) return why;
  if (plan.retuned) {
    return "a plan with another tolerance, error rate or sample was decided before, so that its "
           "result may have chosen this one";
  }
  if (plan.reviewed_before > 0) {
    return fmt::format(
        "{} images were reviewed or imported with points before the candidates were fixed, which "
        "makes the rest a choice",
        plan.reviewed_before);
  }
  const Guarantee guarantee =
      selection::guarantee_of({.candidate_reviewed = plan.reviewed_since > 0,
                               .candidates_changed = plan.candidates_changed,
                               .examples_changed = plan.labels_changed});
  return guarantee.kind == Guarantee::Kind::none ? guarantee.why_none : std::string();
}

/// What is taken on trust besides what every acceptance assumes.
std::vector<std::string> trusted_of(const ProjectView& view, const Acceptance& plan) {
  std::vector<std::string> trusted = trusted_of_sample(view);
  if (view.project().sampling.kind == Sampling::Kind::given) {
    trusted.emplace_back("the labeled images are as good as a random choice");
  }
  if (plan.results_seen) {
    trusted.emplace_back(
        "tolerance and error rate were not chosen by regions or proposals that had been seen");
  }
  if (plan.has_late_images) {
    trusted.emplace_back("images that were added after the draw are like those of the pool");
  }
  if (view.project().sampling.looks.size() > 1) {
    trusted.emplace_back("results did not decide at which planned look labeling stopped");
  }
  return trusted;
}

void add_plan(const ProjectView& view, const Acceptance& plan, AcceptanceReport& report) {
  const auto tolerance = LandmarkTolerance::parse(plan.tolerance);
  const auto q = Miscoverage::parse(plan.q);
  report.acceptance = plan;
  report.no_guarantee = why_no_guarantee(view, plan);
  report.has_guarantee = report.no_guarantee.empty();
  const std::vector<std::string> trusted = trusted_of(view, plan);
  report.by_design = report.has_guarantee && trusted.empty();
  report.claim = plan.unit == Acceptance::Unit::points ? points_claim(tolerance, q)
                                                       : images_claim(tolerance, q, plan.left_out);
  report.assumption = acceptance_assumption({.subjects_known = plan.by_subject});
  for (const std::string& one : trusted) report.assumption += "; " + one;
  report.warning = too_few_to_accept(plan.num_calibration, q).value_or("");
}

}  // namespace

std::vector<Id> images_to_divide(const ProjectView& view) {
  std::vector<Id> images;
  const std::size_t places = view.calibrating_places();
  for (const Id id : view.sample()) {
    const ImageRecord& record = view.image(id).record;
    if (record.complete && *record.order < places) images.push_back(id);
  }
  return images;
}

std::string labels_fingerprint(const ProjectView& view, const std::string& backbone) {
  std::string text = calibration_fingerprint(view, backbone) + "\n";
  for (const Id id : images_to_divide(view)) {
    const ImageRecord& record = view.image(id).record;
    const auto scale = record.scale(view.project().settings);
    text += fmt::format("{} {}\n", record.sha256, scale ? fmt::format("{}", *scale) : "unknown");
  }
  return sha256_of(std::as_bytes(std::span(text)));
}

AcceptanceReport report_of(const ProjectView& view, const std::vector<Acceptance>& plans,
                           const CandidateImages& now) {
  AcceptanceReport report{.why_none = why_no_plan(view, now),
                          .num_labeled = images_to_divide(view).size(),
                          .num_candidates = now.images.size()};
  if (plans.empty()) return report;
  add_plan(view, plans.back(), report);
  if (plans.back().is_open()) {
    report.why_none =
        "a plan to accept without review is open; accept its points or discard it first";
  }
  return report;
}

}  // namespace caos::studio
