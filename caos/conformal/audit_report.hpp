#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caos/audit.hpp"
#include "caos/scores.hpp"

namespace caos {

/// How one landmark of one audited unit turned out.
enum class AuditOutcome : std::uint8_t {
  missed,     ///< the landmark lies outside its region
  contained,  ///< inside
  absent,     ///< the image lacks it, which counts as a hit
};

/// What can be claimed of one landmark, or of whole images.
struct AuditFinding {
  std::optional<std::string> landmark{};  ///< nothing: all landmarks of an image
  std::size_t absent = 0;                 ///< audited units that lack it; of images: all of them
  std::vector<std::size_t> missed{};      ///< positions of the audited units that are not hits
  AuditBound bound{};
  std::string statement{};
};

struct AuditReportOptions {
  Confidence confidence = Confidence::parse(default_confidence);
  bool together = false;  ///< whether all statements hold together (Bonferroni), or each alone
  AuditUnit unit = AuditUnit::image;
  AuditAbsence absence = AuditAbsence::lacking;
};

struct AuditReport {
  std::size_t audited = 0;
  std::optional<std::size_t> pool{};
  AuditReportOptions options{};
  std::vector<AuditFinding> findings{};  ///< one per landmark; then images, if there are several
  std::string assumption{};
};

/// What the outcomes [audited units, landmarks] say about the regions that were not audited.
/// Throws as `audit_bound` does, and `invalid_input` unless there is a column per landmark.
[[nodiscard]] AuditReport audit_report(std::span<const std::string> landmarks,
                                       MatrixView<const AuditOutcome> outcomes,
                                       std::optional<std::size_t> pool,
                                       const AuditReportOptions& options = {});

/// How many statements a report about so many landmarks makes.
[[nodiscard]] std::size_t num_audit_statements(std::size_t num_landmarks);

/// The report for people.
[[nodiscard]] std::string text_of(const AuditReport& report);

}  // namespace caos
