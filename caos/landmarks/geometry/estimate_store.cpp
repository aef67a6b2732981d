#include "caos/landmarks/geometry/estimate_store.hpp"

#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/kernels/dot.hpp"

namespace caos {
namespace {

/// Patches whose residuals are kept, of 24 bytes each: those of a few images with some hundreds of
/// others.
constexpr std::size_t most_patches = std::size_t{4} << 20;

GeometryEstimate make(const GridPatches& from, const GridPatches& to) {
  PatchSimilarities scratch;
  return estimate_geometry(AnchorPatches(from.patches->view(), from.grid),
                           TargetPatches(to.patches->view(), to.grid), scratch);
}

}  // namespace

std::vector<Score> geometry_scores(const GeometryEstimate& estimate, const vision::PatchGrid& from,
                                   const ReferenceLandmark& reference, const GridPatches& to) {
  const Matrix<float>& patches = *to.patches;
  std::vector<Score> scores(patches.rows());
  kernels::dot_rows(&patches(0, 0), patches.rows(), reference.vector.data(), 1, patches.cols(),
                    scores.data(), 1);
  const vision::Point place = estimate.project(LocalAnchors(from, reference.position));
  for (Label y = 0; y < scores.size(); ++y) {
    scores[y] = descriptor_term(scores[y], estimate.deviation()) +
                distance_term(squared_distance(center_of(to.grid, y), place));
  }
  return scores;
}

Score geometry_score(const GeometryEstimate& estimate, const vision::PatchGrid& from,
                     const ReferenceLandmark& reference, std::span<const float> own,
                     vision::Point center) {
  double similarity = 0;
  kernels::dot_rows(own.data(), 1, reference.vector.data(), 1, own.size(), &similarity, 1);
  const vision::Point place = estimate.project(LocalAnchors(from, reference.position));
  return descriptor_term(similarity, estimate.deviation()) +
         distance_term(squared_distance(center, place));
}

EstimateStore::Estimate EstimateStore::estimate(const GridPatches& from, const GridPatches& to) {
  const Pair pair{from.patches, to.patches};
  if (Estimate found = find(pair)) return found;
  auto made = std::make_shared<const GeometryEstimate>(make(from, to));
  keep(pair, made);
  return made;
}

void EstimateStore::prepare(const GridPatches& image, std::span<const GridPatches> others,
                            std::size_t threads) {
  parallel_for(2 * others.size(), 1, threads, [&](std::size_t i, std::size_t) {
    const GridPatches& other = others[i / 2];
    static_cast<void>(i % 2 == 0 ? estimate(image, other) : estimate(other, image));
  });
}

EstimateStore::Estimate EstimateStore::find(const Pair& pair) {
  const std::lock_guard lock(mutex_);
  const auto found = kept_.find(pair);
  if (found == kept_.end()) return nullptr;
  order_.splice(order_.begin(), order_, found->second.place);
  return found->second.estimate;
}

void EstimateStore::keep(const Pair& pair, const Estimate& estimate) {
  const std::lock_guard lock(mutex_);
  if (kept_.contains(pair)) return;
  order_.push_front(pair);
  kept_.emplace(pair, Kept{estimate, order_.begin()});
  num_patches_ += pair.first->rows();
  while (num_patches_ > most_patches && order_.size() > 1) {
    num_patches_ -= order_.back().first->rows();
    kept_.erase(order_.back());
    order_.pop_back();
  }
}

}  // namespace caos
