#include "apps/studio/store/database/rows.hpp"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "apps/studio/store/database/ask.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;

constexpr const char* select_project =
    "SELECT id, name, created_at, backbone, working_size, score, k, alpha, simultaneous, "
    "use_corrections, mm_per_pixel, sampling, sample_size, sample_seed, drawn_at, scheme_revision, "
    "seed_given, sample_largest, sample_removed, results_seen_at, resized_at, retargeted_at, target, "
    "sample_units, relabeled_at, restored_at, backup_at, after_results, precision, rescaled_at FROM projects ";

std::vector<Look> looks_of(Connection& db, Id project) {
  Ask ask(db, "SELECT size, alpha FROM looks WHERE project = ? ORDER BY size", project);
  std::vector<Look> looks;
  while (ask.next()) looks.push_back({ask.count(0), ask.text(1)});
  return looks;
}

Project project_in(Connection& db, const Ask& row) {
  Project project{.id = row.integer(0),
                  .name = row.text(1),
                  .created_at = row.text(2),
                  .backbone = row.text(3),
                  .working_size = row.text(4),
                  .precision = row.text(28)};
  project.settings = {.score = row.text(5),
                      .k = row.count(6),
                      .alpha = row.text(7),
                      .simultaneous = row.integer(8) != 0,
                      .use_corrections = row.integer(9) != 0,
                      .target = row.text(22),
                      .mm_per_pixel = row.optional_real(10)};
  project.sampling = {.kind = parse_sampling_kind(row.text(11)),
                      .size = row.count(12),
                      .seed = std::bit_cast<std::uint64_t>(row.integer(13)),
                      .drawn_at = row.text(14),
                      .seed_given = row.integer(16) != 0,
                      .looks = looks_of(db, project.id),
                      .largest = row.count(17),
                      .units = row.count(23),
                      .after_results = row.integer(27) != 0};
  project.integrity = {.removed = row.count(18),
                       .results_seen_at = row.text(19),
                       .resized_at = row.text(20),
                       .retargeted_at = row.text(21),
                       .rescaled_at = row.text(29),
                       .relabeled_at = row.text(24),
                       .restored_at = row.text(25),
                       .backup_at = row.text(26)};
  project.scheme_revision = row.integer(15);
  return project;
}

constexpr const char* select_landmarks =
    "SELECT id, name, color, pair FROM landmarks WHERE project = ?";

std::vector<SchemeLandmark> landmarks_in(Ask ask) {
  std::vector<SchemeLandmark> landmarks;
  while (ask.next()) {
    landmarks.push_back({ask.integer(0), ask.text(1), ask.text(2), ask.optional_text(3)});
  }
  return landmarks;
}

std::size_t num_landmarks(Connection& db, Id project) {
  Ask ask(db, "SELECT count(*) FROM landmarks WHERE project = ? AND position IS NOT NULL", project);
  ask.next();
  return ask.count(0);
}

constexpr const char* select_image =
    "SELECT id, name, sha256, width, height, subject, mm_per_pixel, added_at, place, seen_at, "
    "(SELECT revision FROM readings WHERE image = images.id AND reading = 1), "
    "(SELECT count(*) FROM points WHERE image = images.id AND reading = 1), "
    "(SELECT finished_at FROM audits WHERE audits.project = images.project AND discarded_at = '' "
    "AND place >= first AND place < \"end\"), "
    "(SELECT count(*) FROM points WHERE image = images.id AND reading = 2) "
    "FROM images WHERE project = ?";

AuditRole audit_role_in(const Ask& row, int column) {
  const std::optional<std::string> finished_at = row.optional_text(column);
  if (!finished_at) return AuditRole::none;
  return finished_at->empty() ? AuditRole::open : AuditRole::finished;
}

ImageRecord image_in(const Ask& row, std::size_t landmarks) {
  ImageRecord image{.id = row.integer(0),
                    .name = row.text(1),
                    .sha256 = row.text(2),
                    .width = row.count(3),
                    .height = row.count(4),
                    .subject = row.optional_text(5),
                    .mm_per_pixel = row.optional_real(6),
                    .added_at = row.text(7),
                    .order = row.optional_count(8),
                    .seen_at = row.text(9),
                    .revision = row.integer(10),
                    .num_points = row.count(11)};
  image.complete = landmarks > 0 && image.num_points == landmarks;
  image.audit = audit_role_in(row, 12);
  image.num_second_points = row.count(13);
  image.second_complete = landmarks > 0 && image.num_second_points == landmarks;
  return image;
}

std::vector<Point> points_of(Connection& db, Id image, int reading) {
  Ask ask(db,
          fmt::format("SELECT {} FROM points JOIN landmarks ON landmarks.id = landmark WHERE "
                      "image = ? AND reading = ? ORDER BY position",
                      point_columns),
          image, reading);
  std::vector<Point> points;
  while (ask.next()) points.push_back(point_in(ask));
  return points;
}

}  // namespace

Point point_in(const Ask& row) {
  return {.landmark = row.integer(0),
          .state = parse_point_state(row.text(1)),
          .x = row.real(2),
          .y = row.real(3),
          .annotator = row.text(4),
          .at = row.text(5),
          .source = parse_source(row.text(6))};
}

std::vector<Project> all_projects(Connection& db) {
  Ask ask(db, fmt::format("{} ORDER BY id", select_project));
  std::vector<Project> projects;
  while (ask.next()) projects.push_back(project_in(db, ask));
  return projects;
}

