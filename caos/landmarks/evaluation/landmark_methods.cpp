#include "caos/landmarks/evaluation/landmark_methods.hpp"

#include <algorithm>
#include <limits>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/evaluation/scos_best.hpp"

namespace caos {
namespace {

bool wants_any(const LandmarkEvaluateOptions& options, bool (*is_such)(Method)) {
  return std::ranges::any_of(options.methods, is_such);
}

std::vector<Method> split_methods(const std::vector<Method>& methods) {
  std::vector<Method> result;
  std::ranges::copy_if(methods, std::back_inserter(result),
                       [](Method method) { return !uses_all_images(method); });
  return result;
}

/// The partition of the images as positions among those that have the landmark.
split::Partition partition_of(const PatchTask& task, const split::Partition& partition) {
  return {.references = positions_in(task, partition.references),
          .calibration = positions_in(task, partition.calibration)};
}

EvaluateOptions family_options(const PatchTask& task, const LandmarkEvaluateOptions& options) {
  return {.methods = split_methods(options.methods),
          .alphas = options.alphas,
          .k = options.k,
          .grouping = Grouping::none(task.images.size()),
          .partition = partition_of(task, options.partition),
          .rule = options.rule,
          .conditional = options.conditional,
          .threads = 1};
}

std::vector<std::size_t> ks_of(const LandmarkEvaluateOptions& options) {
  std::vector<std::size_t> ks{options.k};
  ks.insert(ks.end(), options.ablation_ks.begin(), options.ablation_ks.end());
  return ks;
}

/// The first k columns.
Matrix<Score> first_columns(const Matrix<Score>& nearest, std::size_t k) {
  Matrix<Score> result(nearest.rows(), k);
  for (std::size_t i = 0; i < nearest.rows(); ++i) {
    std::ranges::copy(nearest.row(i).first(k), result.row(i).begin());
  }
  return result;
}

/// Calibrates everything, task by task.
class Calibrator {
 public:
  explicit Calibrator(CalibratedLandmarks& landmarks)
      : landmarks_(landmarks), options_(landmarks.options) {}

  void run() {
    const std::size_t num_tasks = landmarks_.references.tasks.size();
    landmarks_.methods.resize(num_tasks);
    scos_thresholds_.resize(num_tasks);
    const std::vector<std::size_t> ks = ks_of(options_);
    own_ = landmarks_.matcher->own_scores(options_.threads);
    nearest_ = own_->nearest(landmarks_.calibrating, *std::ranges::max_element(ks));
    parallel_for(num_tasks, 1, options_.threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t t = first; t < last; ++t) calibrate_task(t);
    });
    if (wants_any(options_, is_scos)) calibrate_scos();
    if (options_.simultaneous) calibrate_jointly();
  }

 private:
  void calibrate_task(std::size_t t) {
    const PatchTask& task = landmarks_.references.tasks[t];
    LandmarkMethods& methods = landmarks_.methods[t];
    methods.calibrating = positions_in(task, landmarks_.calibrating);
    for (const std::size_t k : ks_of(options_)) methods.caos.push_back(caos_calibration(t, k));
    methods.family_options = std::make_unique<EvaluateOptions>(family_options(task, options_));
    const EvaluateOptions& options = *methods.family_options;
    if (options.methods.empty()) return;
    split::check_partition(options.partition, task.images.size());
    if (std::ranges::all_of(options.methods, is_scos)) {
      scos_thresholds_[t] = scos_thresholds(own_->between(t, options.partition), options);
    } else {
      calibrate_splits(t, own_->table(t));
    }
  }

  [[nodiscard]] Calibration caos_calibration(std::size_t t, std::size_t k) const {
    const PatchTask& task = landmarks_.references.tasks[t];
    return {first_columns(nearest_[t], k), Grouping::none(nearest_[t].rows()), task.images.size(),
            weights_of_task(landmarks_.weights, landmarks_.calibrating, task)};
  }

  void calibrate_splits(std::size_t t, const OwnScores& own) {
    LandmarkMethods& methods = landmarks_.methods[t];
    const EvaluateOptions& options = *methods.family_options;
    for (const Method method : options.methods) {
      if (is_scos(method)) continue;
      methods.splits.push_back(
          std::make_unique<SplitCaosFamily>(LabeledScores{.own = own}, options, method));
    }
    if (wants_any(options_, is_scos)) scos_thresholds_[t] = scos_thresholds(own, options);
  }

  void calibrate_scos() {
    std::vector<std::vector<std::size_t>> best(scos_thresholds_.size());
    if (landmarks_.wants(Method::scos_best)) best = best_references(landmarks_, scos_thresholds_);
    for (std::size_t t = 0; t < best.size(); ++t) {
      LandmarkMethods& methods = landmarks_.methods[t];
      methods.scos = std::make_unique<ScosFamily>(std::move(scos_thresholds_[t]),
                                                  std::move(best[t]), *methods.family_options);
    }
  }

  void calibrate_jointly() {
    const Indices& calibrating = landmarks_.calibrating;
    Matrix<Score> scores(landmarks_.num_tasks(), calibrating.size(),
                         std::numeric_limits<Score>::quiet_NaN());
    for (std::size_t t = 0; t < landmarks_.num_tasks(); ++t) {
      const LandmarkMethods& methods = landmarks_.methods[t];
      const Calibration& calibration = methods.caos[0];
      for (std::size_t c = 0; c < calibration.size(); ++c) {
        const std::size_t image = landmarks_.references.tasks[t].images[methods.calibrating[c]];
        const auto found = std::ranges::lower_bound(calibrating, image);
        scores(t, static_cast<std::size_t>(found - calibrating.begin())) = calibration.scores()[c];
      }
    }
    landmarks_.joint.emplace(scores, std::vector<double>(), landmarks_.weights);
  }

  CalibratedLandmarks& landmarks_;
  const LandmarkEvaluateOptions& options_;
  std::unique_ptr<const OwnPatchScores> own_;
  std::vector<Matrix<Score>> nearest_;  ///< by task, for the largest k
  std::vector<std::vector<std::vector<Score>>> scos_thresholds_;
};

}  // namespace

bool uses_all_images(Method method) {
  return method == Method::caos || method == Method::full_caos;
}

std::vector<const MethodFamily*> LandmarkMethods::families() const {
  std::vector<const MethodFamily*> all;
  if (scos) all.push_back(scos.get());
  for (const auto& split : splits) all.push_back(split.get());
  return all;
}

CalibratedLandmarks::CalibratedLandmarks(const LabeledPatches& labeled_images,
                                         const LandmarkEvaluateOptions& evaluate_options,
                                         ExampleWeights example_weights)
    : labeled(labeled_images),
      options(evaluate_options),
      references(reference_patches(labeled_images, evaluate_options.threads)),
      calibrating(all_images(labeled_images)),
      weights(std::move(example_weights)),
      matcher(make_matcher(labeled, references, options.score, options.threads)) {
  Calibrator(*this).run();
}

bool CalibratedLandmarks::wants(Method method) const {
  return std::ranges::find(options.methods, method) != options.methods.end();
}

}  // namespace caos
