#include "caos/engine/landmark_evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>

#include "caos/conformal/joint.hpp"
#include "caos/core/error.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/engine/landmark_methods.hpp"

namespace caos {
namespace {

/// Everything that evaluating one test image needs, and where its outcomes go.
class Evaluator {
 public:
  Evaluator(const LabeledPatches& labeled, const TestPatches& test,
            const LandmarkEvaluateOptions& options)
      : labeled_(labeled),
        test_(test),
        options_(options),
        references_(reference_patches(labeled)),
        scorer_(references_.patches, options.score),
        calibrating_(calibrating_images(labeled, options.seed)),
        methods_(calibrate_methods(labeled, references_, scorer_, calibrating_, options)) {
    add_results();
    if (options.keep_sets) keep_room_for_sets();
    if (options.simultaneous) calibrate_jointly();
  }

  void run() {
    parallel_for(test_.size(), 1, options_.threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t x = first; x < last; ++x) evaluate_image(x);
      if (!options_.progress) return;
      const std::lock_guard lock(mutex_);
      options_.progress(done_ += last - first, test_.size());
    });
  }

  LandmarkEvaluation finish() {
    for (LandmarkMethodResult& result : evaluation_.methods) summarize_landmarks(result);
    for (LandmarkMethodResult& result : evaluation_.ablation) summarize_landmarks(result);
    for (std::size_t a = 0; a < evaluation_.simultaneous.size(); ++a) summarize_images(a);
    const bool none_present = std::ranges::count(num_present_, 0U) == std::ssize(num_present_);
    if (none_present) evaluation_.simultaneous.clear();
    return std::move(evaluation_);
  }

 private:
  /// One image's scores under every landmark's references.
  struct Image {
    std::size_t index;
    Matrix<float> patches;
    Matrix<Score> scores;                                         ///< [K, R]
    std::vector<std::vector<std::vector<Score>>> label_scores{};  ///< by landmark, then k
    std::vector<std::vector<PredictionSet>> caos{};               ///< by landmark, then alpha
  };

  [[nodiscard]] std::size_t num_alphas() const { return options_.alphas.size(); }
  [[nodiscard]] std::size_t num_tasks() const { return methods_.size(); }
  [[nodiscard]] bool wants(Method method) const {
    return std::ranges::find(options_.methods, method) != options_.methods.end();
  }

  // What can be said before any test image is seen.

  void add_results() {
    for (std::size_t t = 0; t < num_tasks(); ++t) {
      auto& present = position_.emplace_back(test_.size(), no_position);
      std::size_t count = 0;
      for (std::size_t x = 0; x < test_.size(); ++x) {
        if (test_.labels(x, t) != missing_label) present[x] = count++;
      }
      num_present_.push_back(count);
    }
    for (const Method method : options_.methods) {
      for (std::size_t a = 0; a < num_alphas(); ++a) {
        evaluation_.methods.push_back(describe_all(method, a, 0));
      }
    }
    for (std::size_t v = 1; v <= options_.ablation_ks.size(); ++v) {
      for (std::size_t a = 0; a < num_alphas(); ++a) {
        evaluation_.ablation.push_back(describe_all(Method::caos, a, v));
      }
    }
  }

  /// What is known of a method at an alpha; `v` numbers the k of CAOS.
  [[nodiscard]] LandmarkMethodResult describe_all(Method method, std::size_t a,
                                                  std::size_t v) const {
    LandmarkMethodResult result{.method = method, .alpha = options_.alphas[a]};
    result.k = v == 0 ? options_.k : options_.ablation_ks[v - 1];
    result.guarantee = guarantee_of(method);
    for (std::size_t t = 0; t < num_tasks(); ++t) {
      const MethodResult task = describe_one(method, a, v, t);
      if (task.guarantee.kind == Guarantee::Kind::none) result.guarantee = task.guarantee;
      result.landmarks.push_back({.n = num_calibrating(method, t),
                                  .rank = task.rank.value_or(0),
                                  .feasible = task.feasible});
      result.outcomes.emplace_back(num_present_[t]);
    }
    return result;
  }

