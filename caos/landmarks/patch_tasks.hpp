#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caos/calibration.hpp"
#include "caos/landmarks/labeled_patches.hpp"
#include "caos/scorers/patch_scorer.hpp"

namespace caos {

/// The own scores of every task: each labeled image's landmark under the other images'. The scores
/// under images of the same subject are +infinity, which leaves those references out.
/// Requires two images for every task.
[[nodiscard]] std::vector<OwnScores> own_scores(const LabeledPatches& labeled,
                                                const std::vector<PatchTask>& tasks,
                                                const PatchScorer& scorer, std::size_t threads);

/// The same of one task, where scores are cosine: then an image's other patches do not matter, and
/// the landmark's own patches are all that is compared.
[[nodiscard]] OwnScores own_cosine_scores(const LabeledPatches& labeled,
                                          const ReferencePatches& references,
                                          const PatchTask& task);

/// Every labeled image. With subjects, too: weights make each subject count once.
[[nodiscard]] Indices all_images(const LabeledPatches& labeled);

/// Weights of these labeled images for a random image of a new subject (`subject_weights`); plain
/// where no two are of one subject.
[[nodiscard]] ExampleWeights weights_by_subject(const LabeledPatches& labeled,
                                                const Indices& calibrating);

/// Of weights by calibrating image, those of images that have the task's landmark.
[[nodiscard]] ExampleWeights weights_of_task(const ExampleWeights& weights,
                                             const Indices& calibrating, const PatchTask& task);

/// The positions in `task.images` of those images that are also in `chosen`.
[[nodiscard]] Indices positions_in(const PatchTask& task, const Indices& chosen);

/// The task with the images at these positions only.
[[nodiscard]] PatchTask restricted_to(const PatchTask& task, const Indices& positions);

/// The largest k that the task has references for: images other than those of the same subject.
[[nodiscard]] std::size_t largest_k(const LabeledPatches& labeled, const PatchTask& task);

/// The landmarks that have references enough for k.
[[nodiscard]] Indices usable_tasks(const LabeledPatches& labeled, std::size_t k);
/// The names of the others.
[[nodiscard]] std::vector<std::string> names_without(const LabeledPatches& labeled,
                                                     const Indices& tasks);

/// Takes out the landmarks that have too few references for k, of labeled and test images, and
/// returns their names. Throws `invalid_input` where none would be left.
[[nodiscard]] std::vector<std::string> drop_unusable(LabeledPatches& labeled,
                                                     Matrix<std::int64_t>& test_labels,
                                                     std::size_t k);

/// What a user should hear of landmarks that are left out; nothing where there are none.
[[nodiscard]] std::optional<std::string> left_out_warning(const std::vector<std::string>& left_out,
                                                          std::size_t k);

/// Leave-one-subject-out calibration of a task on the images at these positions, with their
/// weights. Requires 1 <= k <= largest_k(labeled, task).
[[nodiscard]] Calibration calibrate(const OwnScores& own, const Indices& calibrating, std::size_t k,
                                    ExampleWeights weights = {});

/// The pools of a task, [K, n], from the scores of an image's patches under all distinct
/// references, [K, R].
void gather_pools(MatrixView<const Score> scores, const PatchTask& task, Matrix<Score>& pools);

/// The scores of labeled images under a new image's patches, for Full CAOS with scores that are
/// not symmetric.
class ReversePatchScores {
 public:
  /// Under the patches `candidates` of `image`, unit rows.
  ReversePatchScores(const LabeledPatches& labeled, MatrixView<const float> image,
                     std::span<const Label> candidates, const PatchScore& score);

  /// The reverse scores of a task, [K, calibrating]; +infinity for patches that are no candidates.
  /// `calibrating` are positions in the task's images.
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
