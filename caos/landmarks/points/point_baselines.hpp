#pragma once

#include <cstddef>
#include <vector>

#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/points/thumbnail.hpp"

namespace caos {

/// What an image's points would be without any matching: rules that a proposal must beat. Positions
/// are carried over relative to the size of the image.
class PointBaselines {
 public:
  /// From labeled images, which outlive this. Requires that some of them has each landmark.
  explicit PointBaselines(const AnnotatedImages& labeled);

  /// By landmark: the mean of the labeled positions.
  [[nodiscard]] std::vector<vision::Point> mean_position(const vision::Frame& frame) const;

  /// Whether the pixels of the labeled images are known, which `nearest_image` requires.
  [[nodiscard]] bool has_thumbnails() const { return !thumbnails_.empty(); }

  /// By landmark: its position in the labeled image whose thumbnail correlates most with this
  /// image's, among those that have the landmark; of equal ones, in the first.
  [[nodiscard]] std::vector<vision::Point> nearest_image(const vision::GrayImage& image,
                                                         const vision::Frame& frame) const;

 private:
  [[nodiscard]] bool has(std::size_t image, std::size_t landmark) const;

  const AnnotatedImages& labeled_;
  std::vector<vision::Point> means_;   ///< by landmark, in shares of the image's size
  std::vector<Thumbnail> thumbnails_;  ///< by labeled image; empty where pixels are not known
};

}  // namespace caos