  [[nodiscard]] MethodResult describe_one(Method method, std::size_t a, std::size_t v,
                                          std::size_t t) const {
    if (uses_all_images(method)) {
      return describe(method, methods_[t].caos[v].calibration(), options_.alphas[a], options_.rule);
    }
    for (const auto& family : methods_[t].families) {
      for (const MethodResult& result : family->results()) {
        if (result.method == method && result.alpha == options_.alphas[a]) return result;
      }
    }
    throw Error(ErrorKind::invalid_input, "a method is missing");
  }

  [[nodiscard]] std::size_t num_calibrating(Method method, std::size_t t) const {
    if (uses_all_images(method)) return methods_[t].calibrating.size();
    if (method == Method::split_caos_ref) return references_.tasks[t].images.size();
    return methods_[t].family_options->partition.calibration.size();
  }

  void keep_room_for_sets() {
    evaluation_.sets.assign(num_alphas(), {test_.size(), std::vector<PredictionSet>(num_tasks())});
  }

  void calibrate_jointly() {
    Matrix<Score> scores(num_tasks(), calibrating_.size(), std::numeric_limits<Score>::quiet_NaN());
    for (std::size_t t = 0; t < num_tasks(); ++t) {
      const Calibration& calibration = methods_[t].caos[0].calibration();
      for (std::size_t c = 0; c < calibration.size(); ++c) {
        const std::size_t image = references_.tasks[t].images[methods_[t].calibrating[c]];
        const auto found = std::ranges::lower_bound(calibrating_, image);
        scores(t, static_cast<std::size_t>(found - calibrating_.begin())) = calibration.scores()[c];
      }
    }
    joint_.emplace(scores);
    for (const Miscoverage& alpha : options_.alphas) {
      SimultaneousResult result{.alpha = alpha};
      result.guarantee = joint_->guarantee(alpha, options_.rule);
      result.n = joint_->size();
      result.feasible = is_feasible(joint_->size(), alpha);
      evaluation_.simultaneous.push_back(result);
    }
    together_.assign(num_alphas(), std::vector<Outcome>(test_.size()));
    separately_.assign(num_alphas(), std::vector<double>(test_.size()));
  }

  // One test image.

  void check_image(const Image& image) const {
    require(image.patches.cols() == scorer_.dimension(), ErrorKind::invalid_input, [&] {
      return fmt::format("test image {} has embeddings of {} numbers; the labelled images have {}",
                         image.index, image.patches.cols(), scorer_.dimension());
    });
    for (std::size_t t = 0; t < num_tasks(); ++t) {
      const std::int64_t label = test_.labels(image.index, t);
      const auto patches = static_cast<std::int64_t>(image.patches.rows());
      require(label == missing_label || (0 <= label && label < patches), ErrorKind::invalid_input,
              [&] {
                return fmt::format(
                    "landmark {} of test image {} is in patch {}; the image has "
                    "patches 0 to {} ({} means missing)",
                    labeled_.tasks[t], image.index, label, patches - 1, missing_label);
              });
    }
  }

  void evaluate_image(std::size_t x) {
    Image image{.index = x, .patches = test_.image(x), .scores = {}};
    check_image(image);
    image.scores = scorer_.scores(image.patches.view());
    Matrix<Score> pools;
    for (std::size_t t = 0; t < num_tasks(); ++t) {
      gather_pools(image.scores.view(), references_.tasks[t], pools);
      image.label_scores.push_back(methods_[t].label_scores(pools));
      evaluate_caos(image, t);
      evaluate_families(image, t, pools);
    }
    if (wants(Method::full_caos)) evaluate_full(image);
    if (joint_) evaluate_jointly(image);
  }

  /// The slots of a method at each alpha; the method is among `options_.methods`.
  [[nodiscard]] std::size_t slot(Method method) const {
    const auto found = std::ranges::find(options_.methods, method);
    return static_cast<std::size_t>(found - options_.methods.begin()) * num_alphas();
  }

  void record(std::vector<LandmarkMethodResult>& results, std::size_t first,
              const std::vector<PredictionSet>& sets, const Image& image, std::size_t t) {
    const std::size_t position = position_[t][image.index];
    if (position == no_position) return;
    const auto truth = static_cast<Label>(test_.labels(image.index, t));
    for (std::size_t a = 0; a < sets.size(); ++a) {
      results[first + a].outcomes[t][position] = outcome_of(sets[a], truth);
    }
  }

