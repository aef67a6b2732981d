#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "apps/studio/store/acceptance/acceptance_rows.hpp"
#include "apps/studio/store/checks.hpp"
#include "apps/studio/store/database/clock.hpp"
#include "apps/studio/store/database/rows.hpp"
#include "apps/studio/store/store_impl.hpp"
#include "apps/studio/store/store_limits.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/landmark_tolerance.hpp"
#include "caos/miscoverage.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;

/// The last plan, which alone may be open.
Acceptance open_acceptance(Connection& db, Id project) {
  std::vector<Acceptance> all = acceptances_of(db, project);
  require(
      !all.empty() && all.back().is_open(), ErrorKind::invalid_input,
      "no plan to accept without review is open in this project; choose tolerance and error rate "
      "first");
  return std::move(all.back());
}

/// Whether a result that was seen may have led to this choice.
bool is_retuned(const std::vector<Acceptance>& before, const Acceptance& plan) {
  return std::ranges::any_of(before, [&](const Acceptance& earlier) {
    const bool is_same = earlier.tolerance == plan.tolerance &&
                         Miscoverage::parse(earlier.q) == Miscoverage::parse(plan.q) &&
                         earlier.unit == plan.unit && earlier.labels == plan.labels;
    return earlier.is_decided() && !is_same;
  });
}

void check_request(const AcceptanceRequest& request) {
  check_name(request.tolerance, limits::setting, "the tolerance");
  check_name(request.q, limits::setting, "q");
  static_cast<void>(LandmarkTolerance::parse(request.tolerance));
  static_cast<void>(Miscoverage::parse(request.q));
  require(
      request.num_references >= 1 && request.num_calibration >= 1, ErrorKind::invalid_input,
      "accepting without review divides the labeled images: at least one must propose points and "
      "one must calibrate; label more images");
}

Acceptance plan_of(const AcceptanceRequest& request, const CandidateImages& now,
                   const Project& project) {
  return {.tolerance = request.tolerance,
          .q = request.q,
          .unit = request.unit,
          .num_references = request.num_references,
          .num_calibration = request.num_calibration,
          .labels = request.labels,
          .num_candidates = now.images.size(),
          .by_subject = now.by_subject,
          .has_late_images = now.has_late_images,
          .results_seen = !project.integrity.results_seen_at.empty(),
          .reviewed_before = now.reviewed_before,
          .planned_at = utc_now()};
}

std::vector<Change> changes_of(const std::vector<DecidedPoint>& points, Id acceptance,
                               const std::string& annotator) {
  std::vector<Change> changes;
  for (const DecidedPoint& point : points) {
    if (changes.empty() || changes.back().image != point.image) {
      changes.push_back({.id = fmt::format("acceptance-{}", acceptance),
                         .image = point.image,
                         .annotator = annotator,
                         .source = Source::automatic});
    }
    changes.back().edits.push_back({point.landmark, PointState::visible, point.x, point.y});
  }
  return changes;
}

/// What a person placed meanwhile stays, and what left the scheme is not needed.
void keep_what_is_there(Connection& db, Id project, std::vector<Change>& changes) {
  std::set<Id> scheme;
  for (const SchemeLandmark& landmark : landmarks_of(db, project)) scheme.insert(landmark.id);
  for (Change& change : changes) {
    const Reading reading = reading_of(db, project, change.image, 1);
    std::erase_if(change.edits, [&](const Edit& edit) {
      return !scheme.contains(edit.landmark) ||
             std::ranges::find(reading.points, edit.landmark, &Point::landmark) !=
                 reading.points.end();
    });
  }
  std::erase_if(changes, [](const Change& change) { return change.edits.empty(); });
}

}  // namespace

std::vector<Acceptance> Store::acceptances(Id project) {
  return impl_->read([&](Connection& db) {
    static_cast<void>(find_project(db, project));
    return acceptances_of(db, project);
  });
}

CandidateImages Store::candidates(Id project) {
  return impl_->read([&](Connection& db) { return candidates_now(db, find_project(db, project)); });
}

std::vector<Id> Store::planned_candidates(Id project) {
  return impl_->read(
      [&](Connection& db) { return candidates_of(db, open_acceptance(db, project).id); });
}

Acceptance Store::plan_acceptance(Id project, const AcceptanceRequest& request) {
  check_request(request);
  return impl_->write([&](Connection& db) {
    const Project found = find_project(db, project);
    const std::vector<Acceptance> before = acceptances_of(db, project);
    require(before.empty() || !before.back().is_open(), ErrorKind::invalid_input,
            "a plan to accept without review is open; accept its points or discard it first");
    const CandidateImages now = candidates_now(db, found);
    require(now.why_none.empty(), ErrorKind::invalid_input, [&] { return now.why_none; });
    Acceptance plan = plan_of(request, now, found);
    plan.retuned = is_retuned(before, plan);
    insert_candidates(db, insert_acceptance(db, project, plan), now.images);
    return acceptances_of(db, project).back();
  });
}

Acceptance Store::decide_acceptance(Id project, const AcceptanceDecision& decision) {
  return impl_->write([&](Connection& db) {
    Acceptance acceptance = open_acceptance(db, project);
    require(!acceptance.is_decided(), ErrorKind::invalid_input,
            "this plan was decided already; accept its points or discard it");
    acceptance.decided_at = utc_now();
    acceptance.reviewed_since = num_reviewed(db, acceptance.id);
    acceptance.labels_changed = decision.labels != acceptance.labels;
    acceptance.candidates_changed =
        candidates_of(db, acceptance.id).size() != acceptance.num_candidates;
    acceptance.num_failed = decision.num_failed;
    acceptance.num_images_accepted = decision.num_images_accepted;
    acceptance.landmarks = decision.landmarks;
    acceptance.left_out = decision.left_out;
    update_acceptance(db, acceptance);
    insert_decided(db, acceptance.id, decision.points);
    mark_results_seen(project);
    return acceptance;
  });
}

Acceptance Store::apply_acceptance(Id project, const std::string& annotator) {
  return impl_->write([&](Connection& db) {
    Acceptance acceptance = open_acceptance(db, project);
    require(acceptance.is_decided(), ErrorKind::invalid_input,
            "this plan is not decided yet; wait for its result");
    std::vector<Change> changes =
        changes_of(accepted_points(db, acceptance.id), acceptance.id, annotator);
    keep_what_is_there(db, project, changes);
    apply_all(project, changes);
    for (const Change& change : changes) mark_seen(project, change.image);
    acceptance.accepted_at = utc_now();
    acceptance.accepted_by = annotator;
    update_acceptance(db, acceptance);
    return acceptance;
  });
}

Acceptance Store::discard_acceptance(Id project) {
  return impl_->write([&](Connection& db) {
    Acceptance acceptance = open_acceptance(db, project);
    acceptance.discarded_at = utc_now();
    update_acceptance(db, acceptance);
    return acceptance;
  });
}

}  // namespace caos::studio
