#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "caos/conformal/subject_weights.hpp"
#include "caos/coverage_law.hpp"
#include "caos/dist/communicator.hpp"
#include "caos/evaluation.hpp"
#include "caos/guarantee.hpp"
#include "caos/landmarks/evaluation/image_error.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/method.hpp"
#include "caos/miscoverage.hpp"
#include "caos/scorers/patch_score.hpp"
#include "caos/split.hpp"

namespace caos {

/// Test images, taken one by one so that they need not be in memory together.
struct TestPatches {
  std::function<Matrix<float>(std::size_t)> image;  ///< unit rows; called from several threads
  Matrix<std::int64_t> labels;                      ///< [images, tasks]
  std::vector<std::size_t> subjects{};     ///< whose image it is, by number; empty: all differ
  std::vector<std::size_t> num_patches{};  ///< by image, or of cells; empty: no shares of images
  std::vector<double> label_areas{};       ///< by image, of a label in px²; empty: not known
  std::vector<double> label_areas_mm2{};   ///< the same in mm²; empty: not known of all
  std::vector<vision::PatchGrid> grids{};  ///< how labels lie, by image; empty: not known
  /// Where labels are cells: what they are read from. Called from several threads.
  std::function<CellSource(std::size_t)> cells{};
  bool travel = false;  ///< only the first process has the images: others get theirs with the work

  [[nodiscard]] std::size_t size() const { return labels.rows(); }
};

struct LandmarkEvaluateOptions {
  std::vector<Method> methods{Method::caos};
  std::vector<Miscoverage> alphas{};
  std::size_t k = 3;
  std::vector<std::size_t> ablation_ks{};  ///< CAOS at these k besides
  bool simultaneous = false;               ///< also one threshold for all landmarks of an image
  PatchScore score{};
  split::Partition partition{};  ///< of the labeled images, for the split methods
  RankRule rule = RankRule::every_label;
  std::optional<TrainingConditional> conditional{};  ///< of Split CAOS, per landmark
  std::optional<Method> keep_sets{};  ///< CAOS or Full CAOS, which must be among the methods
  /// Which new image the sets are for: of a new subject, or of the pool that labeled and test
  /// images are together. Test images are averaged alike: over subjects, or one by one.
  ImageTarget target = ImageTarget::subject;
  std::size_t threads = 0;
  std::function<void(std::size_t done, std::size_t total)> progress{};
  dist::Communicator* processes = nullptr;  ///< that share the test images; null: one process
};

/// One landmark under one method at one alpha.
struct LandmarkResult {
  std::size_t n = 0;             ///< images that calibrate
  std::size_t num_subjects = 0;  ///< of how many subjects they are
  std::size_t rank = 0;          ///< 0 where weights decide, not a rank among images
  bool feasible = true;
  double smallest_feasible_alpha = 0;
  std::optional<Evaluation> evaluation{};  ///< nothing where no test image has the landmark
};

/// One method at one alpha on every landmark.
struct LandmarkMethodResult {
  Method method;
  std::size_t k = 0;
  Miscoverage alpha;
  Guarantee guarantee{};
  std::vector<LandmarkResult> landmarks{};
  std::vector<std::vector<Outcome>> outcomes{};  ///< by landmark, then test image that has it
  std::optional<TaskSummary> summary{};          ///< means over landmarks, errors over test images
  std::optional<TaskSummary> over_landmarks{};   ///< the same means, errors over landmarks
  /// Mean size of the sets, over landmarks and test images alike, as a share of the image's
  /// patches.
  std::optional<double> mean_region_share{};
  /// The same as an area, in square pixels of the original images.
  std::optional<double> mean_region_area{};
  std::optional<double> mean_region_area_mm2{};  ///< in square millimeters
};

/// All landmarks of an image at once, under one threshold.
struct SimultaneousResult {
  Miscoverage alpha;
  Guarantee guarantee{};
  std::size_t n = 0;
  std::size_t num_subjects = 0;
  bool feasible = true;
  Evaluation evaluation{};  ///< of images with a landmark: covered if each is, mean size of each
  double covered_separately = 0;  ///< share of images whose separate CAOS sets all hold at once
};

struct LandmarkEvaluation {
  ImageTarget target = ImageTarget::any;  ///< which new image guarantees are for
  bool over_subjects = false;  ///< averages are over subjects of test images, not over images
  ImageClusters test{};        ///< what errors are over
  std::vector<LandmarkMethodResult> methods{};     ///< by method, then alpha
  std::vector<LandmarkMethodResult> ablation{};    ///< CAOS by k, then alpha
  std::vector<SimultaneousResult> simultaneous{};  ///< none where no test image has a landmark
  /// The kept sets, by alpha, test image and landmark.
  std::vector<std::vector<std::vector<PredictionSet>>> sets{};
};

/// Runs every method at every alpha on every landmark. The scores of an image are computed once,
/// whatever the number of methods and landmarks.
/// Requires k <= largest_k for every landmark; drop those that have too few images first.
/// Throws `invalid_input` for that and for labels that are no patches of their images.
/// With `processes`, each of them calls it with the same labeled images, labels and options; the
/// first gets what one process would, the others nothing.
[[nodiscard]] LandmarkEvaluation evaluate_landmarks(const LabeledPatches& labeled,
                                                    const TestPatches& test,
                                                    const LandmarkEvaluateOptions& options);

}  // namespace caos
