#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "apps/studio/store/acceptance/acceptance_rows.hpp"
#include "apps/studio/store/backups/snapshot_checks.hpp"
#include "apps/studio/store/database/clock.hpp"
#include "apps/studio/store/database/rows.hpp"
#include "apps/studio/store/images/image_files.hpp"
#include "apps/studio/store/measures/measure_rows.hpp"
#include "apps/studio/store/points/point_rows.hpp"
#include "apps/studio/store/sampling/random_order.hpp"
#include "apps/studio/store/store_impl.hpp"
#include "apps/studio/store/store_limits.hpp"
#include "caos/error.hpp"
#include "caos/io/utf8.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;
using BytesOf = std::function<std::vector<std::byte>(const std::string&)>;

void require_same(bool is_same, const ImageRecord& image) {
  require(is_same, ErrorKind::bad_format, [&] {
    return fmt::format("the backup has another '{}' than its list says; it is damaged", image.name);
  });
}

std::vector<Id> insert_landmarks(Connection& db, Id project, const ProjectSnapshot& snapshot) {
  std::vector<Id> ids;
  for (const SchemeLandmark& landmark : snapshot.scheme) {
    ids.push_back(insert_landmark(db, project, landmark, ids.size()));
  }
  for (const SchemeLandmark& landmark : snapshot.removed) {
    ids.push_back(insert_landmark(db, project, landmark, std::nullopt));
  }
  return ids;
}

Stamp stamp_of(const HistoryEntry& entry) {
  return {.revision = entry.revision,
          .reading = entry.reading,
          .annotator = entry.annotator,
          .at = entry.at,
          .source = entry.source,
          .change = entry.change};
}

/// What was done once is done again; points of landmarks that were removed are gone afterwards.
void replay(Connection& db, Id image, const std::vector<HistoryEntry>& history,
            const std::vector<Id>& landmarks, std::size_t num_in_scheme) {
  for (const HistoryEntry& entry : history) {
    const auto place = static_cast<std::size_t>(entry.landmark);
    const Edit edit{landmarks[place], entry.state, entry.x, entry.y};
    const Stamp stamp = stamp_of(entry);
    if (place < num_in_scheme) {
      write_edit(db, image, edit, stamp);
    } else {
      write_history(db, image, edit, stamp);
    }
    write_revision(db, image, stamp);
  }
}

void restore_image(Connection& db, Id project, const ImageSnapshot& snapshot,
                   const std::vector<Id>& landmarks, std::size_t num_in_scheme) {
  const Id image = insert_image(db, project, snapshot.image);
  tell(db, "UPDATE images SET place = ?, seen_at = ? WHERE id = ?", snapshot.image.order,
       snapshot.image.seen_at, image);
  replay(db, image, snapshot.history, landmarks, num_in_scheme);
}

/// When an image was first seen; empty: never.
std::string first_seen(const ProjectSnapshot& snapshot) {
  std::string first;
  for (const ImageSnapshot& image : snapshot.images) {
    const std::string& seen_at = image.image.seen_at;
    if (!seen_at.empty() && (first.empty() || seen_at < first)) first = seen_at;
  }
  return first;
}

/// What no backup says: what was seen between the time it was made and now.
void note_restored(Integrity& integrity, const std::string& made_at) {
  if (!integrity.restored_at.empty()) return;  // the first time is the longest ago
  integrity.restored_at = utc_now();
  integrity.backup_at = made_at;
}

/// Images of the sample that the snapshot lacks count as removed, and results as seen once those of
/// an image were, whatever it says.
Integrity restored_integrity(const ProjectSnapshot& snapshot) {
  Integrity integrity = snapshot.project.integrity;
  const std::size_t largest = snapshot.project.sampling.largest;
  const auto is_there = [&](const ImageSnapshot& image) {
    return image.image.order && *image.image.order < largest;
  };
  const auto present = static_cast<std::size_t>(std::ranges::count_if(snapshot.images, is_there));
  integrity.removed = std::max(integrity.removed, largest - present);
  if (integrity.results_seen_at.empty()) integrity.results_seen_at = first_seen(snapshot);
  note_restored(integrity, snapshot.made_at);
  return integrity;
}

