#include "apps/studio/workbench/acceptance_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "caos/error.hpp"
#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/landmark_acceptance.hpp"
#include "caos/landmarks/predict_stream.hpp"

namespace caos::studio {
namespace {

AnnotatedImages embed_labeled(const AcceptanceJob& job) {
  AnnotatedImages images =
      embed_annotated(*job.source, job.folder, job.labeled, "the labeled images", {});
  require(images.failed.empty(), ErrorKind::invalid_input, [&] {
    return fmt::format("a labeled image cannot be embedded: {}", images.failed[0].reason);
  });
  images.names = job.names;
  return images;
}

/// The first images of the random order are the references.
split::Partition division_of(const AcceptanceJob& job, std::size_t n) {
  split::Partition partition;
  for (std::size_t i = 0; i < n; ++i) {
    auto& part = i < job.plan.num_references ? partition.references : partition.calibration;
    part.push_back(i);
  }
  return partition;
}

/// The candidates that could be embedded, and what is proposed for them.
struct Proposals {
  std::vector<Id> images{};
  std::vector<ProposedImage> proposed{};
  std::vector<vision::Frame> frames{};
};

Proposals propose(const AcceptanceJob& job, const LandmarkProposer& proposer,
                  const std::function<void(std::size_t)>& progress) {
  Proposals all;
  const auto keep = [&](EmbeddedImage&& image, std::vector<LandmarkPrediction>&& landmarks) {
    return [&, index = image.index, frame = image.frame,
            proposed = proposed_image(landmarks, image.frame)] {
      all.images.push_back(job.candidates[index]);
      all.proposed.push_back(proposed);
      all.frames.push_back(frame);
      progress(all.images.size());
    };
  };
  static_cast<void>(predict_stream(
      *job.source, job.files,
      [&](std::size_t) -> const LandmarkPredictor& { return proposer.predictor(); }, keep));
  return all;
}

/// Points lie within images: the last pixel ends before the edge.
double within(double at, std::size_t size) {
  constexpr double least_step = 0.001;  // proposals are rounded to it
  return std::clamp(at, 0.0, static_cast<double>(size) - least_step);
}

bool is_accepted(const LandmarkAcceptance& acceptance, Acceptance::Unit unit, std::size_t image,
                 std::size_t landmark) {
  return unit == Acceptance::Unit::images ? acceptance.images.accepted[image]
                                          : acceptance.landmarks[landmark].accepted[image];
}

}  // namespace

AcceptanceDecision AcceptanceJob::run(const std::function<void(std::size_t)>& progress) const {
  const AnnotatedImages images = embed_labeled(*this);
  const split::Partition division = division_of(*this, images.size());
  const LandmarkProposer proposer(images, division.references, embedding, options);
  const CheckedProposals calibration =
      check_proposals(proposer, images, division.calibration,
                      LandmarkTolerance::parse(plan.tolerance), images.scales, options.threads);
  const Proposals all = propose(*this, proposer, progress);
  const LandmarkAcceptance acceptance =
      accept_landmarks(calibration, all.proposed, Miscoverage::parse(plan.q));
  AcceptanceDecision decision{.labels = labels,
                              .num_failed = candidates.size() - all.images.size(),
                              .left_out = proposer.left_out()};
  for (std::size_t t = 0; t < proposer.landmarks().size(); ++t) {
    decision.landmarks.push_back(
        {.name = proposer.landmarks()[t], .num_wrong = calibration.num_wrong(t)});
  }
  for (std::size_t i = 0; i < all.images.size(); ++i) {
    bool whole = decision.left_out.empty();
    for (std::size_t t = 0; t < decision.landmarks.size(); ++t) {
      const vision::Point& at = all.proposed[i].points[t];
      const bool accepted = is_accepted(acceptance, plan.unit, i, t);
      whole = whole && accepted;
      if (accepted) ++decision.landmarks[t].num_accepted;
      decision.points.push_back({.image = all.images[i],
                                 .landmark = landmarks.at(decision.landmarks[t].name),
                                 .x = within(at.x, all.frames[i].width),
                                 .y = within(at.y, all.frames[i].height),
                                 .accepted = accepted});
    }
    if (whole) ++decision.num_images_accepted;
  }
  return decision;
}

}  // namespace caos::studio
