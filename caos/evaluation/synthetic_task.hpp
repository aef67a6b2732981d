#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "caos/rng.hpp"
#include "caos/scores.hpp"

namespace caos {

/// A toy landmark task. Every image has one descriptor per patch; the landmark lies in one of them.
/// Its descriptor depends on the kind of person in the image, so that a reference serves well only
/// for images of its own kind; all other patches look like themselves in every image.
/// The same seed makes the same task and images everywhere.
class ToyTask {
 public:
  ToyTask(std::size_t num_patches, std::uint64_t seed);

  static constexpr std::size_t dimension = 8;
  using Descriptor = std::array<double, dimension>;

  struct Image {
    std::vector<Descriptor> patches;
    Label landmark;
  };

  /// Images are independent and alike in law, so they are exchangeable.
  [[nodiscard]] std::vector<Image> draw_images(std::size_t count);

 private:
  [[nodiscard]] Image draw_image();
  [[nodiscard]] double bell();
  [[nodiscard]] Descriptor draw(double scale);

  Rng rng_;
  std::array<Descriptor, 4> landmark_{};
  std::vector<Descriptor> patches_;
};

/// The score of every patch of every image under every reference, [images, patches, references]:
/// squared distance, symmetric like the cosine distance of real descriptors.
[[nodiscard]] std::vector<float> toy_scores(std::span<const ToyTask::Image> images,
                                            std::span<const ToyTask::Image> references);

/// The patch of each image that holds the landmark.
[[nodiscard]] std::vector<Label> toy_labels(std::span<const ToyTask::Image> images);

}  // namespace caos