/// Backups of earlier versions do not say how many places the order had, nor whether results had
/// been seen before the draw.
Sampling restored_sampling(const ProjectSnapshot& snapshot) {
  Sampling sampling = snapshot.project.sampling;
  std::vector<ImageRecord> images;
  for (const ImageSnapshot& image : snapshot.images) images.push_back(image.image);
  if (sampling.units == 0) sampling.units = std::max(largest_sample(images), sampling.largest);
  const std::string seen_at = first_seen(snapshot);
  const bool is_early = !seen_at.empty() && seen_at < sampling.drawn_at;
  sampling.after_results =
      sampling.after_results || (sampling.kind == Sampling::Kind::random && is_early);
  return sampling;
}

/// A backup has neither the candidates nor the proposals of a plan that was not carried out.
Acceptance restored_acceptance(Acceptance acceptance) {
  if (acceptance.is_open()) acceptance.discarded_at = utc_now();
  return acceptance;
}

Measures with_numbers(Measures measures, const std::vector<Id>& landmarks) {
  const auto number_of = [&](Id place) { return landmarks[static_cast<std::size_t>(place)]; };
  for (Measure& measure : measures.measures) {
    std::ranges::transform(measure.landmarks, measure.landmarks.begin(), number_of);
  }
  for (auto& [from, to] : measures.skeleton) {
    from = number_of(from);
    to = number_of(to);
  }
  return measures;
}

/// The name, with a number where another project has it, so that the two can be told apart.
std::string free_name(Connection& db, const std::string& name) {
  const std::vector<Project> projects = all_projects(db);
  const auto is_free = [&](const std::string& text) {
    return std::ranges::find(projects, text, &Project::name) == projects.end();
  };
  std::string free = name;
  for (std::size_t number = 2; !is_free(free); ++number) {
    const std::string suffix = fmt::format(" ({})", number);
    const std::size_t room = limits::project_name - suffix.size();
    free = name.size() <= room ? name : name.substr(0, text::character_start(name, room));
    free += suffix;
  }
  return free;
}

Id restore_rows(Connection& db, const ProjectSnapshot& snapshot) {
  require_room(db);
  Project restored = snapshot.project;
  restored.name = free_name(db, restored.name);
  const Id project = insert_project(db, restored);
  write_sampling(db, project, restored_sampling(snapshot));
  write_integrity(db, project, restored_integrity(snapshot));
  tell(db, "UPDATE projects SET scheme_revision = ? WHERE id = ?", snapshot.project.scheme_revision,
       project);
  const std::vector<Id> landmarks = insert_landmarks(db, project, snapshot);
  for (const ImageSnapshot& image : snapshot.images) {
    restore_image(db, project, image, landmarks, snapshot.scheme.size());
  }
  for (const Audit& audit : snapshot.audits) insert_audit(db, project, audit);
  for (const Acceptance& acceptance : snapshot.acceptances) {
    insert_acceptance(db, project, restored_acceptance(acceptance));
  }
  write_measures(db, project, with_numbers(snapshot.measures, landmarks));
  return project;
}

/// Complaints of the checks are about the backup here, not about a request.
void check(const ProjectSnapshot& snapshot) {
  try {
    check_snapshot(snapshot);
  } catch (const Error& error) {
    throw Error(ErrorKind::bad_format,
                fmt::format("the backup cannot be restored: {}", error.what()));
  }
}

}  // namespace

Project Store::restore(const ProjectSnapshot& snapshot, const BytesOf& bytes_of) {
  check(snapshot);
  Impl::ExpectedFiles expected(*impl_);
  // Files first, without the lock: others go on working while images are looked at.
  for (const auto& [image, readings, history] : snapshot.images) {
    const std::vector<std::byte> bytes = bytes_of(image.sha256);
    require_same(sha256_of(bytes) == image.sha256, image);
    const vision::ImageInfo info = impl_->inspect(bytes, image.name);
    require_same(info.width == image.width && info.height == image.height, image);
    expected.put(image.sha256, bytes);
  }
  return impl_->write([&](Connection& db) { return find_project(db, restore_rows(db, snapshot)); });
}

}  // namespace caos::studio
