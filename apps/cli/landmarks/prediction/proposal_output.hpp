#pragma once

#include <string>
#include <vector>

#include "apps/cli/options.hpp"
#include "caos/landmarks/formats/landmark_file.hpp"
#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/vision/working_size.hpp"

namespace caos::cli {

/// Where and how proposed points are written, as texts from the command line.
struct ProposalOptions {
  std::string output;
  std::string format;
  std::string tps_y;
};

void add_proposal_options(Command& command, ProposalOptions& options);

/// Throws `invalid_input` for what can be found wrong beforehand: an unknown format, TPS without
/// --tps-y.
void check(const ProposalOptions& options);

/// A proposed point in pixels of the image, and its p-value.
struct Proposal {
  double x = 0;
  double y = 0;
  double p_value = 0;
};

/// The proposals of one image, by landmark.
struct ImageProposals {
  std::vector<Proposal> points{};
  std::size_t width = 0;
  std::size_t height = 0;
};

[[nodiscard]] ImageProposals proposals_of(const std::vector<LandmarkPrediction>& landmarks,
                                          const vision::Frame& frame);

/// Collects the proposals of all images and writes them as a landmark file.
class ProposalTable {
 public:
  /// `names` are those of the landmarks.
  ProposalTable(const ProposalOptions& options, std::vector<std::string> names)
      : options_(options), names_(std::move(names)) {}

  void add(const std::string& image, const ImageProposals& proposals);

  /// Writes unless no output was asked for. Returns what the format cannot hold, one sentence each.
  [[nodiscard]] std::vector<std::string> write() const;

 private:
  ProposalOptions options_;
  std::vector<std::string> names_;
  landmarks::LandmarkTable table_;
};

}  // namespace caos::cli
