#include "caos/landmarks/landmark_acceptance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/points/proposed_point.hpp"
#include "caos/landmarks/predict_stream.hpp"
#include "caos/miscoverage.hpp"
#include "caos/rng.hpp"

namespace caos {
namespace {

/// The stream of the seed that divides labeled images; other uses of the seed have others.
constexpr std::uint64_t division_stream = 0x616363657074;

/// Points as they are written, so that the error is that of the points a user gets.
double rounded(double value) { return std::round(value * 1000) / 1000; }

/// Sets are not used here, so that any alpha will do.
LandmarkPredictOptions proposals_only() { return {.alpha = Miscoverage::parse("0.5")}; }

/// Two images of one subject are not exchangeable with one image each of two subjects.
void check_subjects(const AnnotatedImages& images) {
  require(images.patches.subjects.empty(), ErrorKind::invalid_input,
          "a subject has several labeled images; accepting without review needs one image of each "
          "subject: keep one at random and leave the others out of the landmark file");
}

/// The proposal for a reference would be its own label.
void check_apart(const Indices& references, const Indices& calibration,
                 const AnnotatedImages& images) {
  for (const std::size_t i : calibration) {
    require(std::ranges::find(references, i) == references.end(), ErrorKind::invalid_input, [&] {
      return fmt::format("the image '{}' is a reference and calibrates; it must be one of them",
                         images.names[i]);
    });
  }
}

/// Decides which proposals for labeled images are wrong.
class ErrorCheck {
 public:
  ErrorCheck(const AnnotatedImages& images, const LandmarkTolerance& tolerance,
             std::span<const std::optional<double>> scales,
             const std::vector<std::string>& proposed)
      : images_(images), tolerance_(tolerance), scales_(scales) {
    if (tolerance.unit() == LandmarkTolerance::Unit::percent) {
      ends_ = tolerance.ends(images.patches.tasks);
    }
    for (const std::string& name : proposed) {
      tasks_.push_back(static_cast<std::size_t>(std::ranges::find(images.patches.tasks, name) -
                                                images.patches.tasks.begin()));
    }
  }

  /// By landmark that is proposed.
  [[nodiscard]] std::vector<std::uint8_t> wrong(std::size_t image,
                                                const ProposedImage& proposed) const {
    const std::optional<double> radius = radius_of(image);
    std::vector<std::uint8_t> result;
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      const bool right = radius && images_.patches.labels(image, tasks_[t]) != missing_label &&
                         distance(proposed.points[t], images_.points(image, tasks_[t])) <= *radius;
      result.push_back(right ? 0 : 1);
    }
    return result;
  }

 private:
  static double distance(const vision::Point& a, const vision::Point& b) {
    return std::hypot(a.x - b.x, a.y - b.y);
  }

  [[nodiscard]] std::optional<double> radius_of(std::size_t image) const {
    const std::optional<double> scale = scales_.empty() ? std::nullopt : scales_[image];
    require(scale || tolerance_.unit() != LandmarkTolerance::Unit::millimeters,
            ErrorKind::invalid_input, [&] {
              return fmt::format(
                  "tolerance {}: the image '{}' has no scale; give millimeters per pixel for all "
                  "labeled images",
                  tolerance_.text(), images_.names[image]);
            });
    return tolerance_in_pixels(tolerance_,
                               {.points = images_.points.row(image),
                                .labels = images_.patches.labels.row(image),
                                .millimeters = scale},
                               ends_);
  }

  const AnnotatedImages& images_;
  const LandmarkTolerance& tolerance_;
  std::span<const std::optional<double>> scales_;
  std::optional<std::pair<std::size_t, std::size_t>> ends_;
  Indices tasks_;  ///< of the proposed landmarks, in the annotations
};

std::string percent(const Miscoverage& q) { return fmt::format("{:.6g} %", 100 * q.value()); }

}  // namespace

ProposedImage proposed_image(std::span<const LandmarkPrediction> landmarks,
                             const vision::Frame& frame) {
  ProposedImage image;
  double total = 0;
  for (const LandmarkPrediction& landmark : landmarks) {
    const vision::Point point = proposed_point(landmark, frame);
    image.points.push_back({.x = rounded(point.x), .y = rounded(point.y)});
    image.confidences.push_back(-landmark.proposal_score);
    total -= landmark.proposal_score;
  }
  image.confidence = total / static_cast<double>(landmarks.size());
  return image;
}

LandmarkProposer::LandmarkProposer(const AnnotatedImages& images, const Indices& references,
                                   const EmbeddingRecord& embedding,
                                   const LandmarkCalibrateOptions& options)
    : references_(references),
      model_(calibrate_landmarks(select(images, references), embedding, options)),
      predictor_(model_, proposals_only(),
                 *LandmarkPredictor::shared_part(model_, options.threads)) {}

ProposedImage LandmarkProposer::propose(MatrixView<const float> image, const vision::Frame& frame,
                                        const vision::GrayImage& gray,
                                        const CellSource* cells) const {
  return proposed_image(predictor_.predict(image, padding_of(frame), frame.grid, &gray, cells),
                        frame);
}

