#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/landmarks/landmark_tolerance.hpp"
#include "caos/selection.hpp"
#include "caos/split.hpp"

namespace caos {

/// What the references propose for one image.
struct ProposedImage {
  std::vector<vision::Point> points{};  ///< by landmark, in pixels of the original, to 1/1000
  std::vector<double> confidences{};    ///< by landmark: minus the CAOS score of the proposal
  double confidence = 0;                ///< of the image: the mean of them
};

[[nodiscard]] ProposedImage proposed_image(std::span<const LandmarkPrediction> landmarks,
                                           const vision::Frame& frame);

/// Proposes points from some of the labeled images, the references, and from nothing else.
/// Neither copied nor moved, since its parts refer to each other.
class LandmarkProposer {
 public:
  /// Throws `invalid_input` where no landmark has k + 1 references.
  LandmarkProposer(const AnnotatedImages& images, const Indices& references,
                   const EmbeddingRecord& embedding, const LandmarkCalibrateOptions& options);
  LandmarkProposer(const LandmarkProposer&) = delete;
  LandmarkProposer& operator=(const LandmarkProposer&) = delete;
  ~LandmarkProposer() = default;

  /// The landmarks that are proposed, and those that too few references have.
  [[nodiscard]] const std::vector<std::string>& landmarks() const { return model_.labeled.tasks; }
  [[nodiscard]] const std::vector<std::string>& left_out() const { return model_.left_out; }
  /// The labeled images that propose, by index.
  [[nodiscard]] const Indices& references() const { return references_; }
  /// For `predict_stream`.
  [[nodiscard]] const LandmarkPredictor& predictor() const { return predictor_; }

  /// Where the image is embedded, and its working image; an empty one leaves points as they are.
  /// `cells` where its labels are cells.
  [[nodiscard]] ProposedImage propose(MatrixView<const float> image, const vision::Frame& frame,
                                      const vision::GrayImage& gray = {},
                                      const CellSource* cells = nullptr) const;

 private:
  Indices references_;
  LandmarkModel model_;
  LandmarkPredictor predictor_;
};

/// Divides n labeled images at random: the first `num_references` of a seeded random order are the
/// references, the others calibrate. Requires 1 <= num_references < n.
[[nodiscard]] split::Partition divide_labeled(std::size_t n, std::size_t num_references,
                                              std::uint64_t seed);

/// The proposals for calibration images, and which of them are wrong.
struct CheckedProposals {
  std::vector<ProposedImage> images{};
  Matrix<std::uint8_t> wrong{};  ///< [images, landmarks]: off by more than the tolerance, or absent

  [[nodiscard]] std::size_t size() const { return images.size(); }
  /// How many images have a wrong proposal for the landmark.
  [[nodiscard]] std::size_t num_wrong(std::size_t landmark) const;
  /// Whether any proposal for the image is wrong.
  [[nodiscard]] bool is_wrong(std::size_t image) const;
};

/// Which proposals for the labeled images with these indices are wrong, [images, landmarks].
/// `scales` are millimeters per pixel by labeled image, or empty. Throws `invalid_input` where a
/// calibration image is a reference, where a tolerance in millimeters meets an image without scale,
/// where a subject has several images (take one at random), and where a percentage names unknown
/// landmarks.
[[nodiscard]] Matrix<std::uint8_t> wrong_proposals(
    const LandmarkProposer& proposer, const AnnotatedImages& images, const Indices& calibration,
    std::span<const ProposedImage> proposals, const LandmarkTolerance& tolerance,
    std::span<const std::optional<double>> scales = {});

/// Proposes points for the calibration images and compares them with their labels; otherwise as
/// `wrong_proposals`.
[[nodiscard]] CheckedProposals check_proposals(const LandmarkProposer& proposer,
                                               const AnnotatedImages& images,
                                               const Indices& calibration,
                                               const LandmarkTolerance& tolerance,
                                               std::span<const std::optional<double>> scales = {},
                                               std::size_t threads = 1);

/// Which proposals may be accepted unseen: each landmark by itself, and images as a whole.
struct LandmarkAcceptance {
  std::vector<selection::Selection> landmarks{};  ///< by landmark, over the candidates
  selection::Selection images{};                  ///< an image is wrong if any proposal is

  [[nodiscard]] std::size_t num_accepted_points() const;
};

/// Conformal selection at level q. Candidates and calibration images are proposed for by the same
/// proposer; a candidate is not one of the labeled images.
[[nodiscard]] LandmarkAcceptance accept_landmarks(const CheckedProposals& calibration,
                                                  std::span<const ProposedImage> candidates,
                                                  const Miscoverage& q);

/// What holds for the accepted points, in a sentence.
[[nodiscard]] std::string points_claim(const LandmarkTolerance& tolerance, const Miscoverage& q);
/// What holds for the accepted images; `left_out` names landmarks that are not proposed.
[[nodiscard]] std::string images_claim(const LandmarkTolerance& tolerance, const Miscoverage& q,
                                       std::span<const std::string> left_out = {});

/// What is assumed besides what every acceptance assumes.
struct AcceptanceBasis {
  bool subjects_known = false;  ///< whose images these are; each subject has one
  bool division_given = false;  ///< references were named, not drawn here
};

/// What the guarantee rests on, in words.
[[nodiscard]] std::string acceptance_assumption(const AcceptanceBasis& basis);

/// What a user should hear where n calibration images are too few for q; nothing where they are
/// enough.
[[nodiscard]] std::optional<std::string> too_few_to_accept(std::size_t n, const Miscoverage& q);

}  // namespace caos
