#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/studio/store/records.hpp"
#include "apps/studio/workbench/project_view.hpp"

namespace caos::studio {

/// What an audit says of one landmark, or of all landmarks of an image at once.
struct AuditFinding {
  std::string landmark{};  ///< empty: all landmarks of an image at once
  std::size_t misses = 0;
  std::size_t absent = 0;             ///< images that lack the landmark, which count as satisfied
  std::size_t remaining_hits = 0;     ///< at least so many of the remaining regions are right
  double share = 0;                   ///< of the remaining regions, a lower bound
  std::string percent{};              ///< the share, rounded down
  std::string statement{};            ///< the claim in one sentence
  std::vector<std::string> missed{};  ///< the images, by name
};

/// One audit and where it stands.
struct AuditReport {
  Audit audit{};
  std::size_t num_labeled = 0;  ///< of its images
  std::size_t begun_before =
      0;                     ///< audits of the project that were begun before, also discarded ones
  std::string why_void{};    ///< why it does not judge the present regions; empty: it does
  std::string assumption{};  ///< under which its statements hold
  AuditFinding images{};     ///< once finished, as the rest
  std::vector<AuditFinding> landmarks{};
};

/// What an audit of some size can show: lower bounds in percent after 0, 1 and 2 misses.
struct AuditOffer {
  std::size_t size = 0;
  std::vector<std::string> percents{};
};

/// The audits of a project, and what a further one could show.
struct Audits {
  std::vector<AuditReport> audits{};  ///< the oldest first
  AuditLimits limits{};
  std::vector<AuditOffer> offers{};
  std::string confidence{};  ///< of each statement, "0.95"
};

struct AuditQuestion {
  bool together = false;              ///< all statements hold at once (Bonferroni)
  std::optional<std::size_t> size{};  ///< offered besides the usual sizes
};

/// A fingerprint of all that the regions of a project are made of: images and points that
/// calibrate, landmarks, settings and how images are read. Equal for a project and its backup.
[[nodiscard]] std::string calibration_fingerprint(const ProjectView& view,
                                                  const std::string& backbone);

/// What the words of a report depend on besides the audit.
struct AuditContext {
  bool together = false;         ///< all statements hold at once (Bonferroni)
  std::size_t begun_before = 0;  ///< audits of the project that were begun before
  std::size_t num_removed = 0;   ///< images of the population that have left the project
  Integrity integrity{};
};

/// What a finished audit says; without findings where it is not finished.
[[nodiscard]] AuditReport report_of(const Audit& audit, const AuditContext& context = {});

/// What audits of the usual sizes, and of `size`, can show.
[[nodiscard]] std::vector<AuditOffer> offers_for(const AuditLimits& limits,
                                                 std::optional<std::size_t> size);

}  // namespace caos::studio
