#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/studio/store/records.hpp"
#include "caos/io/sqlite.hpp"

// From rows to records. What is not there is an Error not_found.
namespace caos::studio {

[[nodiscard]] std::vector<Project> all_projects(io::sqlite::Connection& db);
[[nodiscard]] Project find_project(io::sqlite::Connection& db, Id project);

/// In the order of the scheme.
[[nodiscard]] std::vector<SchemeLandmark> landmarks_of(io::sqlite::Connection& db, Id project);

/// Those that the history speaks of and the scheme no more.
[[nodiscard]] std::vector<SchemeLandmark> removed_landmarks(io::sqlite::Connection& db, Id project);

/// In the order in which they were added.
[[nodiscard]] std::vector<ImageRecord> images_of(io::sqlite::Connection& db, Id project);
[[nodiscard]] std::size_t num_images_of(io::sqlite::Connection& db, Id project);
/// Those that `condition` selects, in the order that it ends with: SQL behind `project = ? AND`.
[[nodiscard]] std::vector<ImageRecord> images_where(io::sqlite::Connection& db, Id project,
                                                    const std::string& condition,
                                                    const std::string& text);
[[nodiscard]] ImageRecord find_image(io::sqlite::Connection& db, Id project, Id image);

/// The oldest first.
[[nodiscard]] std::vector<Audit> audits_of(io::sqlite::Connection& db, Id project);
/// Writes an audit as it is, but for its number.
void insert_audit(io::sqlite::Connection& db, Id project, const Audit& audit);
void insert_audited_landmarks(io::sqlite::Connection& db, Id audit,
                              const std::vector<AuditedLandmark>& landmarks);

/// What `point_in` reads, from its first column on.
inline constexpr const char* point_columns = "landmark, state, x, y, annotator, at, source";
class Ask;
[[nodiscard]] Point point_in(const Ask& row);

/// Whether an image of any project has these bytes.
[[nodiscard]] bool has_file(io::sqlite::Connection& db, const std::string& sha256);

/// Requires that the image exists.
[[nodiscard]] Reading reading_of(io::sqlite::Connection& db, Id project, Id image, int reading);

/// Gives its number. Sampling and the revision of its scheme are those of a new project.
[[nodiscard]] Id insert_project(io::sqlite::Connection& db, const Project& project);

/// Gives its number. Without a position it is one that was removed.
Id insert_landmark(io::sqlite::Connection& db, Id project, const SchemeLandmark& landmark,
                   std::optional<std::size_t> position);

/// Gives its number; its points, place and sight are not written.
[[nodiscard]] Id insert_image(io::sqlite::Connection& db, Id project, const ImageRecord& image);

/// Everything about the sample but the places of its images.
void write_sampling(io::sqlite::Connection& db, Id project, const Sampling& sampling);
void write_integrity(io::sqlite::Connection& db, Id project, const Integrity& integrity);

/// Throws `invalid_input` where there are too many projects.
void require_room(io::sqlite::Connection& db);

/// Whether a landmark of this image has a state, in any reading.
[[nodiscard]] bool has_points(io::sqlite::Connection& db, Id image);

}  // namespace caos::studio