split::Partition divide_labeled(std::size_t n, std::size_t num_references, std::uint64_t seed) {
  require(1 <= num_references && num_references < n, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{} references of {} labeled images; at least one must be a reference and one must "
        "calibrate",
        num_references, n);
  });
  Rng rng = Rng::stream(seed, division_stream);
  return split::draw(n, num_references, rng);
}

std::size_t CheckedProposals::num_wrong(std::size_t landmark) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < size(); ++i) count += wrong(i, landmark);
  return count;
}

bool CheckedProposals::is_wrong(std::size_t image) const {
  return std::ranges::any_of(wrong.row(image), [](std::uint8_t value) { return value != 0; });
}

Matrix<std::uint8_t> wrong_proposals(const LandmarkProposer& proposer,
                                     const AnnotatedImages& images, const Indices& calibration,
                                     std::span<const ProposedImage> proposals,
                                     const LandmarkTolerance& tolerance,
                                     std::span<const std::optional<double>> scales) {
  check_subjects(images);
  check_apart(proposer.references(), calibration, images);
  const ErrorCheck check(images, tolerance, scales, proposer.landmarks());
  Matrix<std::uint8_t> wrong(0, proposer.landmarks().size());
  for (std::size_t c = 0; c < calibration.size(); ++c) {
    wrong.push_row(check.wrong(calibration[c], proposals[c]));
  }
  return wrong;
}

CheckedProposals check_proposals(const LandmarkProposer& proposer, const AnnotatedImages& images,
                                 const Indices& calibration, const LandmarkTolerance& tolerance,
                                 std::span<const std::optional<double>> scales,
                                 std::size_t threads) {
  CheckedProposals result;
  result.images.resize(calibration.size());
  parallel_for(calibration.size(), 1, threads, [&](std::size_t c, std::size_t) {
    const std::size_t i = calibration[c];
    const vision::GrayImage gray = images.gray.empty() ? vision::GrayImage() : images.gray[i];
    result.images[c] =
        proposer.propose(images.patches.images[i].view(), images.frames[i], gray,
                         images.patches.has_cells() ? &images.patches.cells.sources[i] : nullptr);
  });
  result.wrong = wrong_proposals(proposer, images, calibration, result.images, tolerance, scales);
  return result;
}

std::size_t LandmarkAcceptance::num_accepted_points() const {
  std::size_t count = 0;
  for (const selection::Selection& landmark : landmarks) count += landmark.num_accepted;
  return count;
}

LandmarkAcceptance accept_landmarks(const CheckedProposals& calibration,
                                    std::span<const ProposedImage> candidates,
                                    const Miscoverage& q) {
  std::vector<selection::Outcome> outcomes(calibration.size());
  std::vector<double> confidences(candidates.size());
  LandmarkAcceptance result;
  for (std::size_t t = 0; t < calibration.wrong.cols(); ++t) {
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      outcomes[i] = {.confidence = calibration.images[i].confidences[t],
                     .wrong = calibration.wrong(i, t) != 0};
    }
    for (std::size_t j = 0; j < confidences.size(); ++j) {
      confidences[j] = candidates[j].confidences[t];
    }
    result.landmarks.push_back(selection::select(outcomes, confidences, q));
  }
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    outcomes[i] = {.confidence = calibration.images[i].confidence,
                   .wrong = calibration.is_wrong(i)};
  }
  for (std::size_t j = 0; j < confidences.size(); ++j) confidences[j] = candidates[j].confidence;
  result.images = selection::select(outcomes, confidences, q);
  return result;
}

std::string points_claim(const LandmarkTolerance& tolerance, const Miscoverage& q) {
  return fmt::format(
      "Among the accepted points of each landmark, the expected share that is more than {} off, or "
      "whose landmark is absent, is at most {}.",
      tolerance.words(), percent(q));
}

std::string images_claim(const LandmarkTolerance& tolerance, const Miscoverage& q,
                         std::span<const std::string> left_out) {
  const std::string which =
      left_out.empty() ? "landmark"
                       : fmt::format("proposed landmark (all but {})", fmt::join(left_out, ", "));
  return fmt::format(
      "Among the accepted images, the expected share with any {} more than {} off or absent is at "
      "most {}.",
      which, tolerance.words(), percent(q));
}

std::string acceptance_assumption(const AcceptanceBasis& basis) {
  std::string text = fmt::format("{}; {}", assumption, selection::fixed_beforehand);
  if (basis.subjects_known) {
    text += "; every subject has one image, labeled or candidate, drawn at random from its images";
  }
  if (basis.division_given) {
    text +=
        "; the division into references and calibration images was drawn at random, or fixed "
        "before their errors were seen";
  }
  return text;
}

std::optional<std::string> too_few_to_accept(std::size_t n, const Miscoverage& q) {
  if (is_feasible(n, q)) return std::nullopt;
  return fmt::format(
      "q {}: nothing can be accepted with {} calibration images; at least {} are needed", q.text(),
      n, examples_needed(q));
}

}  // namespace caos
