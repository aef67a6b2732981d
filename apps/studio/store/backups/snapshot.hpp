#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/studio/store/acceptance/acceptance_record.hpp"
#include "apps/studio/store/measures/measures.hpp"
#include "apps/studio/store/records.hpp"

namespace caos::studio {

/// One reading of an image with all that is known of it.
struct ReadingSnapshot {
  int number = 1;
  std::int64_t revision = 0;
  std::string changed_by{};
  std::string changed_at{};
  std::vector<Point> points{};

  friend bool operator==(const ReadingSnapshot&, const ReadingSnapshot&) = default;
};

struct ImageSnapshot {
  ImageRecord image{};  ///< without its number, and without what readings and audits say
  std::vector<ReadingSnapshot> readings{};
  std::vector<HistoryEntry> history{};  ///< the oldest first

  friend bool operator==(const ImageSnapshot&, const ImageSnapshot&) = default;
};

/// All that is kept of a project, but for the bytes of its images. Landmarks are referred to by
/// their places in `scheme` and, after those, in `removed`; there are no numbers of rows.
struct ProjectSnapshot {
  Project project{};
  std::vector<SchemeLandmark> scheme{};
  std::vector<SchemeLandmark> removed{};  ///< no more in the scheme, but in the history
  std::vector<ImageSnapshot> images{};
  std::vector<Audit> audits{};  ///< the oldest first, without their numbers
  /// The oldest first, without their numbers, candidates and points.
  std::vector<Acceptance> acceptances{};
  Measures measures{};
  std::string made_at{};  ///< when it was made; empty in backups of earlier versions

  friend bool operator==(const ProjectSnapshot&, const ProjectSnapshot&) = default;
};

}  // namespace caos::studio
