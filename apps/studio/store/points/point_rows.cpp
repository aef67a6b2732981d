#include "apps/studio/store/points/point_rows.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "apps/studio/store/database/ask.hpp"
#include "apps/studio/store/database/rows.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;
using Number = std::optional<double>;

bool has_place(const Edit& edit) { return edit.state && *edit.state != PointState::missing; }

Number x_of(const Edit& edit) { return has_place(edit) ? Number(edit.x) : std::nullopt; }
Number y_of(const Edit& edit) { return has_place(edit) ? Number(edit.y) : std::nullopt; }

std::optional<std::string> state_of(const Edit& edit) {
  return edit.state ? std::optional(name_of(*edit.state)) : std::nullopt;
}

void write_point(Connection& db, Id image, const Edit& edit, const Stamp& stamp) {
  tell(
      db,
      "INSERT OR REPLACE INTO points(image, reading, landmark, state, x, y, annotator, at, source) "
      "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
      image, stamp.reading, edit.landmark, state_of(edit), x_of(edit), y_of(edit), stamp.annotator,
      stamp.at, name_of(stamp.source));
}

void remove_point(Connection& db, Id image, Id landmark, int reading) {
  tell(db, "DELETE FROM points WHERE image = ? AND reading = ? AND landmark = ?", image, reading,
       landmark);
}

HistoryEntry entry_in(const Ask& row) {
  HistoryEntry entry{.revision = row.integer(0),
                     .reading = static_cast<int>(row.integer(1)),
                     .landmark = row.integer(2),
                     .landmark_name = row.text(3),
                     .x = row.real(5),
                     .y = row.real(6),
                     .annotator = row.text(7),
                     .at = row.text(8),
                     .source = parse_source(row.text(9)),
                     .change = row.text(10)};
  if (!row.is_null(4)) entry.state = parse_point_state(row.text(4));
  return entry;
}

using Places = std::map<Id, std::size_t>;  ///< of images, by number

void add_revisions(Connection& db, Id project, const Places& place_of,
                   std::vector<Reading>& readings) {
  Ask ask(db,
          "SELECT image, revision, changed_by, changed_at FROM readings JOIN images ON "
          "images.id = image WHERE project = ? AND reading = 1",
          project);
  while (ask.next()) {
    Reading& reading = readings[place_of.at(ask.integer(0))];
    reading.revision = ask.integer(1);
    reading.changed_by = ask.text(2);
    reading.changed_at = ask.text(3);
  }
}

void add_points(Connection& db, Id project, const Places& place_of,
                std::vector<Reading>& readings) {
  Ask ask(
      db,
      fmt::format("SELECT {}, points.image FROM points JOIN landmarks ON landmarks.id = landmark "
                  "JOIN images ON images.id = points.image WHERE images.project = ? AND "
                  "reading = 1 ORDER BY points.image, position",
                  point_columns),
      project);
  while (ask.next()) readings[place_of.at(ask.integer(7))].points.push_back(point_in(ask));
}

}  // namespace

std::int64_t revision_of(Connection& db, Id image, int reading) {
  Ask ask(db, "SELECT revision FROM readings WHERE image = ? AND reading = ?", image, reading);
  return ask.next() ? ask.integer(0) : 0;
}

void write_edit(Connection& db, Id image, const Edit& edit, const Stamp& stamp) {
  if (edit.state) {
    write_point(db, image, edit, stamp);
  } else {
    remove_point(db, image, edit.landmark, stamp.reading);
  }
  write_history(db, image, edit, stamp);
}

void write_history(Connection& db, Id image, const Edit& edit, const Stamp& stamp) {
  tell(
      db,
      "INSERT INTO history(image, reading, revision, landmark, state, x, y, annotator, at, source, "
      "change) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      image, stamp.reading, stamp.revision, edit.landmark, state_of(edit), x_of(edit), y_of(edit),
      stamp.annotator, stamp.at, name_of(stamp.source), stamp.change);
}

void write_revision(Connection& db, Id image, const Stamp& stamp) {
  tell(db, "INSERT OR REPLACE INTO readings VALUES(?, ?, ?, ?, ?)", image, stamp.reading,
       stamp.revision, stamp.annotator, stamp.at);
}

std::vector<HistoryEntry> history_of(Connection& db, Id image) {
  Ask ask(db,
          "SELECT revision, reading, landmark, name, state, x, y, annotator, at, source, change "
          "FROM history JOIN landmarks ON landmarks.id = landmark WHERE image = ? "
          "ORDER BY history.id DESC",
          image);
  std::vector<HistoryEntry> history;
  while (ask.next()) history.push_back(entry_in(ask));
  return history;
}

std::vector<Reading> first_readings(Connection& db, Id project) {
  std::vector<Reading> readings;
  std::map<Id, std::size_t> place_of;
  const std::vector<ImageRecord> images = images_of(db, project);
  for (const ImageRecord& image : images) {
    place_of.emplace(image.id, readings.size());
    readings.push_back({.complete = image.complete});
  }
  add_revisions(db, project, place_of, readings);
  add_points(db, project, place_of, readings);
  return readings;
}

}  // namespace caos::studio
