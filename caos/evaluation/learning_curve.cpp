#include <cmath>

#include "caos/advice.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/evaluation.hpp"
#include "caos/rng.hpp"
#include "caos/split.hpp"

namespace caos {
namespace {

/// CAOS with `chosen.references` as all labeled examples, tried on the others.
Evaluation try_subsample(const ScoreTensor& labeled, std::span<const Label> labels,
                         const OwnScores& own, const split::Partition& chosen,
                         const LearningCurveOptions& options) {
  const Indices& kept = chosen.references;
  const split::SplitCaos caos{Calibration(nearest_among(own, kept, kept, options.k),
                                          Grouping::none(kept.size()), kept.size()),
                              kept};
  const std::vector<Score> thresholds(labeled.num_labels,
                                      caos.calibration.threshold(options.alpha));
  std::vector<Outcome> outcomes;
  for (const std::size_t i : chosen.calibration) {
    outcomes.push_back(outcome_of(caos.label_scores(labeled.input(i)), thresholds, labels[i]));
  }
  return summarize(outcomes);
}

std::vector<std::size_t> sizes_to_try(std::size_t n, std::size_t k) {
  std::vector<std::size_t> sizes;
  for (const std::size_t percent : {25U, 50U, 75U, 90U}) {
    const std::size_t size = n * percent / 100;
    if (size >= k + 1 && size < n && (sizes.empty() || size > sizes.back())) sizes.push_back(size);
  }
  return sizes;
}

LearningCurvePoint point_at(std::size_t size, std::span<const Evaluation> trials,
                            const LearningCurveOptions& options) {
  const TaskSummary summary = summarize_tasks(trials);
  const double error = summary.mean_set_size.standard_error.value_or(0);
  return {.n = size,
          .feasible = is_feasible(size, options.alpha),
          .mean_set_size = summary.mean_set_size.mean,
          .spread = error * std::sqrt(static_cast<double>(trials.size())),
          .coverage = summary.coverage.mean};
}

}  // namespace

std::vector<LearningCurvePoint> learning_curve(const ScoreTensor& labeled,
                                               std::span<const Label> labels,
                                               const LearningCurveOptions& options) {
  const OwnScores own = OwnScores::of_labeled(labeled, labels);
  check_k(options.k, own.size());
  std::vector<LearningCurvePoint> curve;
  for (const std::size_t size : sizes_to_try(own.size(), options.k)) {
    std::vector<Evaluation> trials(options.repeats);
    parallel_for(options.repeats, 1, options.threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t repeat = first; repeat < last; ++repeat) {
        Rng rng = Rng::stream(options.seed, repeat);
        const split::Partition chosen = split::draw(own.size(), size, rng);
        trials[repeat] = try_subsample(labeled, labels, own, chosen, options);
      }
    });
    curve.push_back(point_at(size, trials, options));
  }
  return curve;
}

}  // namespace caos
