#include "apps/studio/store/database/migrations.hpp"

#include <fmt/format.h>

#include <array>

#include "apps/studio/store/database/ask.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;
using io::sqlite::Transaction;

// Steps are never edited once a program with them is in use: a new one is added.

/// Ids are never used twice, so that an old address does not show something new.
constexpr const char* first_tables = R"(
CREATE TABLE projects(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  backbone TEXT NOT NULL,
  working_size TEXT NOT NULL,
  score TEXT NOT NULL,
  k INTEGER NOT NULL,
  alpha TEXT NOT NULL,
  simultaneous INTEGER NOT NULL,
  use_corrections INTEGER NOT NULL,
  sampling TEXT NOT NULL DEFAULT 'none',
  sample_size INTEGER NOT NULL DEFAULT 0,
  sample_seed INTEGER NOT NULL DEFAULT 0, -- 64 bits, of either sign
  drawn_at TEXT NOT NULL DEFAULT '',
  scheme_revision INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE landmarks(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  position INTEGER, -- NULL: taken away, and kept for the history
  name TEXT NOT NULL,
  color TEXT NOT NULL,
  pair TEXT
) STRICT;
CREATE UNIQUE INDEX landmark_names ON landmarks(project, name) WHERE position IS NOT NULL;

CREATE TABLE images(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  added_at TEXT NOT NULL,
  place INTEGER, -- in the random order
  seen_at TEXT NOT NULL DEFAULT '',
  UNIQUE(project, name),
  UNIQUE(project, sha256)
) STRICT;
CREATE INDEX image_files ON images(sha256);

CREATE TABLE readings(
  image INTEGER NOT NULL REFERENCES images(id) ON DELETE CASCADE,
  reading INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  changed_by TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  PRIMARY KEY(image, reading)
) STRICT, WITHOUT ROWID;

CREATE TABLE points(
  image INTEGER NOT NULL REFERENCES images(id) ON DELETE CASCADE,
  reading INTEGER NOT NULL,
  landmark INTEGER NOT NULL REFERENCES landmarks(id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  x REAL,
  y REAL,
  annotator TEXT NOT NULL,
  at TEXT NOT NULL,
  source TEXT NOT NULL,
  PRIMARY KEY(image, reading, landmark)
) STRICT, WITHOUT ROWID;
CREATE INDEX point_landmarks ON points(landmark);

CREATE TABLE history(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  image INTEGER NOT NULL REFERENCES images(id) ON DELETE CASCADE,
  reading INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  landmark INTEGER NOT NULL REFERENCES landmarks(id) ON DELETE CASCADE,
  state TEXT, -- NULL: taken back
  x REAL,
  y REAL,
  annotator TEXT NOT NULL,
  at TEXT NOT NULL,
  source TEXT NOT NULL,
  change TEXT NOT NULL
) STRICT;
CREATE INDEX history_changes ON history(image, reading, change);
CREATE INDEX history_landmarks ON history(landmark);
)";

/// Images of one subject are not exchangeable with those of others; lengths need a scale.
constexpr const char* subjects_and_scales = R"(
ALTER TABLE images ADD COLUMN subject TEXT;
ALTER TABLE images ADD COLUMN mm_per_pixel REAL;
ALTER TABLE projects ADD COLUMN mm_per_pixel REAL;
)";

/// What a guarantee depends on is kept for good. Older programs did not note when results were
/// first seen, but when each image was; nor how large a sample had been before it shrank.
constexpr const char* integrity = R"(
ALTER TABLE projects ADD COLUMN seed_given INTEGER NOT NULL DEFAULT 0;
ALTER TABLE projects ADD COLUMN sample_largest INTEGER NOT NULL DEFAULT 0;
ALTER TABLE projects ADD COLUMN sample_removed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE projects ADD COLUMN results_seen_at TEXT NOT NULL DEFAULT '';
ALTER TABLE projects ADD COLUMN resized_at TEXT NOT NULL DEFAULT '';
ALTER TABLE projects ADD COLUMN retargeted_at TEXT NOT NULL DEFAULT '';
UPDATE projects SET
  sample_largest = sample_size,
  sample_removed = sample_size -
    (SELECT count(*) FROM images WHERE project = projects.id AND place < sample_size),
  results_seen_at = coalesce(
    (SELECT min(seen_at) FROM images WHERE project = projects.id AND seen_at <> '' AND
      (sampling = 'given' OR seen_at >= drawn_at)), '')
  WHERE sampling <> 'none';

