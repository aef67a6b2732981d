#include "caos/landmarks/evaluation/scos_best.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "caos/core/parallel_for.hpp"

namespace caos {
namespace {

/// How large the SCOS sets of the calibration images are in sum: by task, then [references,
/// alphas]. Sums are whole numbers, so their order is without effect.
using SetSizes = std::vector<std::vector<std::uint32_t>>;

class Counter {
 public:
  Counter(const CalibratedLandmarks& landmarks,
          const std::vector<std::vector<std::vector<Score>>>& thresholds)
      : landmarks_(landmarks), images_(landmarks.options.partition.calibration) {
    std::vector<LandmarkRules> rules;
    for (std::size_t t = 0; t < thresholds.size(); ++t) {
      const PatchTask references =
          restricted_to(landmarks.references.tasks[t], partition(t).references);
      rules.push_back({.scos = ScosRule{references.columns, thresholds[t]}});
      total_.emplace_back(references.columns.size() * thresholds[t].size());
    }
    decider_ = landmarks.matcher->decider(std::move(rules));
  }

  [[nodiscard]] SetSizes count() {
    const Matrix<std::int64_t> labels = labels_of_calibration();
    const auto& all = landmarks_.labeled.images;
    std::vector<vision::PatchGrid> grids;
    for (const std::size_t i : images_) {
      if (!landmarks_.labeled.grids.empty()) grids.push_back(landmarks_.labeled.grids[i]);
    }
    const QueryImages queries{
        .image = [&](std::size_t c) { return all[images_[c]]; },
        .labels = labels.view(),
        .grids = grids,
        .cells = [&](std::size_t c) { return landmarks_.labeled.cells.sources[images_[c]]; }};
    parallel_for(images_.size(), decider_->images_at_once(all[images_.at(0)].rows()),
                 landmarks_.options.threads, [&](std::size_t first, std::size_t last) {
                   add(decider_->decide(queries, first, last));
                 });
    return std::move(total_);
  }

 private:
  [[nodiscard]] const split::Partition& partition(std::size_t t) const {
    return landmarks_.methods[t].family_options->partition;
  }

  /// [calibration images, landmarks]; missing where an image does not calibrate a landmark.
  [[nodiscard]] Matrix<std::int64_t> labels_of_calibration() const {
    Matrix<std::int64_t> labels(images_.size(), total_.size(), missing_label);
    for (std::size_t t = 0; t < total_.size(); ++t) {
      for (const std::size_t p : partition(t).calibration) {
        const std::size_t i = landmarks_.references.tasks[t].images[p];
        const auto c = std::ranges::lower_bound(images_, i) - images_.begin();
        labels(static_cast<std::size_t>(c), t) = landmarks_.labeled.labels(i, t);
      }
    }
    return labels;
  }

  void add(const ImageSets& sets) {
    const std::lock_guard lock(mutex_);
    for (std::size_t t = 0; t < sets.scos.size(); ++t) {
      for (const ScosCounts& counts : sets.scos[t]) {
        for (std::size_t cell = 0; cell < counts.sizes.size(); ++cell) {
          total_[t][cell] += counts.sizes[cell];
        }
      }
    }
  }

  const CalibratedLandmarks& landmarks_;
  const Indices& images_;  ///< that calibrate, ascending
  std::unique_ptr<const SetDecider> decider_;
  SetSizes total_;
  std::mutex mutex_;
};

}  // namespace

std::vector<std::vector<std::size_t>> best_references(
    const CalibratedLandmarks& landmarks,
    const std::vector<std::vector<std::vector<Score>>>& thresholds) {
  const SetSizes sizes = Counter(landmarks, thresholds).count();
  std::vector<std::vector<std::size_t>> best(sizes.size());
  for (std::size_t t = 0; t < sizes.size(); ++t) {
    const std::size_t alphas = thresholds[t].size();
    for (std::size_t a = 0; a < alphas; ++a) {
      std::vector<std::uint32_t> of_alpha;
      for (std::size_t c = a; c < sizes[t].size(); c += alphas) of_alpha.push_back(sizes[t][c]);
      best[t].push_back(split::best_reference(of_alpha));
    }
  }
  return best;
}

}  // namespace caos
