#include "apps/studio/store/backups/snapshot_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "apps/studio/store/checks.hpp"
#include "apps/studio/store/database/clock.hpp"
#include "apps/studio/store/images/image_files.hpp"
#include "apps/studio/store/sampling/looks.hpp"
#include "apps/studio/store/store_limits.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/landmark_tolerance.hpp"
#include "caos/miscoverage.hpp"

namespace caos::studio {
namespace {

template <typename Message>
void demand_of_backup(bool condition, Message&& message) {
  require(condition, ErrorKind::invalid_input, std::forward<Message>(message));
}

void check_time(const std::string& time, const char* what) {
  demand_of_backup(is_utc(time), [&] {
    return fmt::format("{} is not a time like 2026-01-31T12:00:00.000Z", what);
  });
}

void check_landmarks(const ProjectSnapshot& snapshot) {
  demand_of_backup(checked_scheme(snapshot.scheme) == snapshot.scheme,
                   "a landmark has no color, or a pair that does not go both ways");
  for (const SchemeLandmark& landmark : snapshot.removed) {
    SchemeLandmark alone = landmark;
    alone.pair.reset();
    static_cast<void>(checked_scheme({alone}));
    if (landmark.pair) check_name(*landmark.pair, limits::landmark_name, "the pair of a landmark");
  }
}

/// How far the replay of an image's history has come.
using Revisions = std::map<int, std::int64_t>;

void check_place(const HistoryEntry& entry, const ImageRecord& image) {
  const bool is_within = std::isfinite(entry.x) && std::isfinite(entry.y) && entry.x >= 0 &&
                         entry.y >= 0 && entry.x < static_cast<double>(image.width) &&
                         entry.y < static_cast<double>(image.height);
  demand_of_backup(is_within,
                   [&] { return fmt::format("'{}' has a point outside of it", image.name); });
}

/// Revisions come one after another in each reading.
void check_entry(const HistoryEntry& entry, const ImageRecord& image, std::size_t num_landmarks,
                 Revisions& revisions) {
  check_change({.id = entry.change,
                .reading = entry.reading,
                .annotator = entry.annotator,
                .edits = {{entry.landmark}}});
  check_time(entry.at, "the time of a point");
  demand_of_backup(entry.landmark >= 0 && static_cast<std::size_t>(entry.landmark) < num_landmarks,
                   [&] { return fmt::format("'{}' has a point of no landmark", image.name); });
  if (entry.state && *entry.state != PointState::missing) check_place(entry, image);
  std::int64_t& revision = revisions[entry.reading];
  demand_of_backup(entry.revision == revision + 1 || (revision > 0 && entry.revision == revision),
                   [&] {
                     return fmt::format("'{}' has a history with a gap at revision {}", image.name,
                                        entry.revision);
                   });
  revision = entry.revision;
}

/// What a history leads to: the points of each reading, and who changed it last.
struct Outcome {
  std::map<Id, Point> points{};
  ReadingSnapshot reading{};
};

std::vector<ReadingSnapshot> replay(const std::vector<HistoryEntry>& history,
                                    std::size_t num_in_scheme) {
  std::map<int, Outcome> outcomes;
  for (const HistoryEntry& entry : history) {
    Outcome& outcome = outcomes[entry.reading];
    outcome.reading = {.number = entry.reading,
                       .revision = entry.revision,
                       .changed_by = entry.annotator,
                       .changed_at = entry.at};
    outcome.points.erase(entry.landmark);
    const bool stays = entry.state && static_cast<std::size_t>(entry.landmark) < num_in_scheme;
    if (!stays) continue;
    outcome.points[entry.landmark] = {entry.landmark,  *entry.state, entry.x,     entry.y,
                                      entry.annotator, entry.at,     entry.source};
  }
  std::vector<ReadingSnapshot> readings;
  for (auto& [number, outcome] : outcomes) {
    for (auto& [landmark, point] : outcome.points) outcome.reading.points.push_back(point);
    readings.push_back(std::move(outcome.reading));
  }
  return readings;
}

void check_image(const ImageSnapshot& snapshot, const ProjectSnapshot& project) {
  const ImageRecord& image = snapshot.image;
  check_image_name(image.name);
  demand_of_backup(is_sha256(image.sha256),
                   [&] { return fmt::format("'{}' has no hash", image.name); });
  check_subject(image.subject);
  check_scale(image.mm_per_pixel);
  check_time(image.added_at, "the time of an image");
  if (!image.seen_at.empty()) check_time(image.seen_at, "the time when an image was seen");
  Revisions revisions;
  const std::size_t num_landmarks = project.scheme.size() + project.removed.size();
  for (const HistoryEntry& entry : snapshot.history) {
    check_entry(entry, image, num_landmarks, revisions);
  }
  demand_of_backup(replay(snapshot.history, project.scheme.size()) == snapshot.readings, [&] {
    return fmt::format("the points of '{}' are not what their history says", image.name);
  });
}

void check_different(const ProjectSnapshot& snapshot) {
  std::set<std::string> names;
  std::set<std::string> hashes;
  std::set<std::size_t> places;
  for (const auto& [image, readings, history] : snapshot.images) {
    demand_of_backup(
        names.insert(image.name).second && hashes.insert(image.sha256).second,
        [&, &image = image] { return fmt::format("'{}' is listed twice", image.name); });
    demand_of_backup(
        !image.order || (*image.order < limits::images && places.insert(*image.order).second),
        [&, &image = image] {
          return fmt::format("'{}' has no place of its own in the order", image.name);
        });
  }
}

void check_sampling(const ProjectSnapshot& snapshot) {
  const Sampling& sampling = snapshot.project.sampling;
  const bool has_order = std::ranges::any_of(
      snapshot.images, [](const ImageSnapshot& image) { return image.image.order.has_value(); });
  const bool is_none = sampling.kind == Sampling::Kind::none;
  demand_of_backup(!is_none || (!has_order && sampling == Sampling{}),
                   "the sample was never drawn");
  demand_of_backup(is_none || (sampling.size >= 1 && sampling.size <= limits::images),
                   "the sample has no size that could be");
  demand_of_backup(sampling.largest >= sampling.size && sampling.largest <= limits::images,
                   "the sample was larger than it ever was");
  demand_of_backup(sampling.units == 0 ||
                       (sampling.units >= sampling.largest && sampling.units <= limits::images),
                   "the order has fewer places than the sample");
  check_looks(sampling.looks, snapshot.project.settings.alpha);
  demand_of_backup(sampling.looks.empty() || is_planned(sampling, sampling.size),
                   "the size of the sample is not one of the planned sizes");
  if (!is_none) check_time(sampling.drawn_at, "the time when the sample was drawn");
}

void check_integrity(const Project& project) {
  const Integrity& integrity = project.integrity;
  const Integrity undrawn{.results_seen_at = integrity.results_seen_at,
                          .restored_at = integrity.restored_at,
                          .backup_at = integrity.backup_at};
  demand_of_backup(project.sampling.kind != Sampling::Kind::none || integrity == undrawn,
                   "something happened to a sample that was never drawn");
  demand_of_backup(integrity.removed <= limits::images,
                   "more images were removed than there can be");
  for (const std::string& time :
       {integrity.results_seen_at, integrity.resized_at, integrity.retargeted_at,
        integrity.rescaled_at, integrity.relabeled_at, integrity.restored_at,
        integrity.backup_at}) {
    if (!time.empty()) check_time(time, "the time of a change after results were seen");
  }
}

void check_audited(const AuditedLandmark& landmark, const Audit& audit) {
  check_name(landmark.name, limits::landmark_name, "the landmark of an audit");
  for (const std::string& image : landmark.missed) check_image_name(image);
  const std::size_t misses = landmark.missed.size();
  demand_of_backup(std::set(landmark.missed.begin(), landmark.missed.end()).size() == misses &&
                       misses <= audit.size && landmark.absent <= audit.size - misses,
                   "an audit has more misses than images");
}

/// Audits lie one after another in the random order; only the last may be open.
void check_audit(const Audit& audit, std::size_t first_free, bool is_last) {
  demand_of_backup(audit.first >= first_free && audit.end > audit.first &&
                       audit.end <= limits::images && audit.size >= 1 &&
                       audit.size <= audit.end - audit.first && audit.population >= audit.size &&
                       audit.population <= limits::images,
                   "an audit has no places of its own in the order");
  demand_of_backup(audit.num_images_missed() <= audit.size, "an audit has more misses than images");
  demand_of_backup(is_sha256(audit.calibration), "an audit does not say which regions it judges");
  static_cast<void>(Miscoverage::parse(audit.alpha));
  check_time(audit.begun_at, "the time of an audit");
  if (!audit.finished_at.empty()) check_time(audit.finished_at, "the end of an audit");
  if (!audit.discarded_at.empty()) check_time(audit.discarded_at, "the end of an audit");
  demand_of_backup(audit.finished_at.empty() || audit.discarded_at.empty(), "an audit ended twice");
  demand_of_backup(!audit.is_open() || is_last, "an audit is open while another one follows");
  demand_of_backup(!audit.finished_at.empty() || audit.landmarks.empty(),
                   "an audit has results but was not finished");
  for (const AuditedLandmark& landmark : audit.landmarks) check_audited(landmark, audit);
}

void check_audits(const ProjectSnapshot& snapshot) {
  const Sampling& sampling = snapshot.project.sampling;
  demand_of_backup(snapshot.audits.empty() || sampling.kind == Sampling::Kind::random,
                   "there is an audit, but no random order");
  std::size_t first_free = 0;
  for (const Audit& audit : snapshot.audits) {
    // The sample may have grown into the images of one that was discarded.
    const std::size_t least = audit.discarded_at.empty() ? sampling.size : std::size_t{0};
    check_audit(audit, std::max(first_free, least), &audit == &snapshot.audits.back());
    first_free = audit.end;
  }
}

void check_acceptance(const Acceptance& acceptance, bool is_last) {
  static_cast<void>(LandmarkTolerance::parse(acceptance.tolerance));
  static_cast<void>(Miscoverage::parse(acceptance.q));
  demand_of_backup(acceptance.tolerance.size() <= limits::setting &&
                       acceptance.q.size() <= limits::setting && is_sha256(acceptance.labels),
                   "a plan to accept without review does not say what it is");
  check_time(acceptance.planned_at, "the time of a plan to accept without review");
  for (const std::string& time :
       {acceptance.decided_at, acceptance.accepted_at, acceptance.discarded_at}) {
    if (!time.empty()) check_time(time, "the time of a plan to accept without review");
  }
  demand_of_backup(acceptance.accepted_at.empty() ||
                       (acceptance.is_decided() && acceptance.discarded_at.empty()),
                   "a plan to accept without review was accepted but not decided");
  demand_of_backup(!acceptance.is_open() || is_last,
                   "a plan to accept without review is open while another one follows");
  demand_of_backup(acceptance.num_candidates <= limits::images &&
                       acceptance.num_failed <= acceptance.num_candidates &&
                       acceptance.num_images_accepted <= acceptance.num_candidates &&
                       acceptance.num_references <= limits::images &&
                       acceptance.num_calibration <= limits::images &&
                       acceptance.reviewed_before <= limits::images &&
                       acceptance.reviewed_since <= limits::images,
                   "a plan to accept without review has more images than there can be");
  if (!acceptance.accepted_by.empty()) {
    check_name(acceptance.accepted_by, limits::annotator, "the annotator's name");
  }
  for (const AcceptedLandmark& landmark : acceptance.landmarks) {
    check_name(landmark.name, limits::landmark_name, "a landmark that was accepted");
    demand_of_backup(landmark.num_accepted <= acceptance.num_candidates &&
                         landmark.num_wrong <= acceptance.num_calibration,
                     "more proposals were accepted than there are candidates");
  }
  for (const std::string& name : acceptance.left_out) {
    check_name(name, limits::landmark_name, "a landmark that was left out");
  }
}

void check_measures_of(const ProjectSnapshot& snapshot) {
  demand_of_backup(snapshot.measures.revision >= 0, "the measures have a negative revision");
  std::vector<Id> places;
  for (std::size_t i = 0; i < snapshot.scheme.size(); ++i) places.push_back(static_cast<Id>(i));
  check_measures(snapshot.measures, places);
}

}  // namespace

void check_snapshot(const ProjectSnapshot& snapshot) {
  check_project(snapshot.project);
  check_time(snapshot.project.created_at, "the time of the project");
  if (!snapshot.made_at.empty()) check_time(snapshot.made_at, "the time of the backup");
  demand_of_backup(snapshot.project.scheme_revision >= 0, "the scheme has a negative revision");
  demand_of_backup(snapshot.images.size() <= limits::images,
                   [&] { return fmt::format("there are {} images", snapshot.images.size()); });
  check_landmarks(snapshot);
  check_different(snapshot);
  check_sampling(snapshot);
  check_integrity(snapshot.project);
  check_audits(snapshot);
  for (const Acceptance& acceptance : snapshot.acceptances) {
    check_acceptance(acceptance, &acceptance == &snapshot.acceptances.back());
  }
  check_measures_of(snapshot);
  for (const ImageSnapshot& image : snapshot.images) check_image(image, snapshot);
}

}  // namespace caos::studio
