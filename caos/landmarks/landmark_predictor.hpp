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
#include "caos/landmarks/matching/coarse_predictor.hpp"
#include "caos/method.hpp"
#include "caos/miscoverage.hpp"
#include "caos/scorers/patch_scorer.hpp"
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
  Offset offset{};                 ///< a place in that patch: the mean of its supporters'
  double proposal_p_value = 0;     ///< of plain CAOS
  Score proposal_score = 0;        ///< +infinity where no patch can hold the landmark
  /// The proposal's score over the threshold of plain CAOS (`score_over_threshold` in triage.hpp);
  /// over the largest calibration score where alpha is infeasible. Absent where it is not known.
  std::optional<double> score_over_threshold{};
  std::vector<std::size_t> supporters{};  ///< the k labelled images whose scores the proposal adds
};

/// Predicts new images with a model. Immutable; safe to share between threads.
class LandmarkPredictor {
 public:
  /// What predictors of one model can share, so that making another is cheap; null where scores are
  /// not cosine.
  [[nodiscard]] static std::shared_ptr<const CoarseReferences> shared_part(
      const LandmarkModel& model, std::size_t threads = 1);

  LandmarkPredictor(const LandmarkModel& model, LandmarkPredictOptions options)
      : LandmarkPredictor(model, std::move(options), shared_part(model)) {}
  LandmarkPredictor(const LandmarkModel& model, LandmarkPredictOptions options,
                    std::shared_ptr<const CoarseReferences> shared);

  [[nodiscard]] std::size_t num_landmarks() const { return model_.calibrations.size(); }

  /// One prediction per landmark of an image, unit rows [K, D]. Patches that are known not to hold
  /// a landmark, such as padding, are in no set.
  [[nodiscard]] std::vector<LandmarkPrediction> predict(
      MatrixView<const float> image, std::span<const Label> impossible = {}) const;

  /// The same prediction at a larger alpha: its set is part of the one at the options' alpha.
  [[nodiscard]] LandmarkPrediction narrowed(std::size_t landmark, LandmarkPrediction prediction,
                                            const Miscoverage& alpha) const;

  /// What the sets of a landmark promise.
  [[nodiscard]] Guarantee guarantee(std::size_t landmark) const {
    return guarantee(landmark, options_.alpha);
  }
  [[nodiscard]] Guarantee guarantee(std::size_t landmark, const Miscoverage& alpha) const;
  /// What all of them promise: as much as the weakest.
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

  /// What a user should hear where that is not enough for some landmark; nothing where it is.
  [[nodiscard]] std::optional<std::string> feasibility_warning(const Miscoverage& alpha) const;

 private:
  struct Image;

  [[nodiscard]] std::vector<LandmarkPrediction> predict_coarsely(
      MatrixView<const float> patches, std::span<const Label> impossible) const;
  [[nodiscard]] std::vector<LandmarkPrediction> predict_exactly(
      MatrixView<const float> patches, std::span<const Label> impossible) const;
  void add_members(std::size_t landmark, const LandmarkCandidates& candidates,
                   LandmarkPrediction& prediction) const;
  [[nodiscard]] Score threshold(std::size_t landmark) const;
  void rate_proposal(std::size_t landmark, Score score, LandmarkPrediction& prediction) const;
  [[nodiscard]] double over_threshold(std::size_t landmark, Score score,
                                      const Miscoverage& alpha) const;

  [[nodiscard]] const Calibration& calibration(std::size_t landmark) const {
    return own_calibrations_ ? (*own_calibrations_)[landmark] : model_.calibrations[landmark];
  }
  /// What the patches of a landmark are compared with.
  [[nodiscard]] const SortedScores& peers(std::size_t landmark) const {
    return joint_ ? joint_->scores() : calibration(landmark).group(0);
  }

  void decide_full(const Image& image, std::vector<LandmarkPrediction>& predictions) const;
  void decide_caos(std::size_t landmark, const std::vector<Score>& scores,
                   LandmarkPrediction& prediction) const;
  void propose(std::size_t landmark, const Matrix<Score>& pools, const std::vector<Score>& scores,
               LandmarkPrediction& prediction) const;
  void add_supporters(std::size_t landmark, std::span<const std::size_t> positions,
                      LandmarkPrediction& prediction) const;

  const LandmarkModel& model_;
  LandmarkPredictOptions options_;
  /// With a pool: under the weights of the new image's subject.
  std::shared_ptr<const std::vector<Calibration>> own_calibrations_;
  std::optional<JointCalibration> joint_;
  std::vector<Indices> calibrating_;       ///< by landmark: positions in its images
  std::optional<CoarsePredictor> coarse_;  ///< where scores are cosine
  std::optional<PatchScorer> scorer_;      ///< elsewhere
};

}  // namespace caos