CREATE TABLE looks(
  project INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  size INTEGER NOT NULL,
  alpha TEXT NOT NULL,
  PRIMARY KEY(project, size)
) STRICT, WITHOUT ROWID;
)";

/// Images that judge the regions of the others, and what they found.
constexpr const char* audits = R"(
CREATE TABLE audits(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  first INTEGER NOT NULL, -- place in the random order
  "end" INTEGER NOT NULL, -- the place after the last
  size INTEGER NOT NULL,
  population INTEGER NOT NULL,
  by_subject INTEGER NOT NULL,
  alpha TEXT NOT NULL,
  simultaneous INTEGER NOT NULL,
  calibration TEXT NOT NULL,
  begun_at TEXT NOT NULL,
  finished_at TEXT NOT NULL DEFAULT '',
  discarded_at TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX audits_of_projects ON audits(project);

CREATE TABLE audited_landmarks(
  audit INTEGER NOT NULL REFERENCES audits(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  absent INTEGER NOT NULL,
  PRIMARY KEY(audit, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit_misses(
  audit INTEGER NOT NULL REFERENCES audits(id) ON DELETE CASCADE,
  position INTEGER NOT NULL, -- of the landmark
  image TEXT NOT NULL,
  PRIMARY KEY(audit, position, image)
) STRICT, WITHOUT ROWID;
)";

/// Projects of earlier versions have the guarantee that their samples were drawn for.
constexpr const char* targets = R"(
ALTER TABLE projects ADD COLUMN target TEXT NOT NULL DEFAULT 'subject';
)";

/// What was seen before the draw counts, too; so do points that were changed after results were
/// seen, and places of the order whose images are gone. Older programs did not note how many places
/// there were, nor from which backup a project came.
constexpr const char* tuning_and_backups = R"(
ALTER TABLE projects ADD COLUMN sample_units INTEGER NOT NULL DEFAULT 0;
ALTER TABLE projects ADD COLUMN after_results INTEGER NOT NULL DEFAULT 0;
ALTER TABLE projects ADD COLUMN relabeled_at TEXT NOT NULL DEFAULT '';
ALTER TABLE projects ADD COLUMN restored_at TEXT NOT NULL DEFAULT '';
ALTER TABLE projects ADD COLUMN backup_at TEXT NOT NULL DEFAULT '';
UPDATE projects SET
  sample_units = max(sample_largest, coalesce(
    (SELECT min(later.place) FROM images first JOIN images later ON
      later.project = first.project AND later.subject = first.subject AND later.place > first.place
      WHERE first.project = projects.id),
    (SELECT max(place) + 1 FROM images WHERE project = projects.id), 0))
  WHERE sampling <> 'none';
UPDATE projects SET results_seen_at =
    (SELECT min(seen_at) FROM images WHERE project = projects.id AND seen_at <> '')
  WHERE EXISTS(SELECT 1 FROM images WHERE project = projects.id AND seen_at <> '' AND
    (results_seen_at = '' OR seen_at < results_seen_at));
UPDATE projects SET after_results = 1
  WHERE sampling = 'random' AND results_seen_at <> '' AND results_seen_at < drawn_at;
UPDATE projects SET relabeled_at = coalesce(
    (SELECT min(later.at) FROM images JOIN history later ON later.image = images.id
      WHERE images.project = projects.id AND place < sample_largest AND later.reading = 1 AND
        later.at > results_seen_at AND EXISTS(SELECT 1 FROM history first WHERE
          first.image = later.image AND first.reading = 1 AND first.landmark = later.landmark AND
          first.id < later.id)), '')
  WHERE sampling <> 'none' AND results_seen_at <> '';
)";

/// Projects of earlier versions keep the embeddings that they had. Their working size may be empty,
/// which stands for the rule of version 0.1.0.
constexpr const char* precisions = R"(
ALTER TABLE projects ADD COLUMN precision TEXT NOT NULL DEFAULT 'float32';
)";

/// How many images a project has is asked with every upload, and counting them takes longer the
/// more there are.
constexpr const char* image_counts = R"(
ALTER TABLE projects ADD COLUMN num_images INTEGER NOT NULL DEFAULT 0;
UPDATE projects SET num_images = (SELECT count(*) FROM images WHERE project = projects.id);
CREATE TRIGGER image_came AFTER INSERT ON images BEGIN
  UPDATE projects SET num_images = num_images + 1 WHERE id = NEW.project;
END;
CREATE TRIGGER image_went AFTER DELETE ON images BEGIN
  UPDATE projects SET num_images = num_images - 1 WHERE id = OLD.project;
END;
)";

