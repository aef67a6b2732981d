#include "caos/landmarks/evaluation/scos_best.hpp"

#include <algorithm>
#include <cstdint>
#include <mutex>

#include "caos/core/parallel_for.hpp"
#include "caos/landmarks/matching/coarse_scos.hpp"
#include "caos/landmarks/matching/image_batch.hpp"

namespace caos {
namespace {

/// How large the SCOS sets of the calibration images are in sum: by task, then [references,
/// alphas]. Sums are whole numbers, so their order is without effect.
using SetSizes = std::vector<std::vector<std::uint32_t>>;

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
    for (const auto& task : thresholds_) sizes.emplace_back(task.size() * task.at(0).size());
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
      for (std::size_t cell = 0; cell < sizes[t].size(); ++cell) total_[t][cell] += sizes[t][cell];
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
      const std::size_t alphas = thresholds_[t].size();
      for (std::size_t a = 0; a < alphas; ++a) {
        std::vector<std::uint32_t> of_image(thresholds_[t][a].size());
        split::add_set_sizes(std::as_const(pools).view(), partition(t).references,
                             thresholds_[t][a], of_image);
        for (std::size_t r = 0; r < of_image.size(); ++r) sizes[t][r * alphas + a] += of_image[r];
      }
    }
  }

  void count_coarsely() {
    std::vector<CoarseScos> tasks;
    for (std::size_t t = 0; t < thresholds_.size(); ++t) {
      tasks.emplace_back(landmarks_.references.tasks[t], partition(t).references, thresholds_[t]);
    }
    const CoarseReferences references(*landmarks_.coarse, landmarks_.options.threads);
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
                     count_group(tasks, batch.segments(g), {&images[first], last - first}, group,
                                 scratch, sizes);
                   });
                   add(sizes);
                 });
  }

  void count_group(const std::vector<CoarseScos>& tasks,
                   const std::vector<ImageBatch::Segment>& segments,
                   std::span<const std::size_t> images, const CoarseGroup& group,
                   CoarseScratch& scratch, SetSizes& sizes) const {
    std::vector<std::uint32_t> words;
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      words.resize(sizes[t].size());
      tasks[t].decide(group, scratch, words);
      for (const ImageBatch::Segment& segment : segments) {
        if (!calibrates(t, images[segment.image])) continue;
        kernels::add_bit_counts(words, segment.bits, sizes[t].data());
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
