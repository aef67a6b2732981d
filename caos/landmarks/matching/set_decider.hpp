#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/calibration.hpp"
#include "caos/landmarks/cells/cell_vectors.hpp"
#include "caos/landmarks/matching/image_sets.hpp"
#include "caos/landmarks/matching/patch_pools.hpp"
#include "caos/scores.hpp"

namespace caos {

/// CAOS sets of one landmark: the patches whose k smallest scores under some references add up to
/// at most a threshold.
struct PoolRule {
  struct Limit {
    std::size_t k = 1;
    Score threshold = 0;
  };

  std::vector<std::uint32_t> columns{};  ///< the distinct patches that the references refer with
  std::vector<Limit> limits{};           ///< one set each; k ascends
};

/// Full CAOS sets of one landmark: part of CAOS sets.
struct FullRule {
  const Calibration* calibration = nullptr;  ///< outlives the decider
  Indices calibrating{};                     ///< positions in the task's images
  std::vector<std::size_t> ranks{};          ///< one set each, among the calibration's units
  std::vector<std::size_t> limits{};  ///< by rank: the limit of the first pool that it is part of
};

/// SCOS sets of one landmark: under each reference the patches of at most its threshold.
struct ScosRule {
  std::vector<std::uint32_t> columns{};          ///< by reference
  std::vector<std::vector<Score>> thresholds{};  ///< by alpha, then reference
};

/// The sets of one landmark. They are numbered: those of the pools, one pool after another, then
/// those of Full CAOS. All landmarks of a decider have as many.
struct LandmarkRules {
  std::vector<PoolRule> pools{};
  std::optional<FullRule> full{};
  std::optional<ScosRule> scos{};

  [[nodiscard]] std::size_t num_sets() const {
    std::size_t count = full ? full->ranks.size() : 0;
    for (const PoolRule& pool : pools) count += pool.limits.size();
    return count;
  }
};

/// Images whose patches are put into sets, taken one by one.
struct QueryImages {
  std::function<Matrix<float>(std::size_t)> image{};  ///< unit rows; called from several threads
  MatrixView<const std::int64_t> labels{};     ///< [images, landmarks]; SCOS sets are counted where
                                               ///< the landmark is present
  std::span<const vision::PatchGrid> grids{};  ///< by image; empty where the score does not need it
  /// Where labels are cells: what they are read from. Called from several threads.
  std::function<CellSource(std::size_t)> cells{};
};

/// One image whose labels are put into sets. What it refers to outlives it.
struct QueryImage {
  MatrixView<const float> patches{};  ///< unit rows
  vision::PatchGrid grid{};           ///< of its labels; needed by scores that read positions only
  const CellSource* cells = nullptr;  ///< where labels are cells; null: they are patches

  [[nodiscard]] std::size_t num_labels() const {
    return cells == nullptr ? patches.rows() : grid.size();
  }
};

/// What a new image's patches are to one landmark.
struct LandmarkCandidates {
  /// A patch in the first set of the first pool.
  struct Member {
    Label patch = 0;
    Score score = 0;
    std::size_t below = 0;  ///< for Full CAOS: changed calibration scores below its own, in units
  };

  std::vector<Member> members{};
  Proposal proposal{};
  /// Where the references that fit best have it, in patches; by scores that estimate that.
  std::optional<vision::Point> estimate{};
};

/// Decides which patches of images are in the sets of every landmark. Implementations differ in
/// how they get there and never in the answer, which is that of all scores as they are defined.
/// Immutable; safe to share between threads.
class SetDecider {
 public:
  virtual ~SetDecider() = default;

  /// How many images of so many patches it would best be given at once.
  [[nodiscard]] virtual std::size_t images_at_once(std::size_t num_patches) const = 0;

  /// The sets of images first, ..., last - 1.
  [[nodiscard]] virtual ImageSets decide(const QueryImages& images, std::size_t first,
                                         std::size_t last) const = 0;

  /// By landmark, the members and the proposal of one image. Labels that are not `suitable` are
  /// neither; where none is, the first is proposed with the score +infinity.
  [[nodiscard]] virtual std::vector<LandmarkCandidates> candidates(
      const QueryImage& image, const std::vector<bool>& suitable) const = 0;
};

}  // namespace caos
