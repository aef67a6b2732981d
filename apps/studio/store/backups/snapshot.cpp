#include "apps/studio/store/backups/snapshot.hpp"

#include <map>
#include <utility>

#include "apps/studio/store/acceptance/acceptance_rows.hpp"
#include "apps/studio/store/database/rows.hpp"
#include "apps/studio/store/measures/measure_rows.hpp"
#include "apps/studio/store/points/point_rows.hpp"
#include "apps/studio/store/store_impl.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;

/// From numbers of rows to places in the snapshot; takes the numbers away.
std::map<Id, Id> take_numbers(ProjectSnapshot& snapshot) {
  std::map<Id, Id> places;
  for (auto* const landmarks : {&snapshot.scheme, &snapshot.removed}) {
    for (SchemeLandmark& landmark : *landmarks) {
      const auto place = static_cast<Id>(places.size());
      places.emplace(std::exchange(landmark.id, 0), place);
    }
  }
  return places;
}

ReadingSnapshot reading_in(Connection& db, Id project, Id image, int number,
                           const std::map<Id, Id>& places) {
  Reading reading = reading_of(db, project, image, number);
  for (Point& point : reading.points) point.landmark = places.at(point.landmark);
  return {number, reading.revision, reading.changed_by, reading.changed_at,
          std::move(reading.points)};
}

std::vector<HistoryEntry> history_in(Connection& db, Id image, const std::map<Id, Id>& places) {
  std::vector<HistoryEntry> history = history_of(db, image);
  for (HistoryEntry& entry : history) entry.landmark = places.at(entry.landmark);
  return {history.rbegin(), history.rend()};
}

ImageSnapshot image_in(Connection& db, Id project, const ImageRecord& image,
                       const std::map<Id, Id>& places) {
  ImageSnapshot snapshot{.image = image, .history = history_in(db, image.id, places)};
  for (const int number : {1, 2}) {
    ReadingSnapshot reading = reading_in(db, project, image.id, number, places);
    if (reading.revision > 0) snapshot.readings.push_back(std::move(reading));
  }
  snapshot.image.id = 0;
  snapshot.image.revision = 0;
  snapshot.image.num_points = 0;
  snapshot.image.complete = false;
  snapshot.image.audit = AuditRole::none;
  snapshot.image.num_second_points = 0;
  snapshot.image.second_complete = false;
  return snapshot;
}

Measures with_places(Measures measures, const std::map<Id, Id>& places) {
  for (Measure& measure : measures.measures) {
    for (Id& landmark : measure.landmarks) landmark = places.at(landmark);
  }
  for (auto& [from, to] : measures.skeleton) {
    from = places.at(from);
    to = places.at(to);
  }
  return measures;
}

}  // namespace

ProjectSnapshot Store::snapshot(Id project) {
  return impl_->read([&](Connection& db) {
    ProjectSnapshot snapshot{.project = find_project(db, project),
                             .scheme = landmarks_of(db, project),
                             .removed = removed_landmarks(db, project)};
    const std::map<Id, Id> places = take_numbers(snapshot);
    for (const ImageRecord& image : images_of(db, project)) {
      snapshot.images.push_back(image_in(db, project, image, places));
    }
    snapshot.project.id = 0;
    snapshot.audits = audits_of(db, project);
    for (Audit& audit : snapshot.audits) audit.id = 0;
    snapshot.acceptances = acceptances_of(db, project);
    for (Acceptance& acceptance : snapshot.acceptances) acceptance.id = 0;
    snapshot.measures = with_places(measures_of(db, project), places);
    return snapshot;
  });
}

}  // namespace caos::studio
