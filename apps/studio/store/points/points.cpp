#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "apps/studio/store/checks.hpp"
#include "apps/studio/store/database/clock.hpp"
#include "apps/studio/store/database/rows.hpp"
#include "apps/studio/store/points/point_rows.hpp"
#include "apps/studio/store/store_impl.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;
using NamesById = std::map<Id, std::string>;

bool is_known(Connection& db, const Change& change) {
  return Ask(db, "SELECT 1 FROM history WHERE image = ? AND reading = ? AND change = ? LIMIT 1",
             change.image, change.reading, change.id)
      .next();
}

NamesById names_of(Connection& db, Id project) {
  NamesById names;
  for (const SchemeLandmark& landmark : landmarks_of(db, project)) {
    names.emplace(landmark.id, landmark.name);
  }
  return names;
}

void check_place(const Edit& edit, const std::string& landmark, const ImageRecord& image) {
  const bool is_within = std::isfinite(edit.x) && std::isfinite(edit.y) && edit.x >= 0 &&
                         edit.y >= 0 && edit.x < static_cast<double>(image.width) &&
                         edit.y < static_cast<double>(image.height);
  require(is_within, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "'{}': landmark '{}' at ({}, {}) lies outside of the image, which has {} x "
        "{} pixels",
        image.name, landmark, edit.x, edit.y, image.width, image.height);
  });
}

void check_edit(const Edit& edit, const NamesById& names, const ImageRecord& image) {
  const auto name = names.find(edit.landmark);
  require(name != names.end(), ErrorKind::invalid_input, [&] {
    return fmt::format("the scheme has no landmark {}; load the scheme again", edit.landmark);
  });
  if (edit.state && *edit.state != PointState::missing) check_place(edit, name->second, image);
}

/// What a proposal may have led to has no place among the points that calibrate.
void check_source(const Change& change, const ImageRecord& image, const Sampling& sampling,
                  bool may_restore) {
  const bool fits = !image.is_blind(sampling) || change.source == Source::blind ||
                    change.source == Source::import ||
                    (may_restore && change.source == Source::restore);
  require(fits, ErrorKind::invalid_input, [&] {
    return fmt::format("'{}' is in the {}, which is labeled blind; '{}' is for other images",
                       image.name, image.in_audit() ? "audit" : "sample", name_of(change.source));
  });
}

/// Labels that were changed after the result was seen would decide the result.
void require_not_frozen(const Change& change, const ImageRecord& image) {
  require(image.audit != AuditRole::finished || change.reading != 1, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "'{}' belongs to a finished audit, whose labels are frozen; use the second reading to label "
        "it again",
        image.name);
  });
}

/// Requires that the change is new and all has been checked.
void write_change(Connection& db, const Change& change, std::int64_t revision) {
  const Stamp stamp{.revision = revision,
                    .reading = change.reading,
                    .annotator = change.annotator,
                    .at = utc_now(),
                    .source = change.source,
                    .change = change.id};
  for (const Edit& edit : change.edits) write_edit(db, change.image, edit, stamp);
  write_revision(db, change.image, stamp);
}

bool is_same(const Edit& edit, const Point& point) {
  if (edit.state != point.state) return false;
  return point.state == PointState::missing || (edit.x == point.x && edit.y == point.y);
}

/// Whether an edit changes a point that regions were made with, or may have been: that of a labeled
/// image, or one that was there when results were first seen.
bool changes_points(const Change& change, const Reading& reading, const std::string& seen_at) {
  return std::ranges::any_of(change.edits, [&](const Edit& edit) {
    const auto point = std::ranges::find(reading.points, edit.landmark, &Point::landmark);
    if (point == reading.points.end() || is_same(edit, *point)) return false;
    return reading.complete || point->at <= seen_at;
  });
}

/// Changes of one project, one after another.
class Changer {
 public:
  Changer(Connection& db, Id project, bool may_restore)
      : db_(db),
        project_(project),
        may_restore_(may_restore),
        sampling_(find_project(db, project).sampling),
        results_seen_at_(find_project(db, project).integrity.results_seen_at),
        names_(names_of(db, project)) {}

  /// False where the revision is not `base`.
  bool apply(const Change& change, std::optional<std::int64_t> base) {
    const ImageRecord image = find_image(db_, project_, change.image);
    if (is_known(db_, change)) return true;
    const std::int64_t revision = revision_of(db_, change.image, change.reading);
    if (base && *base != revision) return false;
    check_source(change, image, sampling_, may_restore_);
    require_not_frozen(change, image);
    for (const Edit& edit : change.edits) check_edit(edit, names_, image);
    note_relabeled(change, image);
    write_change(db_, change, revision + 1);
    return true;
  }

 private:
  /// Results may have been the reason, once they were seen.
  void note_relabeled(const Change& change, const ImageRecord& image) {
    const bool calibrates = image.in_sample(sampling_) && change.reading == 1;
    if (results_seen_at_.empty() || !calibrates) return;
    const Reading reading = reading_of(db_, project_, image.id, 1);
    if (!changes_points(change, reading, results_seen_at_)) return;
    tell(db_, "UPDATE projects SET relabeled_at = ? WHERE id = ? AND relabeled_at = ''", utc_now(),
         project_);
  }

  Connection& db_;
  Id project_;
  bool may_restore_;
  Sampling sampling_;
  std::string results_seen_at_;
  NamesById names_;
};

void check_reading(int reading) {
  require(reading == 1 || reading == 2, ErrorKind::invalid_input,
          [&] { return fmt::format("unknown reading {}; readings are 1 and 2", reading); });
}

}  // namespace

Reading Store::reading(Id project, Id image, int reading) {
  check_reading(reading);
  return impl_->read([&](Connection& db) {
    static_cast<void>(find_image(db, project, image));
    return reading_of(db, project, image, reading);
  });
}

std::vector<Reading> Store::readings(Id project) {
  return impl_->read([&](Connection& db) {
    static_cast<void>(find_project(db, project));
    return first_readings(db, project);
  });
}

ChangeOutcome Store::apply(Id project, const Change& change) {
  check_change(change);
  return impl_->write([&](Connection& db) {
    const bool applied = Changer(db, project, false).apply(change, change.base);
    return ChangeOutcome{applied, reading_of(db, project, change.image, change.reading)};
  });
}

void Store::apply_all(Id project, std::span<const Change> changes) {
  for (const Change& change : changes) check_change(change);
  impl_->write([&](Connection& db) {
    Changer changer(db, project, true);
    for (const Change& change : changes) changer.apply(change, std::nullopt);
  });
}

std::vector<HistoryEntry> Store::history(Id project, Id image) {
  return impl_->read([&](Connection& db) {
    static_cast<void>(find_image(db, project, image));
    return history_of(db, image);
  });
}

std::vector<std::string> Store::annotators(Id project) {
  return impl_->read([&](Connection& db) {
    static_cast<void>(find_project(db, project));
    Ask ask(db,
            "SELECT DISTINCT annotator FROM history JOIN images ON images.id = image "
            "WHERE project = ? ORDER BY annotator",
            project);
    std::vector<std::string> names;
    while (ask.next()) names.push_back(ask.text(0));
    return names;
  });
}

}  // namespace caos::studio
