#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "apps/studio/store/checks.hpp"
#include "apps/studio/store/database/clock.hpp"
#include "apps/studio/store/database/rows.hpp"
#include "apps/studio/store/store_impl.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;
using Scheme = std::vector<SchemeLandmark>;

std::set<Id> ids_of(const Scheme& scheme) {
  std::set<Id> ids;
  for (const SchemeLandmark& landmark : scheme) {
    const bool is_new = landmark.id == 0;
    require(is_new || ids.insert(landmark.id).second, ErrorKind::invalid_input,
            [&] { return fmt::format("landmark {} is there twice", landmark.id); });
  }
  return ids;
}

/// Landmarks that are there now and would not be any more; others must be known.
std::vector<Id> ids_that_go(Connection& db, Id project, const Scheme& scheme) {
  std::set<Id> kept = ids_of(scheme);
  std::vector<Id> gone;
  for (const SchemeLandmark& landmark : landmarks_of(db, project)) {
    if (kept.erase(landmark.id) == 0) gone.push_back(landmark.id);
  }
  require(kept.empty(), ErrorKind::invalid_input, [&] {
    return fmt::format("the scheme has no landmark {}; leave the id out of a new one",
                       *kept.begin());
  });
  return gone;
}

std::size_t points_of(Connection& db, const std::vector<Id>& landmarks) {
  std::size_t count = 0;
  for (const Id landmark : landmarks) {
    Ask ask(db, "SELECT count(*) FROM points WHERE landmark = ?", landmark);
    ask.next();
    count += ask.count(0);
  }
  return count;
}

void require_no_points(Connection& db, const std::vector<Id>& landmarks) {
  const std::size_t points = points_of(db, landmarks);
  require(points == 0, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "the landmarks that would go have {} points, which would be lost; confirm "
        "that, or keep the landmarks",
        points);
  });
}

void put_landmark(Connection& db, Id project, const SchemeLandmark& landmark,
                  std::size_t position) {
  if (landmark.id == 0) {
    insert_landmark(db, project, landmark, position);
  } else {
    tell(db, "UPDATE landmarks SET position = ?, name = ?, color = ?, pair = ? WHERE id = ?",
         position, landmark.name, landmark.color, landmark.pair, landmark.id);
  }
}

/// All leave their places first, so that two may exchange their names.
void put_scheme(Connection& db, Id project, const Scheme& scheme, const std::vector<Id>& gone) {
  for (const Id landmark : gone) tell(db, "DELETE FROM points WHERE landmark = ?", landmark);
  tell(db, "UPDATE landmarks SET position = NULL WHERE project = ?", project);
  for (std::size_t i = 0; i < scheme.size(); ++i) put_landmark(db, project, scheme[i], i);
  tell(db, "UPDATE projects SET scheme_revision = scheme_revision + 1 WHERE id = ?", project);
}

/// Points of the sample that are taken away after results were seen could be placed again
/// otherwise, because of them.
void note_dropped(Connection& db, Id project, const std::vector<Id>& gone) {
  for (const Id landmark : gone) {
    tell(db,
         "UPDATE projects SET relabeled_at = ? WHERE id = ? AND relabeled_at = '' AND "
         "results_seen_at <> '' AND sampling <> 'none' AND EXISTS(SELECT 1 FROM points JOIN images "
         "ON images.id = image WHERE landmark = ? AND reading = 1 AND place < sample_largest)",
         utc_now(), project, landmark);
  }
}

/// Whether landmarks come or go that belong to a target of all landmarks at once, and results of
/// which were seen.
bool costs_guarantee(Connection& db, Id project, const Scheme& scheme) {
  const Project found = find_project(db, project);
  const Integrity& integrity = found.integrity;
  const bool is_fixed = found.settings.simultaneous && !integrity.results_seen_at.empty() &&
                        integrity.retargeted_at.empty();
  if (!is_fixed) return false;
  const auto is_new = [](const SchemeLandmark& landmark) { return landmark.id == 0; };
  return std::ranges::any_of(scheme, is_new) || !ids_that_go(db, project, scheme).empty();
}

}  // namespace

std::vector<SchemeLandmark> Store::scheme(Id project) {
  return impl_->read([&](Connection& db) {
    static_cast<void>(find_project(db, project));
    return landmarks_of(db, project);
  });
}

std::optional<Project> Store::replace_scheme(Id project, std::int64_t base, const Scheme& scheme,
                                             bool drop_points, bool confirmed) {
  const Scheme wanted = checked_scheme(scheme);
  return impl_->write([&](Connection& db) -> std::optional<Project> {
    if (find_project(db, project).scheme_revision != base) return std::nullopt;
    const std::vector<Id> gone = ids_that_go(db, project, wanted);
    if (!drop_points) require_no_points(db, gone);
    const bool is_costly = costs_guarantee(db, project, wanted);
    require(confirmed || !is_costly, ErrorKind::invalid_input, retargeting_cost);
    note_dropped(db, project, gone);
    put_scheme(db, project, wanted, gone);
    if (is_costly) {
      tell(db, "UPDATE projects SET retargeted_at = ? WHERE id = ?", utc_now(), project);
    }
    return find_project(db, project);
  });
}

bool Store::rescheming_costs_guarantee(Id project, const Scheme& scheme) {
  return impl_->read([&](Connection& db) { return costs_guarantee(db, project, scheme); });
}

std::size_t Store::points_lost(Id project, const Scheme& scheme) {
  return impl_->read([&](Connection& db) {
    static_cast<void>(find_project(db, project));
    return points_of(db, ids_that_go(db, project, scheme));
  });
}

}  // namespace caos::studio
