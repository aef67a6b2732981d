#include <fmt/format.h>

#include <optional>
#include <set>
#include <utility>

#include "caos/error.hpp"
#include "caos/landmarks/evaluation/image_evaluator.hpp"

namespace caos {
namespace {

class ExactEvaluator final : public ImageEvaluator {
 public:
  ExactEvaluator(const CalibratedLandmarks& landmarks, const TestPatches& test)
      : landmarks_(landmarks),
        test_(test),
        scorer_(landmarks.references.patches, landmarks.options.score) {}

  void evaluate(std::size_t first, std::size_t last, LandmarkTally& tally) const override {
    for (std::size_t x = first; x < last; ++x) evaluate_image(x, tally);
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

  void evaluate_image(std::size_t x, LandmarkTally& tally) const {
    Image image{.index = x, .patches = checked_image(landmarks_, test_, x), .scores = {}};
    image.scores = scorer_.scores(image.patches.view());
    Matrix<Score> pools;
    for (std::size_t t = 0; t < landmarks_.num_tasks(); ++t) {
      gather_pools(image.scores.view(), landmarks_.references.tasks[t], pools);
      image.label_scores.push_back(landmarks_.methods[t].label_scores(pools));
      evaluate_caos(image, t, tally);
      evaluate_families(image, t, pools, tally);
      if (landmarks_.joint) evaluate_jointly(image, t, tally);
    }
    if (landmarks_.wants(Method::full_caos)) evaluate_full(image, tally);
  }

  void evaluate_caos(Image& image, std::size_t t, LandmarkTally& tally) const {
    const std::vector<CaosSets>& caos = landmarks_.methods[t].caos;
    image.caos.push_back(caos[0].caos(image.label_scores[t][0]));
    if (landmarks_.wants(Method::caos)) record(Method::caos, image.caos[t], image, t, tally);
    if (!tally.has(image.index, t)) return;
    const Label truth = tally.truth(image.index, t);
    for (std::size_t v = 1; v < caos.size(); ++v) {
      const auto sets = caos[v].caos(image.label_scores[t][v]);
      for (std::size_t a = 0; a < sets.size(); ++a) {
        tally.record_ablation(v, a, image.index, t, outcome_of(sets[a], truth));
      }
    }
  }

  static void record(Method method, const std::vector<PredictionSet>& sets, const Image& image,
                     std::size_t t, LandmarkTally& tally) {
    const std::size_t x = image.index;
    for (std::size_t a = 0; a < sets.size(); ++a) {
      if (tally.has(x, t)) {
        tally.record(tally.slot(method), a, x, t, outcome_of(sets[a], tally.truth(x, t)));
      }
      if (tally.keeps(method)) tally.keep(a, x, t, sets[a]);
    }
  }

  void evaluate_families(const Image& image, std::size_t t, const Matrix<Score>& pools,
                         LandmarkTally& tally) const {
    if (!tally.has(image.index, t)) return;
    const TestInput input{.pools = pools.view()};
    for (const MethodFamily* family : landmarks_.methods[t].families()) {
      std::vector<Outcome> outcomes(family->results().size());
      family->measure(input, tally.truth(image.index, t), outcomes);
      tally.record(*family, image.index, t, outcomes);
    }
  }

  void evaluate_full(const Image& image, LandmarkTally& tally) const {
    std::optional<ReversePatchScores> reverse;
    if (!landmarks_.options.score.is_symmetric()) {
      reverse.emplace(landmarks_.labeled, image.patches.view(), candidates(image),
                      landmarks_.options.score);
    }
    Matrix<Score> rows;
    for (std::size_t t = 0; t < landmarks_.num_tasks(); ++t) {
      const PatchTask& task = landmarks_.references.tasks[t];
      const LandmarkMethods& methods = landmarks_.methods[t];
      if (reverse) {
        rows = reverse->of_task(t, task, methods.calibrating);
      } else {
        // Symmetric scores: the reverse scores are the pools. Cosine comes here in tests, which
        // hold the other evaluator against this one.
        gather_pools(image.scores.view(), restricted_to(task, methods.calibrating), rows);
      }
      const TestInput input{.pools = {}, .reverse = std::as_const(rows).view()};
      record(Method::full_caos, methods.caos[0].full(image.label_scores[t][0], input), image, t,
             tally);
    }
  }

  /// Patches that are in some CAOS set: no other can be in a Full CAOS set.
  [[nodiscard]] static std::vector<Label> candidates(const Image& image) {
    std::set<Label> labels;
    for (const auto& sets : image.caos) {
      for (const PredictionSet& set : sets) labels.insert(set.begin(), set.end());
    }
    return {labels.begin(), labels.end()};
  }

  void evaluate_jointly(const Image& image, std::size_t t, LandmarkTally& tally) const {
    const std::size_t x = image.index;
    if (!tally.has(x, t)) return;
    const Label truth = tally.truth(x, t);
    for (std::size_t a = 0; a < landmarks_.num_alphas(); ++a) {
      const PredictionSet set = landmarks_.joint->predict_set(
          t, image.label_scores[t][0], landmarks_.options.alphas[a], landmarks_.options.rule);
      tally.record_jointly(a, x, outcome_of(set, truth),
                           outcome_of(image.caos[t][a], truth).covered > 0);
    }
  }

  const CalibratedLandmarks& landmarks_;
  const TestPatches& test_;
  PatchScorer scorer_;
};

}  // namespace

std::unique_ptr<ImageEvaluator> exact_evaluator(const CalibratedLandmarks& landmarks,
                                                const TestPatches& test) {
  return std::make_unique<ExactEvaluator>(landmarks, test);
}

Matrix<float> checked_image(const CalibratedLandmarks& landmarks, const TestPatches& test,
                            std::size_t x) {
  Matrix<float> patches = test.image(x);
  const std::size_t dimension = landmarks.references.patches.cols();
  require(patches.cols() == dimension, ErrorKind::invalid_input, [&] {
    return fmt::format("test image {} has embeddings of {} numbers; the labeled images have {}", x,
                       patches.cols(), dimension);
  });
  const auto count = static_cast<std::int64_t>(patches.rows());
  for (std::size_t t = 0; t < landmarks.num_tasks(); ++t) {
    const std::int64_t label = test.labels(x, t);
    require(label == missing_label || (0 <= label && label < count), ErrorKind::invalid_input, [&] {
      return fmt::format(
          "landmark {} of test image {} is in patch {}; the image has patches 0 to {} ({} means "
          "missing)",
          landmarks.labeled.tasks[t], x, label, count - 1, missing_label);
    });
  }
  return patches;
}

}  // namespace caos
