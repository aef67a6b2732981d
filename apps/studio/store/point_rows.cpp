#include "apps/studio/store/point_rows.hpp"

#include <optional>

#include "apps/studio/store/ask.hpp"
#include "apps/studio/store/rows.hpp"

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
  for (const ImageRecord& image : images_of(db, project)) {
    readings.push_back(reading_of(db, project, image.id, 1));
  }
  return readings;
}

}  // namespace caos::studio
