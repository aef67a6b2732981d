#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "apps/studio/store/database/rows.hpp"
#include "apps/studio/store/measures/measure_rows.hpp"
#include "apps/studio/store/store_impl.hpp"

namespace caos::studio {
namespace {

using io::sqlite::Connection;

constexpr const char* line_kind = "line";

std::vector<Id> numbers_in(const std::string& text) {
  std::istringstream stream(text);
  std::vector<Id> numbers;
  for (Id number = 0; stream >> number;) numbers.push_back(number);
  return numbers;
}

std::set<Id> scheme_of(Connection& db, Id project) {
  std::set<Id> ids;
  for (const SchemeLandmark& landmark : landmarks_of(db, project)) ids.insert(landmark.id);
  return ids;
}

std::int64_t revision_in(Connection& db, Id project) {
  Ask ask(db, "SELECT measures_revision FROM projects WHERE id = ?", project);
  return ask.next() ? ask.integer(0) : 0;
}

void insert_row(Connection& db, Id project, std::size_t position, const std::string& name,
                const std::string& kind, const std::vector<Id>& landmarks) {
  tell(db, "INSERT INTO measures VALUES(?, ?, ?, ?, ?)", project, position, name, kind,
       fmt::format("{}", fmt::join(landmarks, " ")));
}

}  // namespace

Measures measures_of(Connection& db, Id project) {
  const std::set<Id> scheme = scheme_of(db, project);
  Measures all{.revision = revision_in(db, project)};
  Ask ask(db, "SELECT name, kind, landmarks FROM measures WHERE project = ? ORDER BY position",
          project);
  while (ask.next()) {
    const std::vector<Id> landmarks = numbers_in(ask.text(2));
    const auto is_known = [&](Id landmark) { return scheme.contains(landmark); };
    if (!std::ranges::all_of(landmarks, is_known)) continue;
    if (ask.text(1) == line_kind) {
      all.skeleton.emplace_back(landmarks.at(0), landmarks.at(1));
    } else {
      all.measures.push_back({ask.text(0), parse_measure_kind(ask.text(1)), landmarks});
    }
  }
  return all;
}

void write_measures(Connection& db, Id project, const Measures& measures) {
  tell(db, "DELETE FROM measures WHERE project = ?", project);
  std::size_t position = 0;
  for (const Measure& measure : measures.measures) {
    insert_row(db, project, position++, measure.name, name_of(measure.kind), measure.landmarks);
  }
  for (const auto& [from, to] : measures.skeleton) {
    insert_row(db, project, position++, "", line_kind, {from, to});
  }
  tell(db, "UPDATE projects SET measures_revision = ? WHERE id = ?", measures.revision, project);
}

Measures Store::measures(Id project) {
  return impl_->read([&](Connection& db) {
    static_cast<void>(find_project(db, project));
    return measures_of(db, project);
  });
}

std::optional<Measures> Store::replace_measures(Id project, std::int64_t base,
                                                const Measures& measures) {
  return impl_->write([&](Connection& db) -> std::optional<Measures> {
    static_cast<void>(find_project(db, project));
    if (revision_in(db, project) != base) return std::nullopt;
    const std::set<Id> scheme = scheme_of(db, project);
    check_measures(measures, {scheme.begin(), scheme.end()});
    Measures written = measures;
    written.revision = base + 1;
    write_measures(db, project, written);
    return measures_of(db, project);
  });
}

}  // namespace caos::studio
