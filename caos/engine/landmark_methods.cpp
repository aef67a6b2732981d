#include "caos/engine/landmark_methods.hpp"

#include <algorithm>
#include <mutex>

#include "caos/core/error.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/numerics/minsum.hpp"

namespace caos {
namespace {

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
          .threads = 1};
}

/// How large the SCOS sets of the calibration images are in sum: by task, alpha and reference.
class SetSizes {
 public:
  SetSizes(const ReferencePatches& references, const std::vector<OwnScores>& own,
           const LandmarkEvaluateOptions& options)
      : references_(references), locks_(references.tasks.size()) {
    for (std::size_t t = 0; t < own.size(); ++t) {
      partitions_.push_back(partition_of(references.tasks[t], options.partition));
      auto& thresholds = thresholds_.emplace_back();
      for (const Miscoverage& alpha : options.alphas) {
        thresholds.push_back(
            split::scos_thresholds(own[t], partitions_.back(), alpha, options.rule));
      }
      sizes_.emplace_back(options.alphas.size(),
                          std::vector<std::uint32_t>(partitions_.back().references.size()));
    }
  }

  /// Adds image `i`, where it calibrates. Sums are whole numbers, so their order is without effect.
  void add(std::size_t i, const Matrix<Score>& scores) {
    Matrix<Score> pools;
    for (std::size_t t = 0; t < sizes_.size(); ++t) {
      if (!calibrates(t, i)) continue;
      gather_pools(scores.view(), references_.tasks[t], pools);
      const std::lock_guard lock(locks_[t]);
      for (std::size_t a = 0; a < sizes_[t].size(); ++a) {
        split::add_set_sizes(std::as_const(pools).view(), partitions_[t].references,
                             thresholds_[t][a], sizes_[t][a]);
      }
    }
  }

  [[nodiscard]] std::vector<std::size_t> best(std::size_t t) const {
    std::vector<std::size_t> references;
    for (const auto& sizes : sizes_[t]) references.push_back(split::best_reference(sizes));
    return references;
  }

 private:
  [[nodiscard]] bool calibrates(std::size_t t, std::size_t i) const {
    const Indices& images = references_.tasks[t].images;
    const auto found = std::ranges::lower_bound(images, i);
    return found != images.end() && *found == i &&
           std::ranges::binary_search(partitions_[t].calibration,
                                      static_cast<std::size_t>(found - images.begin()));
  }

  const ReferencePatches& references_;
  std::vector<split::Partition> partitions_;
  std::vector<std::vector<std::vector<Score>>> thresholds_;
  std::vector<std::vector<std::vector<std::uint32_t>>> sizes_;
  std::vector<std::mutex> locks_;
};

bool wants(const LandmarkEvaluateOptions& options, Method method) {
  return std::ranges::find(options.methods, method) != options.methods.end();
}

/// The references of SCOS Best, by task and alpha; nothing where nobody asks.
std::vector<std::vector<std::size_t>> best_references(const LabeledPatches& labeled,
                                                      const ReferencePatches& references,
                                                      const PatchScorer& scorer,
                                                      const std::vector<OwnScores>& own,
                                                      const LandmarkEvaluateOptions& options) {
  std::vector<std::vector<std::size_t>> best(own.size());
  if (!wants(options, Method::scos_best)) return best;
  SetSizes sizes(references, own, options);
  const Indices& images = options.partition.calibration;
  parallel_for(images.size(), 1, options.threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      sizes.add(images[c], scorer.scores(labeled.images[images[c]].view()));
    }
  });
  for (std::size_t t = 0; t < best.size(); ++t) best[t] = sizes.best(t);
  return best;
}

LandmarkMethods calibrate_task(const PatchTask& task, const OwnScores& own,
                               const Indices& calibrating, std::vector<std::size_t> best,
                               const LandmarkEvaluateOptions& options) {
  LandmarkMethods methods;
  methods.calibrating = positions_in(task, calibrating);
  std::vector<std::size_t> ks{options.k};
  ks.insert(ks.end(), options.ablation_ks.begin(), options.ablation_ks.end());
  methods.largest_k = *std::ranges::max_element(ks);
  for (const std::size_t k : ks) {
    methods.caos.emplace_back(calibrate(own, methods.calibrating, k), options.alphas, options.rule);
  }
  methods.family_options = std::make_unique<EvaluateOptions>(family_options(task, options));
  methods.families = make_families({.own = own, .best = std::move(best), .has_reverse = false},
                                   *methods.family_options);
  return methods;
}

}  // namespace

bool uses_all_images(Method method) {
  return method == Method::caos || method == Method::full_caos;
}

std::vector<std::vector<Score>> LandmarkMethods::label_scores(const Matrix<Score>& pools) const {
  std::vector<std::vector<Score>> scores(caos.size(), std::vector<Score>(pools.rows()));
  if (caos.size() == 1) {
    minsum_rows(pools.view(), largest_k, scores[0]);
    return scores;
  }
  Matrix<Score> nearest(pools.rows(), largest_k);
  smallest_rows(pools.view(), nearest.view());
  for (std::size_t v = 0; v < caos.size(); ++v) {
    const std::size_t k = caos[v].calibration().k();
    for (Label y = 0; y < pools.rows(); ++y) {
      scores[v][y] = sum_in_order(std::as_const(nearest).row(y).first(k));
    }
  }
  return scores;
}

std::vector<LandmarkMethods> calibrate_methods(const LabeledPatches& labeled,
                                               const ReferencePatches& references,
                                               const PatchScorer& scorer,
                                               const Indices& calibrating,
                                               const LandmarkEvaluateOptions& options) {
  const auto own = own_scores(labeled, references.tasks, scorer, options.threads);
  auto best = best_references(labeled, references, scorer, own, options);
  std::vector<LandmarkMethods> methods(own.size());
  parallel_for(own.size(), 1, options.threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) {
      methods[t] =
          calibrate_task(references.tasks[t], own[t], calibrating, std::move(best[t]), options);
    }
  });
  return methods;
}

}  // namespace caos
