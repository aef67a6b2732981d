#include "apps/studio/store/acceptance/acceptance_rows.hpp"

#include "apps/studio/store/database/ask.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;

Acceptance acceptance_in(const Ask& row) {
  return {.id = row.integer(0),
          .tolerance = row.text(1),
          .q = row.text(2),
          .unit = parse_unit(row.text(3)),
          .num_references = row.count(4),
          .num_calibration = row.count(5),
          .labels = row.text(6),
          .num_candidates = row.count(7),
          .by_subject = row.integer(8) != 0,
          .has_late_images = row.integer(9) != 0,
          .results_seen = row.integer(10) != 0,
          .reviewed_before = row.count(11),
          .retuned = row.integer(12) != 0,
          .planned_at = row.text(13),
          .decided_at = row.text(14),
          .reviewed_since = row.count(15),
          .labels_changed = row.integer(16) != 0,
          .candidates_changed = row.integer(17) != 0,
          .num_failed = row.count(18),
          .num_images_accepted = row.count(19),
          .accepted_at = row.text(20),
          .accepted_by = row.text(21),
          .discarded_at = row.text(22)};
}

/// Landmarks that are left out have no numbers.
void read_landmarks(Connection& db, Acceptance& acceptance) {
  Ask ask(db,
          "SELECT name, num_wrong, num_accepted FROM accepted_landmarks WHERE acceptance = ? "
          "ORDER BY position",
          acceptance.id);
  while (ask.next()) {
    if (ask.is_null(1)) {
      acceptance.left_out.push_back(ask.text(0));
    } else {
      acceptance.landmarks.push_back({ask.text(0), ask.count(1), ask.count(2)});
    }
  }
}

void write_landmarks(Connection& db, const Acceptance& acceptance) {
  tell(db, "DELETE FROM accepted_landmarks WHERE acceptance = ?", acceptance.id);
  std::size_t position = 0;
  for (const AcceptedLandmark& landmark : acceptance.landmarks) {
    tell(db, "INSERT INTO accepted_landmarks VALUES(?, ?, ?, ?, ?)", acceptance.id, position++,
         landmark.name, landmark.num_wrong, landmark.num_accepted);
  }
  for (const std::string& name : acceptance.left_out) {
    tell(db, "INSERT INTO accepted_landmarks VALUES(?, ?, ?, NULL, NULL)", acceptance.id,
         position++, name);
  }
}

}  // namespace

std::vector<Acceptance> acceptances_of(Connection& db, Id project) {
  Ask ask(db,
          "SELECT id, tolerance, q, unit, num_references, num_calibration, labels, num_candidates, "
          "by_subject, has_late_images, results_seen, reviewed_before, retuned, planned_at, "
          "decided_at, reviewed_since, labels_changed, candidates_changed, num_failed, "
          "num_images_accepted, accepted_at, accepted_by, discarded_at FROM acceptances "
          "WHERE project = ? ORDER BY id",
          project);
  std::vector<Acceptance> all;
  while (ask.next()) all.push_back(acceptance_in(ask));
  for (Acceptance& acceptance : all) read_landmarks(db, acceptance);
  return all;
}

Id insert_acceptance(Connection& db, Id project, const Acceptance& acceptance) {
  tell(db,
       "INSERT INTO acceptances(project, tolerance, q, unit, num_references, num_calibration, "
       "labels, num_candidates, by_subject, has_late_images, results_seen, reviewed_before, "
       "retuned, planned_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
       project, acceptance.tolerance, acceptance.q, name_of(acceptance.unit),
       acceptance.num_references, acceptance.num_calibration, acceptance.labels,
       acceptance.num_candidates, acceptance.by_subject, acceptance.has_late_images,
       acceptance.results_seen, acceptance.reviewed_before, acceptance.retuned,
       acceptance.planned_at);
  Acceptance written = acceptance;
  written.id = db.last_row();
  update_acceptance(db, written);
  return written.id;
}

void update_acceptance(Connection& db, const Acceptance& acceptance) {
  tell(db,
       "UPDATE acceptances SET decided_at = ?, reviewed_since = ?, labels_changed = ?, "
       "candidates_changed = ?, num_failed = ?, num_images_accepted = ?, accepted_at = ?, "
       "accepted_by = ?, discarded_at = ? WHERE id = ?",
       acceptance.decided_at, acceptance.reviewed_since, acceptance.labels_changed,
       acceptance.candidates_changed, acceptance.num_failed, acceptance.num_images_accepted,
       acceptance.accepted_at, acceptance.accepted_by, acceptance.discarded_at, acceptance.id);
  write_landmarks(db, acceptance);
}

void insert_candidates(Connection& db, Id acceptance, std::span<const Id> images) {
  for (const Id image : images) tell(db, "INSERT INTO candidates VALUES(?, ?)", acceptance, image);
}

std::vector<Id> candidates_of(Connection& db, Id acceptance) {
  Ask ask(db, "SELECT image FROM candidates WHERE acceptance = ? ORDER BY image", acceptance);
  std::vector<Id> images;
  while (ask.next()) images.push_back(ask.integer(0));
  return images;
}

std::size_t num_reviewed(Connection& db, Id acceptance) {
  Ask ask(db,
          "SELECT count(*) FROM candidates WHERE acceptance = ? AND EXISTS(SELECT 1 FROM history "
          "WHERE history.image = candidates.image AND reading = 1)",
          acceptance);
  ask.next();
  return ask.count(0);
}

void insert_decided(Connection& db, Id acceptance, std::span<const DecidedPoint> points) {
  for (const DecidedPoint& point : points) {
    tell(db, "INSERT INTO decided_points VALUES(?, ?, ?, ?, ?, ?)", acceptance, point.image,
         point.landmark, point.x, point.y, point.accepted);
  }
}

std::vector<DecidedPoint> accepted_points(Connection& db, Id acceptance) {
  Ask ask(db,
          "SELECT image, landmark, x, y FROM decided_points WHERE acceptance = ? AND accepted "
          "ORDER BY image, landmark",
          acceptance);
  std::vector<DecidedPoint> points;
  while (ask.next()) {
    points.push_back({.image = ask.integer(0),
                      .landmark = ask.integer(1),
                      .x = ask.real(2),
                      .y = ask.real(3),
                      .accepted = true});
  }
  return points;
}

}  // namespace caos::studio
