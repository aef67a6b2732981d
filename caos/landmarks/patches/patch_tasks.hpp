#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "caos/calibration.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"

namespace caos {

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

/// A warning about landmarks that are left out; nothing where there are none.
[[nodiscard]] std::optional<std::string> left_out_warning(const std::vector<std::string>& left_out,
                                                          std::size_t k);

}  // namespace caos
