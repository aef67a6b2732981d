#include "apps/studio/store/database/ask.hpp"
#include "apps/studio/store/database/rows.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;

Audit audit_in(const Ask& row) {
  return {.id = row.integer(0),
          .first = row.count(1),
          .end = row.count(2),
          .size = row.count(3),
          .population = row.count(4),
          .by_subject = row.integer(5) != 0,
          .alpha = row.text(6),
          .simultaneous = row.integer(7) != 0,
          .calibration = row.text(8),
          .begun_at = row.text(9),
          .finished_at = row.text(10),
          .discarded_at = row.text(11)};
}

std::vector<AuditedLandmark> audited_landmarks(Connection& db, Id audit) {
  Ask ask(db, "SELECT name, absent FROM audited_landmarks WHERE audit = ? ORDER BY position",
          audit);
  std::vector<AuditedLandmark> landmarks;
  while (ask.next()) landmarks.push_back({.name = ask.text(0), .absent = ask.count(1)});
  Ask misses(db,
             "SELECT position, image FROM audit_misses WHERE audit = ? ORDER BY position, image",
             audit);
  while (misses.next()) landmarks.at(misses.count(0)).missed.push_back(misses.text(1));
  return landmarks;
}

}  // namespace

std::vector<Audit> audits_of(Connection& db, Id project) {
  Ask ask(db,
          "SELECT id, first, \"end\", size, population, by_subject, alpha, simultaneous, "
          "calibration, begun_at, finished_at, discarded_at FROM audits "
          "WHERE project = ? ORDER BY id",
          project);
  std::vector<Audit> audits;
  while (ask.next()) audits.push_back(audit_in(ask));
  for (Audit& audit : audits) audit.landmarks = audited_landmarks(db, audit.id);
  return audits;
}

void insert_audit(Connection& db, Id project, const Audit& audit) {
  tell(db,
       "INSERT INTO audits(project, first, \"end\", size, population, by_subject, alpha, "
       "simultaneous, calibration, begun_at, finished_at, discarded_at) "
       "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
       project, audit.first, audit.end, audit.size, audit.population, audit.by_subject, audit.alpha,
       audit.simultaneous, audit.calibration, audit.begun_at, audit.finished_at,
       audit.discarded_at);
  insert_audited_landmarks(db, db.last_row(), audit.landmarks);
}

void insert_audited_landmarks(Connection& db, Id audit,
                              const std::vector<AuditedLandmark>& landmarks) {
  for (std::size_t position = 0; position < landmarks.size(); ++position) {
    const AuditedLandmark& landmark = landmarks[position];
    tell(db, "INSERT INTO audited_landmarks VALUES(?, ?, ?, ?)", audit, position, landmark.name,
         landmark.absent);
    for (const std::string& image : landmark.missed) {
      tell(db, "INSERT INTO audit_misses VALUES(?, ?, ?)", audit, position, image);
    }
  }
}

}  // namespace caos::studio
