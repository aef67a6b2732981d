#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/scorers/exact_nearest.hpp"
#include "caos/scorers/patch_score.hpp"
#include "caos/scores.hpp"

namespace caos {

/// The pools of a task, [K, n], from the scores of an image's patches under all distinct
/// references, [K, R]. `columns` are those of the task's references.
void gather_pools(MatrixView<const Score> scores, std::span<const std::uint32_t> columns,
                  Matrix<Score>& pools);

/// The k smallest scores of a pool, ascending; of equal ones the earlier references.
[[nodiscard]] std::vector<Neighbor> nearest_in(std::span<const Score> pool, std::size_t k);

/// The patch that is proposed to hold a landmark.
struct Proposal {
  Label patch = 0;
  Score score = 0;  ///< +infinity where no patch can hold the landmark
  std::vector<Neighbor> supporting_references{};  ///< the k scores that its score adds, ascending
  /// Where images are rotated: at which angle each of them has its score, 0 being upright.
  std::vector<std::size_t> rotations{};
};

/// The patch of the smallest CAOS score, of equal ones the first. `label_scores` are by patch,
/// `pools` [K, n].
[[nodiscard]] Proposal propose(MatrixView<const Score> pools, std::span<const Score> label_scores,
                               std::size_t k);

/// Where in its patch a landmark is proposed: the mean offset of its supporting references,
/// `offset_of` each.
template <typename References, typename OffsetOf>
[[nodiscard]] Offset mean_offset(const References& supporting_references,
                                 const OffsetOf& offset_of) {
  Offset mean{};
  const auto count = static_cast<double>(supporting_references.size());
  for (const auto& reference : supporting_references) {
    const Offset offset = offset_of(reference);
    mean.x += offset.x / count;
    mean.y += offset.y / count;
  }
  return mean;
}

/// The distinct patches that hold a landmark of image `i`, ascending.
[[nodiscard]] std::vector<Label> distinct_labels(const LabeledPatches& labeled, std::size_t i);

/// The scores of labeled images under a new image's patches, for Full CAOS with scores that are
/// not symmetric.
class ReversePatchScores {
 public:
  /// Under the patches `candidates` of `image`, unit rows.
  ReversePatchScores(const LabeledPatches& labeled, MatrixView<const float> image,
                     std::span<const Label> candidates, const PatchScore& score);

  /// The reverse scores of a task, [K, calibrating]; +infinity for patches that are not
  /// candidates. `calibrating` are positions in the task's images.
  [[nodiscard]] Matrix<Score> of_task(std::size_t task, const PatchTask& images,
                                      const Indices& calibrating) const;

 private:
  const LabeledPatches& labeled_;
  std::size_t num_patches_;
  std::vector<Label> candidates_;
  std::vector<std::vector<Label>> labels_;  ///< by image: its distinct labels, ascending
  std::vector<Matrix<Score>> scores_;       ///< by image: [labels, candidates]
};

}  // namespace caos