/// Plans to accept proposals without review, their candidates, and what was decided.
constexpr const char* acceptances = R"(
CREATE TABLE acceptances(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  tolerance TEXT NOT NULL,
  q TEXT NOT NULL,
  unit TEXT NOT NULL,
  num_references INTEGER NOT NULL,
  num_calibration INTEGER NOT NULL,
  labels TEXT NOT NULL,
  num_candidates INTEGER NOT NULL,
  by_subject INTEGER NOT NULL,
  has_late_images INTEGER NOT NULL,
  results_seen INTEGER NOT NULL,
  reviewed_before INTEGER NOT NULL,
  retuned INTEGER NOT NULL,
  planned_at TEXT NOT NULL,
  decided_at TEXT NOT NULL DEFAULT '',
  reviewed_since INTEGER NOT NULL DEFAULT 0,
  labels_changed INTEGER NOT NULL DEFAULT 0,
  candidates_changed INTEGER NOT NULL DEFAULT 0,
  num_failed INTEGER NOT NULL DEFAULT 0,
  num_images_accepted INTEGER NOT NULL DEFAULT 0,
  accepted_at TEXT NOT NULL DEFAULT '',
  accepted_by TEXT NOT NULL DEFAULT '',
  discarded_at TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX acceptances_of_projects ON acceptances(project);

CREATE TABLE accepted_landmarks(
  acceptance INTEGER NOT NULL REFERENCES acceptances(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  num_wrong INTEGER, -- NULL: left out
  num_accepted INTEGER,
  PRIMARY KEY(acceptance, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE candidates(
  acceptance INTEGER NOT NULL REFERENCES acceptances(id) ON DELETE CASCADE,
  image INTEGER NOT NULL REFERENCES images(id) ON DELETE CASCADE,
  PRIMARY KEY(acceptance, image)
) STRICT, WITHOUT ROWID;
CREATE INDEX candidate_images ON candidates(image);

CREATE TABLE decided_points(
  acceptance INTEGER NOT NULL REFERENCES acceptances(id) ON DELETE CASCADE,
  image INTEGER NOT NULL REFERENCES images(id) ON DELETE CASCADE,
  landmark INTEGER NOT NULL REFERENCES landmarks(id) ON DELETE CASCADE,
  x REAL NOT NULL,
  y REAL NOT NULL,
  accepted INTEGER NOT NULL,
  PRIMARY KEY(acceptance, image, landmark)
) STRICT, WITHOUT ROWID;
CREATE INDEX decided_images ON decided_points(image);
CREATE INDEX decided_landmarks ON decided_points(landmark);
)";

/// The working size can be changed; what is measured is kept with the project.
constexpr const char* rescaling_and_measures = R"(
ALTER TABLE projects ADD COLUMN rescaled_at TEXT NOT NULL DEFAULT '';
ALTER TABLE projects ADD COLUMN measures_revision INTEGER NOT NULL DEFAULT 0;

CREATE TABLE measures(
  project INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL, -- empty: a line of the skeleton
  kind TEXT NOT NULL,
  landmarks TEXT NOT NULL, -- numbers, parted by blanks
  PRIMARY KEY(project, position)
) STRICT, WITHOUT ROWID;
)";

constexpr std::array steps = {first_tables, subjects_and_scales,   integrity,  audits,
                              targets,      tuning_and_backups,    precisions, image_counts,
                              acceptances,  rescaling_and_measures};

std::int64_t number(Connection& db, const char* sql) {
  Ask ask(db, sql);
  ask.next();
  return ask.integer(0);
}

void require_ours(Connection& db, std::int64_t version, const std::string& path) {
  const std::int64_t tables = number(db, "SELECT count(*) FROM sqlite_master");
  require(version > 0 || tables == 0, ErrorKind::bad_format, [&] {
    return fmt::format("{}: is a database of something else; give another folder", path);
  });
  require(version <= schema_version(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{}: was made by a newer version of caos (schema {}, this one knows {}); use that version",
        path, version, schema_version());
  });
}

}  // namespace

std::int64_t schema_version() { return static_cast<std::int64_t>(steps.size()); }

void migrate(Connection& db, const std::string& path) {
  std::int64_t version = number(db, "PRAGMA user_version");
  require_ours(db, version, path);
  for (; version < schema_version(); ++version) {
    Transaction transaction(db, Transaction::Kind::writing);
    db.execute(steps[static_cast<std::size_t>(version)]);
    db.execute(fmt::format("PRAGMA user_version = {}", version + 1).c_str());
    transaction.commit();
  }
}

}  // namespace caos::studio
