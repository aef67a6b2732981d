#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "caos/coverage_law.hpp"
#include "caos/guarantee.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/matching/patch_matcher.hpp"
#include "caos/method.hpp"
#include "caos/miscoverage.hpp"
#include "caos/scores.hpp"

namespace caos {

struct LandmarkPredictOptions {
  Miscoverage alpha;
  Method method = Method::caos;  ///< caos, full_caos, or split_caos of a model that is split
  bool simultaneous = false;     ///< all landmarks of an image at once; with caos only
  RankRule rule = RankRule::every_label;
  std::optional<TrainingConditional> conditional{};  ///< with split_caos only
  /// With a pool, how many images the new image's subject has there (`NewImage`).
  std::size_t new_images = 1;
};

/// Where one landmark of an image may be.
struct LandmarkPrediction {
  PredictionSet set{};
  std::vector<double> p_values{};  ///< of the patches in the set
  Label proposal = 0;              ///< the most conforming patch, in the set or not
  Offset offset{};  ///< a place in that patch: the mean of its supporting references'
  /// The proposed point by the pixels of labeled images or by geometry, in pixels of the working
  /// image; not always in the proposal's patch. Nothing where neither is known (`proposed_point`).
  std::optional<vision::Point> refined{};
  double proposal_p_value = 0;  ///< of plain CAOS
  Score proposal_score = 0;     ///< +infinity where no patch can hold the landmark
  /// The proposal's score over the threshold of plain CAOS (`score_over_threshold` in triage.hpp);
  /// over the largest calibration score where alpha is infeasible. Absent where it is not known.
  std::optional<double> score_over_threshold{};
  std::vector<std::size_t>
      supporting_references{};  ///< the k labeled images whose scores the proposal adds
};

/// Predicts new images with a model. Immutable; safe to share between threads.
class LandmarkPredictor {
 public:
  /// What predictors of one model can share, so that making another is cheap. The model outlives
  /// it.
  [[nodiscard]] static std::shared_ptr<const PatchMatcher> shared_part(const LandmarkModel& model,
                                                                       std::size_t threads = 1) {
    return make_matcher(model.labeled, model.references, model.score, threads);
  }

  /// The model outlives this.
  LandmarkPredictor(const LandmarkModel& model, LandmarkPredictOptions options)
      : LandmarkPredictor(model, std::move(options), *shared_part(model)) {}
  LandmarkPredictor(const LandmarkModel& model, LandmarkPredictOptions options,
                    const PatchMatcher& matcher);

  [[nodiscard]] std::size_t num_landmarks() const { return model_.calibrations.size(); }

  /// One prediction per landmark of an image, unit rows [K, D]. Labels that are known not to hold
  /// a landmark, such as padding, are in no set. Scores that read positions and refined points need
  /// the grid of the image's labels; points are refined where its gray pixels are given, too, and
  /// the model has templates. Where labels are cells, `cells` is needed.
  [[nodiscard]] std::vector<LandmarkPrediction> predict(MatrixView<const float> image,
                                                        std::span<const Label> impossible = {},
                                                        const vision::PatchGrid& grid = {},
                                                        const vision::GrayImage* gray = nullptr,
                                                        const CellSource* cells = nullptr) const;

  /// The same prediction at a larger alpha: its set is part of the one at the options' alpha.
  [[nodiscard]] LandmarkPrediction narrowed(std::size_t landmark, LandmarkPrediction prediction,
                                            const Miscoverage& alpha) const;

  /// What the sets of a landmark guarantee.
  [[nodiscard]] Guarantee guarantee(std::size_t landmark) const {
    return guarantee(landmark, options_.alpha);
  }
  [[nodiscard]] Guarantee guarantee(std::size_t landmark, const Miscoverage& alpha) const;
  /// What all of them guarantee: as much as the weakest.
  [[nodiscard]] Guarantee weakest_guarantee(const Miscoverage& alpha) const;

  /// What these rest on.
  [[nodiscard]] std::string assumption() const;

  /// How many images calibrate it, of how many subjects, and whether that is enough for alpha.
  [[nodiscard]] std::size_t num_subjects(std::size_t landmark) const;
  [[nodiscard]] std::size_t num_calibrating(std::size_t landmark) const;
  [[nodiscard]] bool is_feasible(std::size_t landmark) const {
    return is_feasible(landmark, options_.alpha);
  }
  [[nodiscard]] bool is_feasible(std::size_t landmark, const Miscoverage& alpha) const;

  /// A warning where that is not enough for some landmark; nothing where it is.
  [[nodiscard]] std::optional<std::string> feasibility_warning(const Miscoverage& alpha) const;

 private:
  void find_vectors();
  [[nodiscard]] LandmarkRules rules(std::size_t landmark) const;
  [[nodiscard]] LandmarkPrediction describe(std::size_t landmark,
                                            const LandmarkCandidates& candidates) const;
  void refine(const ImagePixels& pixels, const QueryImage& image, std::span<const Label> impossible,
              std::vector<LandmarkPrediction>& predictions) const;
  [[nodiscard]] Offset offset_of(std::size_t landmark, const Proposal& proposal) const;
  void add_members(std::size_t landmark, const LandmarkCandidates& candidates,
                   LandmarkPrediction& prediction) const;
  [[nodiscard]] Score threshold(std::size_t landmark) const;
  [[nodiscard]] double over_threshold(std::size_t landmark, Score score,
                                      const Miscoverage& alpha) const;

  [[nodiscard]] const Calibration& calibration(std::size_t landmark) const {
    return own_calibrations_ ? (*own_calibrations_)[landmark] : model_.calibrations[landmark];
  }
  /// What the patches of a landmark are compared with.
  [[nodiscard]] const SortedScores& peers(std::size_t landmark) const {
    return joint_ ? joint_->scores() : calibration(landmark).group(0);
  }

  const LandmarkModel& model_;
  LandmarkPredictOptions options_;
  /// With a pool: under the weights of the new image's subject.
  std::shared_ptr<const std::vector<Calibration>> own_calibrations_;
  std::optional<JointCalibration> joint_;
  std::shared_ptr<const SetDecider> decider_;
  /// [images, landmarks], for refinement: reference patches; where labels are cells, patches of the
  /// image.
  Matrix<std::uint32_t> vectors_{};
  Indices referring_{};  ///< the labeled images that are references
};

}  // namespace caos
