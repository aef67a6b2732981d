#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caos/sorted_scores.hpp"

/// Weights of calibration images where subjects have several: each target has its own
/// (docs/project/theory.md, section 11, "Subjects").
namespace caos {

/// Which new image a guarantee is for.
enum class ImageTarget {
  any,      ///< a new image; images are exchangeable, no two are of one subject
  subject,  ///< a random image of a new subject
  image,    ///< a random image of a finite pool, of a subject without labeled images
};

/// `subject` or `image`, as the command line and Python have it; `any` for no subjects.
[[nodiscard]] std::string_view target_name(ImageTarget target);
/// Throws `invalid_input` for anything but `subject` and `image`.
[[nodiscard]] ImageTarget parse_target(std::string_view name);

/// The image in words: `a random image of a new subject`.
[[nodiscard]] std::string_view target_text(ImageTarget target);

/// The words under which a guarantee for this image is given.
[[nodiscard]] std::string assumption_of(ImageTarget target);

/// How many distinct subjects these images have.
[[nodiscard]] std::size_t num_subjects(std::span<const std::size_t> subjects);

/// How many images of a subject each image stands beside, itself included.
[[nodiscard]] std::vector<std::size_t> images_of_same_subject(
    std::span<const std::size_t> subjects);

/// The same numbers where two images are of one subject; nothing where all differ.
[[nodiscard]] std::vector<std::size_t> repeated_subjects(std::vector<std::size_t> subjects);

/// For a random image of a new subject: an image of a subject with n_s calibration images weighs
/// 1/n_s, the new one 1. `subjects` is by calibration image.
[[nodiscard]] ExampleWeights subject_weights(std::span<const std::size_t> subjects,
                                             std::uint64_t most = most_weight);

/// A finite pool, as calibration images see it.
struct PoolSizes {
  std::size_t images = 0;               ///< M: all images of the pool
  std::vector<std::size_t> of_subject;  ///< N_b of each calibration image's subject b
};

/// The pool images of the calibration images' subjects, each subject's counted once.
[[nodiscard]] std::size_t pool_images_of(std::span<const std::size_t> subjects,
                                         const PoolSizes& pool);

/// For a random image of the pool whose subject has `new_images` images there and none labeled. An
/// image of subject b, with n_b calibration images, weighs (N_b / n_b) / (M - W + N_b), the new one
/// N_new / (M - W + N_new), where W counts the pool images of all these subjects, the new one
/// included. `subjects` is by calibration image; empty where all differ.
/// Requires n_b <= N_b, W <= M and a pool of fewer than 2^31 images.
[[nodiscard]] ExampleWeights pool_weights(std::span<const std::size_t> subjects,
                                          const PoolSizes& pool, std::size_t new_images,
                                          std::uint64_t most = most_weight);

}  // namespace caos
