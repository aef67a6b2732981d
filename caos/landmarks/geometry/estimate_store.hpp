#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "caos/landmarks/geometry/geometry_estimate.hpp"

namespace caos {

/// An image's patches, unit rows, and how they lie; several may hold them.
struct GridPatches {
  std::shared_ptr<const Matrix<float>> patches{};
  vision::PatchGrid grid{};
};

/// A landmark of a reference: what describes it, a unit vector, and where it is, in patches.
struct ReferenceLandmark {
  std::span<const float> vector{};
  vision::Point position{};
};

/// The geometry score of every patch of one image under a landmark of another.
[[nodiscard]] std::vector<Score> geometry_scores(const GeometryEstimate& estimate,
                                                 const vision::PatchGrid& from,
                                                 const ReferenceLandmark& reference,
                                                 const GridPatches& to);
/// That of one label of an image, given its vector and its center in patches.
[[nodiscard]] Score geometry_score(const GeometryEstimate& estimate, const vision::PatchGrid& from,
                                   const ReferenceLandmark& reference, std::span<const float> own,
                                   vision::Point center);

/// Estimates between images, which do not depend on landmarks; the latest are kept. Safe to share
/// between threads.
class EstimateStore {
 public:
  using Estimate = std::shared_ptr<const GeometryEstimate>;

  /// From one image to another.
  [[nodiscard]] Estimate estimate(const GridPatches& from, const GridPatches& to);

  /// Makes those between `image` and each of the others, both ways, that are not here.
  void prepare(const GridPatches& image, std::span<const GridPatches> others, std::size_t threads);

 private:
  using Pair =
      std::pair<std::shared_ptr<const Matrix<float>>, std::shared_ptr<const Matrix<float>>>;
  struct Kept {
    Estimate estimate;
    std::list<Pair>::iterator place;
  };

  [[nodiscard]] Estimate find(const Pair& pair);
  void keep(const Pair& pair, const Estimate& estimate);

  std::mutex mutex_;
  std::map<Pair, Kept> kept_;
  std::list<Pair> order_;  ///< the latest first
  std::size_t num_patches_ = 0;
};

}  // namespace caos