Project find_project(Connection& db, Id project) {
  Ask ask(db, fmt::format("{} WHERE id = ?", select_project), project);
  require(ask.next(), ErrorKind::not_found,
          [&] { return fmt::format("project {} not found", project); });
  return project_in(db, ask);
}

std::vector<SchemeLandmark> landmarks_of(Connection& db, Id project) {
  return landmarks_in(Ask(
      db, fmt::format("{} AND position IS NOT NULL ORDER BY position", select_landmarks), project));
}

std::vector<SchemeLandmark> removed_landmarks(Connection& db, Id project) {
  return landmarks_in(
      Ask(db,
          fmt::format("{} AND position IS NULL AND EXISTS(SELECT 1 FROM history WHERE landmark = "
                      "landmarks.id) ORDER BY id",
                      select_landmarks),
          project));
}

std::vector<ImageRecord> images_of(Connection& db, Id project) {
  const std::size_t landmarks = num_landmarks(db, project);
  Ask ask(db, fmt::format("{} ORDER BY id", select_image), project);
  std::vector<ImageRecord> images;
  while (ask.next()) images.push_back(image_in(ask, landmarks));
  return images;
}

std::size_t num_images_of(Connection& db, Id project) {
  Ask ask(db, "SELECT num_images FROM projects WHERE id = ?", project);
  require(ask.next(), ErrorKind::not_found,
          [&] { return fmt::format("project {} not found", project); });
  return ask.count(0);
}

std::vector<ImageRecord> images_where(Connection& db, Id project, const std::string& condition,
                                      const std::string& text) {
  const std::size_t landmarks = num_landmarks(db, project);
  Ask ask(db, fmt::format("{} AND {}", select_image, condition), project, text);
  std::vector<ImageRecord> images;
  while (ask.next()) images.push_back(image_in(ask, landmarks));
  return images;
}

ImageRecord find_image(Connection& db, Id project, Id image) {
  Ask ask(db, fmt::format("{} AND id = ?", select_image), project, image);
  require(ask.next(), ErrorKind::not_found,
          [&] { return fmt::format("project {} has no image {}", project, image); });
  return image_in(ask, num_landmarks(db, project));
}

bool has_file(Connection& db, const std::string& sha256) {
  return Ask(db, "SELECT 1 FROM images WHERE sha256 = ? LIMIT 1", sha256).next();
}

Reading reading_of(Connection& db, Id project, Id image, int reading) {
  Reading result{.points = points_of(db, image, reading)};
  const std::size_t landmarks = num_landmarks(db, project);
  result.complete = landmarks > 0 && result.points.size() == landmarks;
  Ask ask(db,
          "SELECT revision, changed_by, changed_at FROM readings WHERE image = ? AND reading = ?",
          image, reading);
  if (!ask.next()) return result;
  result.revision = ask.integer(0);
  result.changed_by = ask.text(1);
  result.changed_at = ask.text(2);
  return result;
}

Id insert_project(Connection& db, const Project& project) {
  const Settings& settings = project.settings;
  tell(db,
       "INSERT INTO projects(name, created_at, backbone, working_size, precision, score, k, alpha, "
       "simultaneous, use_corrections, target, mm_per_pixel) "
       "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
       project.name, project.created_at, project.backbone, project.working_size, project.precision,
       settings.score, settings.k, settings.alpha, settings.simultaneous, settings.use_corrections,
       settings.target, settings.mm_per_pixel);
  return db.last_row();
}

Id insert_landmark(Connection& db, Id project, const SchemeLandmark& landmark,
                   std::optional<std::size_t> position) {
  tell(db, "INSERT INTO landmarks(project, position, name, color, pair) VALUES(?, ?, ?, ?, ?)",
       project, position, landmark.name, landmark.color, landmark.pair);
  return db.last_row();
}

Id insert_image(Connection& db, Id project, const ImageRecord& image) {
  tell(db,
       "INSERT INTO images(project, name, sha256, width, height, subject, mm_per_pixel, added_at) "
       "VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
       project, image.name, image.sha256, image.width, image.height, image.subject,
       image.mm_per_pixel, image.added_at);
  return db.last_row();
}

void write_sampling(Connection& db, Id project, const Sampling& sampling) {
  tell(db,
       "UPDATE projects SET sampling = ?, sample_size = ?, sample_seed = ?, drawn_at = ?, "
       "seed_given = ?, sample_largest = ?, sample_units = ?, after_results = ? WHERE id = ?",
       name_of(sampling.kind), sampling.size, std::bit_cast<std::int64_t>(sampling.seed),
       sampling.drawn_at, sampling.seed_given, sampling.largest, sampling.units,
       sampling.after_results, project);
  tell(db, "DELETE FROM looks WHERE project = ?", project);
  for (const Look& look : sampling.looks) {
    tell(db, "INSERT INTO looks(project, size, alpha) VALUES(?, ?, ?)", project, look.size,
         look.alpha);
  }
}

void write_integrity(Connection& db, Id project, const Integrity& integrity) {
  tell(db,
       "UPDATE projects SET sample_removed = ?, results_seen_at = ?, resized_at = ?, "
       "retargeted_at = ?, rescaled_at = ?, relabeled_at = ?, restored_at = ?, backup_at = ? "
       "WHERE id = ?",
       integrity.removed, integrity.results_seen_at, integrity.resized_at, integrity.retargeted_at,
       integrity.rescaled_at, integrity.relabeled_at, integrity.restored_at, integrity.backup_at,
       project);
}

bool has_points(Connection& db, Id image) {
  return Ask(db, "SELECT 1 FROM points WHERE image = ? LIMIT 1", image).next();
}

}  // namespace caos::studio
