#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/cli/program.hpp"
#include "caos/guarantee.hpp"
#include "caos/landmarks/embedding/embed_images.hpp"
#include "caos/landmarks/landmark_acceptance.hpp"

namespace caos::cli {

/// Everything that 'landmarks accept' found.
struct AcceptanceResult {
  std::string file{};  ///< where all points are written
  std::string plan{};  ///< empty: none
  LandmarkTolerance tolerance;
  Miscoverage q;
  Guarantee guarantee{};
  AcceptanceBasis basis{};
  std::vector<std::string> references{};  ///< names of images
  CheckedProposals calibration{};
  std::vector<std::string> landmarks{};
  std::vector<std::string> left_out{};
  EmbeddingRecord embedding{};
  std::vector<std::string> candidates{};   ///< names of images
  std::vector<ProposedImage> proposals{};  ///< by candidate
  LandmarkAcceptance acceptance{};
  std::vector<FailedImage> failed{};
};

/// `FDR, if ...` or `none (why)`.
[[nodiscard]] std::string guarantee_text(const AcceptanceResult& result);

/// The summary, without points.
[[nodiscard]] Json to_json(const AcceptanceResult& result);
[[nodiscard]] std::string to_text(const AcceptanceResult& result);

/// Writes every point with its decision, as JSON with the summary or as CSV with a row for each
/// image and landmark. `csv` says which.
void write_acceptance(const AcceptanceResult& result, bool csv);

}  // namespace caos::cli
