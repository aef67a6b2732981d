#include "caos/engine/scos_best.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <mutex>

#include "caos/core/parallel_for.hpp"
#include "caos/engine/coarse_scos.hpp"
#include "caos/engine/image_batch.hpp"

namespace caos {
namespace {

/// How large the SCOS sets of the calibration images are in sum: by task, alpha and reference. Sums
/// are whole numbers, so their order is without effect.
using SetSizes = std::vector<std::vector<std::vector<std::uint32_t>>>;

class Counter {
 public:
  Counter(const CalibratedLandmarks& landmarks,
          const std::vector<std::vector<std::vector<Score>>>& thresholds)
      : landmarks_(landmarks), thresholds_(thresholds), total_(no_sizes()) {}

  [[nodiscard]] SetSizes count() {
    if (landmarks_.coarse) {
      count_coarsely();
    } else {
      count_exactly();
    }
    return std::move(total_);
  }

 private:
  [[nodiscard]] SetSizes no_sizes() const {
    SetSizes sizes;
    for (const auto& of_task : thresholds_) {
      auto& task = sizes.emplace_back();
      for (const auto& of_alpha : of_task) task.emplace_back(of_alpha.size());
    }
    return sizes;
  }

  [[nodiscard]] const split::Partition& partition(std::size_t t) const {
    return landmarks_.methods[t].family_options->partition;
  }

  /// Whether image `i` calibrates landmark `t`.
  [[nodiscard]] bool calibrates(std::size_t t, std::size_t i) const {
    const Indices& images = landmarks_.references.tasks[t].images;
    const auto found = std::ranges::lower_bound(images, i);
    return found != images.end() && *found == i &&
           std::ranges::binary_search(partition(t).calibration,
                                      static_cast<std::size_t>(found - images.begin()));
  }

  void add(const SetSizes& sizes) {
    const std::lock_guard lock(mutex_);
    for (std::size_t t = 0; t < sizes.size(); ++t) {
      for (std::size_t a = 0; a < sizes[t].size(); ++a) {
        for (std::size_t r = 0; r < sizes[t][a].size(); ++r) total_[t][a][r] += sizes[t][a][r];
      }
    }
  }

  void count_exactly() {
    const Indices& images = landmarks_.options.partition.calibration;
    const PatchScorer scorer(landmarks_.references.patches, landmarks_.options.score);
    parallel_for(images.size(), 1, landmarks_.options.threads,
                 [&](std::size_t first, std::size_t last) {
                   SetSizes sizes = no_sizes();
                   for (std::size_t c = first; c < last; ++c) {
                     count_image(images[c], scorer, sizes);
                   }
                   add(sizes);
                 });
  }

  void count_image(std::size_t i, const PatchScorer& scorer, SetSizes& sizes) const {
    const Matrix<Score> scores = scorer.scores(landmarks_.labeled.images[i].view());
    Matrix<Score> pools;
    for (std::size_t t = 0; t < sizes.size(); ++t) {
      if (!calibrates(t, i)) continue;
      gather_pools(scores.view(), landmarks_.references.tasks[t], pools);
      for (std::size_t a = 0; a < sizes[t].size(); ++a) {
        split::add_set_sizes(std::as_const(pools).view(), partition(t).references,
                             thresholds_[t][a], sizes[t][a]);
      }
    }
  }

  void count_coarsely() {
    std::vector<CoarseScos> tasks;
    for (std::size_t t = 0; t < thresholds_.size(); ++t) {
      tasks.emplace_back(landmarks_.references.tasks[t], partition(t).references, thresholds_[t]);
    }
    const CoarseReferences references(*landmarks_.coarse);
    const auto rows = row_pointers(landmarks_.references.patches.view());
    const Indices& images = landmarks_.options.partition.calibration;
    const auto image = [&](std::size_t c) { return landmarks_.labeled.images[images[c]]; };
    const std::size_t grain = images_at_once(landmarks_.labeled.images[images.at(0)].rows());
    parallel_for(images.size(), grain, landmarks_.options.threads,
                 [&](std::size_t first, std::size_t last) {
                   const ImageBatch batch(first, last, references.dimension(), image);
                   SetSizes sizes = no_sizes();
                   CoarseScratch scratch(rows, references.dimension());
                   batch.compare(references, [&](std::size_t g, const CoarseGroup& group) {
                     for (const auto& segment : batch.segments(g)) {
                       count_segment(tasks, images[first + segment.image], segment.bits, group,
                                     scratch, sizes);
                     }
                   });
                   add(sizes);
                 });
  }

  void count_segment(const std::vector<CoarseScos>& tasks, std::size_t i, std::uint32_t bits,
                     CoarseGroup group, CoarseScratch& scratch, SetSizes& sizes) const {
    group.present = bits;
    std::vector<std::uint32_t> words;
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      if (!calibrates(t, i)) continue;
      const std::size_t alphas = tasks[t].num_alphas();
      words.resize(tasks[t].num_references() * alphas);
      tasks[t].decide(group, scratch, words);
      for (std::size_t w = 0; w < words.size(); ++w) {
        sizes[t][w % alphas][w / alphas] += static_cast<std::uint32_t>(std::popcount(words[w]));
      }
    }
  }

  const CalibratedLandmarks& landmarks_;
  const std::vector<std::vector<std::vector<Score>>>& thresholds_;
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
    for (const auto& of_alpha : sizes[t]) best[t].push_back(split::best_reference(of_alpha));
  }
  return best;
}

}  // namespace caos
