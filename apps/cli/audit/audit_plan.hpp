#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/audit/frozen_regions.hpp"
#include "apps/cli/program.hpp"
#include "caos/conformal/audit_report.hpp"

namespace caos::cli {

/// A file that an audit depends on, as it was when the audit was drawn.
struct FixedFile {
  std::string path;
  std::string sha256;
};

/// One unit of an audit: the image that is labeled, and the subject that it stands for.
struct AuditedUnit {
  std::string image;
  std::optional<std::string> subject{};

  friend bool operator==(const AuditedUnit&, const AuditedUnit&) = default;
};

/// Everything that is fixed before an audit is labeled.
struct AuditPlan {
  FixedFile regions;
  std::optional<FixedFile> subjects{};
  AuditReportOptions options{};
  std::uint64_t seed = 0;
  std::size_t pool = 0;              ///< units that have regions
  std::vector<AuditedUnit> units{};  ///< the ones to label, in the order of the draw
};

/// Whose image it is, for every image of the pool, from a CSV file with the columns image and
/// subject; an image that it does not name is a subject of its own.
struct SubjectFile {
  FixedFile file;
  std::map<std::string, std::string> subject_of{};
};

[[nodiscard]] SubjectFile read_subjects(const std::string& path);

/// Draws the first `count` units of the seeded random order of the images, or of the subjects, each
/// with one of its images. Throws `invalid_input` if the pool has fewer.
[[nodiscard]] AuditPlan draw_audit(const RegionFile& regions,
                                   const std::optional<SubjectFile>& subjects, std::size_t count,
                                   std::uint64_t seed, const AuditReportOptions& options);

[[nodiscard]] Json to_json(const AuditPlan& plan);

/// Reads what `to_json` gives. A file that is not such a plan, or that was changed since, is an
/// Error bad_format.
[[nodiscard]] AuditPlan read_audit_plan(const std::string& path);

/// Throws `bad_format` unless these are the regions and subjects that the plan was drawn from, and
/// its units those that its seed draws.
void check_plan(const std::string& path, const AuditPlan& plan, const RegionFile& regions,
                const std::optional<SubjectFile>& subjects);

}  // namespace caos::cli
