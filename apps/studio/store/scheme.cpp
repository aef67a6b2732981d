#include <fmt/format.h>

#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "apps/studio/store/checks.hpp"
#include "apps/studio/store/limits.hpp"
#include "apps/studio/store/rows.hpp"
#include "apps/studio/store/store_impl.hpp"
#include "caos/core/error.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;
using Scheme = std::vector<SchemeLandmark>;

/// Okabe and Ito's colours, which colour-blind people tell apart.
constexpr std::array palette = {"#e69f00", "#56b4e9", "#009e73", "#f0e442",
                                "#0072b2", "#d55e00", "#cc79a7"};

bool is_color(const std::string& text) {
  return text.size() == 7 && text[0] == '#' &&
         text.find_first_not_of("0123456789abcdefABCDEF", 1) == text.npos;
}

void choose_colors(Scheme& scheme) {
  for (std::size_t i = 0; i < scheme.size(); ++i) {
    if (scheme[i].color.empty()) scheme[i].color = palette[i % palette.size()];
  }
}

void check_landmark(const SchemeLandmark& landmark) {
  check_name(landmark.name, limits::landmark_name, "the name of a landmark");
  require(is_color(landmark.color), ErrorKind::invalid_input, [&] {
    return fmt::format("the colour of landmark '{}' must be like #0072b2", landmark.name);
  });
}

/// A name says its landmark; one that is there twice does not.
std::map<std::string, SchemeLandmark*> by_name(Scheme& scheme) {
  std::map<std::string, SchemeLandmark*> found;
  for (SchemeLandmark& landmark : scheme) {
    require(found.emplace(landmark.name, &landmark).second, ErrorKind::invalid_input, [&] {
      return fmt::format("two landmarks are called '{}'; give each a name of its own",
                         landmark.name);
    });
  }
  return found;
}

/// Makes pairs go both ways: it is enough that one side names the other.
void complete_pairs(Scheme& scheme) {
  const auto named = by_name(scheme);
  for (SchemeLandmark& landmark : scheme) {
    if (!landmark.pair) continue;
    const auto other = named.find(*landmark.pair);
    const bool fits = other != named.end() && other->second != &landmark &&
                      other->second->pair.value_or(landmark.name) == landmark.name;
    require(fits, ErrorKind::invalid_input, [&] {
      return fmt::format(
          "landmark '{}' cannot be paired with '{}'; a pair is two landmarks of the "
          "scheme that name each other",
          landmark.name, *landmark.pair);
    });
    other->second->pair = landmark.name;
  }
}

Scheme checked(Scheme scheme) {
  require(scheme.size() <= limits::landmarks, ErrorKind::invalid_input, [&] {
    return fmt::format("there are {} landmarks; at most {} are allowed", scheme.size(),
                       limits::landmarks);
  });
  choose_colors(scheme);
  for (const SchemeLandmark& landmark : scheme) check_landmark(landmark);
  complete_pairs(scheme);
  return scheme;
}

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
    tell(db, "INSERT INTO landmarks(project, position, name, color, pair) VALUES(?, ?, ?, ?, ?)",
         project, position, landmark.name, landmark.color, landmark.pair);
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

}  // namespace

std::vector<SchemeLandmark> Store::scheme(Id project) {
  return impl_->read([&](Connection& db) {
    static_cast<void>(find_project(db, project));
    return landmarks_of(db, project);
  });
}

std::optional<Project> Store::replace_scheme(Id project, std::int64_t base, const Scheme& scheme,
                                             bool drop_points) {
  const Scheme wanted = checked(scheme);
  return impl_->write([&](Connection& db) -> std::optional<Project> {
    if (find_project(db, project).scheme_revision != base) return std::nullopt;
    const std::vector<Id> gone = ids_that_go(db, project, wanted);
    if (!drop_points) require_no_points(db, gone);
    put_scheme(db, project, wanted, gone);
    return find_project(db, project);
  });
}

std::size_t Store::points_lost(Id project, const Scheme& scheme) {
  return impl_->read([&](Connection& db) {
    static_cast<void>(find_project(db, project));
    return points_of(db, ids_that_go(db, project, scheme));
  });
}

}  // namespace caos::studio