  void keep(Method method, const std::vector<PredictionSet>& sets, std::size_t x, std::size_t t) {
    if (options_.keep_sets != method) return;
    for (std::size_t a = 0; a < sets.size(); ++a) evaluation_.sets[a][x][t] = sets[a];
  }

  void evaluate_caos(Image& image, std::size_t t) {
    const std::vector<CaosSets>& caos = methods_[t].caos;
    image.caos.push_back(caos[0].caos(image.label_scores[t][0]));
    if (wants(Method::caos)) {
      record(evaluation_.methods, slot(Method::caos), image.caos[t], image, t);
      keep(Method::caos, image.caos[t], image.index, t);
    }
    for (std::size_t v = 1; v < caos.size(); ++v) {
      record(evaluation_.ablation, (v - 1) * num_alphas(), caos[v].caos(image.label_scores[t][v]),
             image, t);
    }
  }

  void evaluate_families(const Image& image, std::size_t t, const Matrix<Score>& pools) {
    const std::size_t position = position_[t][image.index];
    if (position == no_position) return;
    const TestInput input{.pools = pools.view()};
    for (const auto& family : methods_[t].families) {
      std::vector<Outcome> outcomes(family->results().size());
      family->measure(input, static_cast<Label>(test_.labels(image.index, t)), outcomes);
      for (std::size_t r = 0; r < outcomes.size(); ++r) {
        const MethodResult& result = family->results()[r];
        const auto a = static_cast<std::size_t>(std::ranges::find(options_.alphas, result.alpha) -
                                                options_.alphas.begin());
        evaluation_.methods[slot(result.method) + a].outcomes[t][position] = outcomes[r];
      }
    }
  }

  void evaluate_full(const Image& image) {
    std::optional<ReversePatchScores> reverse;
    if (!options_.score.is_symmetric()) {
      reverse.emplace(labeled_, image.patches.view(), candidates(image), options_.score);
    }
    Matrix<Score> rows;
    for (std::size_t t = 0; t < num_tasks(); ++t) {
      if (reverse) {
        rows = reverse->of_task(t, references_.tasks[t], methods_[t].calibrating);
      } else {
        // Symmetric scores: the reverse scores are the pools.
        gather_pools(image.scores.view(),
                     restricted_to(references_.tasks[t], methods_[t].calibrating), rows);
      }
      const TestInput input{.pools = {}, .reverse = std::as_const(rows).view()};
      const auto sets = methods_[t].caos[0].full(image.label_scores[t][0], input);
      record(evaluation_.methods, slot(Method::full_caos), sets, image, t);
      keep(Method::full_caos, sets, image.index, t);
    }
  }

  /// Patches that are in some CAOS set: no other can be in a Full CAOS set.
  [[nodiscard]] std::vector<Label> candidates(const Image& image) const {
    std::set<Label> labels;
    for (const auto& sets : image.caos) {
      for (const PredictionSet& set : sets) labels.insert(set.begin(), set.end());
    }
    return {labels.begin(), labels.end()};
  }

  void evaluate_jointly(const Image& image) {
    for (std::size_t a = 0; a < num_alphas(); ++a) {
      bool all = true;
      bool all_separately = true;
      double size = 0;
      std::size_t count = 0;
      for (std::size_t t = 0; t < num_tasks(); ++t) {
        if (position_[t][image.index] == no_position) continue;
        const auto truth = static_cast<Label>(test_.labels(image.index, t));
        const PredictionSet set =
            joint_->predict_set(t, image.label_scores[t][0], options_.alphas[a], options_.rule);
        all = all && std::ranges::binary_search(set, truth);
        all_separately = all_separately && std::ranges::binary_search(image.caos[t][a], truth);
        size += static_cast<double>(set.size());
        ++count;
      }
      Outcome& outcome = together_[a][image.index];
      outcome.covered = all ? 1 : 0;
      outcome.size = count == 0 ? 0 : size / static_cast<double>(count);
      separately_[a][image.index] = all_separately ? 1 : 0;
    }
  }

  // After all test images.

