#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/studio/store/records.hpp"
#include "caos/io/sqlite.hpp"

// Points and their history as rows. Nothing is checked here.
namespace caos::studio {

/// Author, kind and time of a change; the same for all its edits.
struct Stamp {
  std::int64_t revision = 0;
  int reading = 1;
  std::string annotator{};
  std::string at{};
  Source source = Source::blind;
  std::string change{};
};

/// 0 for an unchanged reading.
[[nodiscard]] std::int64_t revision_of(io::sqlite::Connection& db, Id image, int reading);

/// The point as it is now, and a line of the history.
void write_edit(io::sqlite::Connection& db, Id image, const Edit& edit, const Stamp& stamp);

/// A line of the history alone.
void write_history(io::sqlite::Connection& db, Id image, const Edit& edit, const Stamp& stamp);

void write_revision(io::sqlite::Connection& db, Id image, const Stamp& stamp);

/// The newest first.
[[nodiscard]] std::vector<HistoryEntry> history_of(io::sqlite::Connection& db, Id image);

/// Of all images of a project, in the order in which they were added.
[[nodiscard]] std::vector<Reading> first_readings(io::sqlite::Connection& db, Id project);

}  // namespace caos::studio
