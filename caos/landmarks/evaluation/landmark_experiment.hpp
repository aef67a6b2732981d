#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/evaluation/landmark_splits.hpp"

namespace caos {

/// A figure for every split and landmark.
struct SplitFigures {
  Matrix<double> values{};  ///< [splits, landmarks]
  /// Of one split: how far each test image, or subject, moves each landmark's mean
  /// (`cluster_deviations`). Empty with several splits.
  Matrix<double> deviations{};

  [[nodiscard]] double mean() const;
  /// Of a landmark, over splits.
  [[nodiscard]] double of_landmark(std::size_t landmark) const;
  /// Over landmarks, of their means over splits; nothing for one landmark.
  [[nodiscard]] std::optional<double> error_over_landmarks() const;
  /// Over splits, of their means over landmarks; nothing for one split.
  [[nodiscard]] std::optional<double> error_over_splits() const;
  /// Over the test images of one split; nothing with several splits or fewer than two images.
  [[nodiscard]] std::optional<double> error_over_images() const;
  /// The error that is printed: over splits where there are several, else over images. Landmarks
  /// are dependent, so that an error over them says nothing of how sure the mean is.
  [[nodiscard]] std::optional<double> error() const;
};

/// One method at one alpha, in every split.
struct ExperimentResult {
  Method method;
  PatchScore score{};
  std::optional<std::size_t> cell{};  ///< where labels were cells: their side; sizes are in patches
  std::size_t k = 0;
  Miscoverage alpha;
  Guarantee guarantee{};
  /// Images that calibrate, or subjects where they have several, by landmark: the fewest of any
  /// split.
  std::vector<std::size_t> n{};
  bool feasible = true;                           ///< for every landmark in every split
  std::vector<double> smallest_feasible_alpha{};  ///< by landmark: in every split
  SplitFigures coverage{};
  SplitFigures mean_set_size{};
  std::vector<double> region_share{};  ///< by split: mean size as a share of the image's patches
  std::vector<std::vector<std::size_t>> n_by_split{};  ///< the same of every split
};

/// All landmarks of an image at once, in every split.
struct SimultaneousExperiment {
  Miscoverage alpha;
  Guarantee guarantee{};
  std::vector<double> coverage{};            ///< of images, by split
  std::vector<double> mean_set_size{};       ///< per landmark, by split
  std::vector<double> covered_separately{};  ///< by split
  std::vector<std::size_t> n{};              ///< images, or subjects, that calibrate, by split
};

struct LandmarkExperimentOptions {
  std::vector<Miscoverage> alphas{};
  std::size_t k = 3;
  std::size_t most_k = 10;  ///< the ablation of k goes from 1 to this, if there are images enough
  PatchScore score{};
  std::vector<PatchScore> other_scores{};  ///< CAOS only
  ImageTarget target = ImageTarget::subject;
  std::size_t threads = 0;
  std::function<void(std::size_t done, std::size_t total)> progress{};
};

/// What came out of an experiment.
struct LandmarkExperiment {
  Indices landmarks{};      ///< those that every split has images enough for
  Indices left_out{};       ///< the others
  bool by_subject = false;  ///< labeled images share subjects, so there are no split methods
  std::vector<ExperimentResult> methods{};   ///< by method, then alpha
  std::vector<ExperimentResult> ablation{};  ///< CAOS by k, then alpha
  std::vector<SimultaneousExperiment> simultaneous{};
  std::vector<std::vector<ExperimentResult>> other_scores{};  ///< CAOS by score, then alpha
  LandmarkEvaluation first{};                                 ///< all about the first split
  std::size_t num_splits = 0;

  /// What printed errors are over: `3 splits`, `71 images` or `40 subjects`.
  [[nodiscard]] std::string error_over() const;
};

/// Repeats the paper's landmark experiment over splits of annotated images: every method, the
/// ablation of k, all landmarks at once, and CAOS with other scores. Scores are computed once per
/// split and score.
/// Requires a split; throws `invalid_input` where no landmark has images enough for k.
[[nodiscard]] LandmarkExperiment run_landmark_experiment(const LabeledPatches& images,
                                                         const std::vector<LandmarkSplit>& splits,
                                                         const LandmarkExperimentOptions& options);

/// CAOS alone with one score on the same splits, where labels may be cells: a result by alpha, with
/// sizes in patches. Other scores of the options are not looked at.
[[nodiscard]] std::vector<ExperimentResult> run_landmark_score(
    const LabeledPatches& images, const std::vector<LandmarkSplit>& splits,
    const LandmarkExperimentOptions& options, const PatchScore& score);

/// The result of a method at an alpha, or null.
[[nodiscard]] const ExperimentResult* find_result(const std::vector<ExperimentResult>& results,
                                                  Method method, const Miscoverage& alpha);

/// The landmarks' numbers 0 (easy), 1 or 2 (hard): thirds by this figure, earlier landmarks first
/// on ties.
[[nodiscard]] std::vector<std::size_t> thirds_by(const SplitFigures& figures);

}  // namespace caos