  static void summarize_landmarks(LandmarkMethodResult& result) {
    std::vector<Evaluation> evaluations;
    for (std::size_t t = 0; t < result.landmarks.size(); ++t) {
      if (result.outcomes[t].empty()) continue;
      result.landmarks[t].evaluation = summarize(
          result.outcomes[t], result.method == Method::scos ? IntervalKind::standard_error
                                                            : IntervalKind::clopper_pearson);
      evaluations.push_back(*result.landmarks[t].evaluation);
    }
    if (!evaluations.empty()) result.summary = summarize_tasks(evaluations);
  }

  /// Images without any landmark would count as covered, whatever the threshold.
  void summarize_images(std::size_t a) {
    std::vector<Outcome> together;
    std::vector<double> separately;
    for (std::size_t x = 0; x < test_.size(); ++x) {
      if (!has_landmark(x)) continue;
      together.push_back(together_[a][x]);
      separately.push_back(separately_[a][x]);
    }
    if (together.empty()) return;
    SimultaneousResult& result = evaluation_.simultaneous[a];
    result.evaluation = summarize(together);
    result.covered_separately = mean_with_error(separately).mean;
  }

  [[nodiscard]] bool has_landmark(std::size_t x) const {
    return std::ranges::any_of(position_,
                               [&](const auto& present) { return present[x] != no_position; });
  }

  static constexpr std::size_t no_position = std::numeric_limits<std::size_t>::max();

  const LabeledPatches& labeled_;
  const TestPatches& test_;
  const LandmarkEvaluateOptions& options_;
  ReferencePatches references_;
  PatchScorer scorer_;
  Indices calibrating_;
  std::vector<LandmarkMethods> methods_;
  std::optional<JointCalibration> joint_;
  std::vector<std::vector<std::size_t>> position_;  ///< by landmark and image, among those present
  std::vector<std::size_t> num_present_;
  LandmarkEvaluation evaluation_;
  std::vector<std::vector<Outcome>> together_;  ///< by alpha, then image
  std::vector<std::vector<double>> separately_;
  std::mutex mutex_;
  std::size_t done_ = 0;
};

}  // namespace

namespace {

/// The split methods need images on both sides for every landmark.
void check_sides(const LabeledPatches& labeled, const LandmarkEvaluateOptions& options) {
  if (std::ranges::all_of(options.methods, uses_all_images)) return;
  for (const PatchTask& task : reference_columns(labeled)) {
    require(!positions_in(task, options.partition.references).empty() &&
                !positions_in(task, options.partition.calibration).empty(),
            ErrorKind::invalid_input, [&] {
              return fmt::format(
                  "landmark {} has no reference or no calibration image in this split; leave the "
                  "split methods or the landmark out, or split otherwise",
                  task.name);
            });
  }
}

void check_options(const LabeledPatches& labeled, const LandmarkEvaluateOptions& options) {
  require(!options.methods.empty() && !options.alphas.empty(), ErrorKind::invalid_input,
          "give at least one method and one alpha");
  require(labeled.subjects.empty() || std::ranges::all_of(options.methods, uses_all_images),
          ErrorKind::invalid_input,
          "with several images of a subject there are caos and full-caos only; the split methods "
          "need one image of each");
  std::size_t k = options.k;
  std::size_t least = options.k;
  for (const std::size_t other : options.ablation_ks) {
    k = std::max(k, other);
    least = std::min(least, other);
  }
  require(least >= 1, ErrorKind::invalid_input, "k = 0 adds no scores; k must be at least 1");
  const Indices usable = usable_tasks(labeled, k);
  require(!usable.empty() && usable.size() == labeled.num_tasks(), ErrorKind::invalid_input, [&] {
    return fmt::format("k = {} needs {} labelled images of other subjects for every landmark", k,
                       k);
  });
  check_sides(labeled, options);
}

}  // namespace

LandmarkEvaluation evaluate_landmarks(const LabeledPatches& labeled, const TestPatches& test,
                                      const LandmarkEvaluateOptions& options) {
  check(labeled);
  check_options(labeled, options);
  require(test.labels.cols() == labeled.num_tasks(), ErrorKind::invalid_input,
          "labelled and test images have different landmarks");
  Evaluator evaluator(labeled, test, options);
  evaluator.run();
  return evaluator.finish();
}

}  // namespace caos
