#pragma once

#include <cstddef>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/vision/gray_image.hpp"

namespace caos::vision {

/// How much the brightness of an image changes from place to place: the length of its gradient,
/// after the image was made at most 512 pixels long (by means of square blocks) and smoothed a
/// little.
class Structure {
 public:
  /// Requires an image with pixels.
  explicit Structure(const GrayImage& image);

  /// The mean over a window of 17 x 17 small pixels about a point of the image, as far as it is
  /// within the image. Points outside are moved to its edge.
  [[nodiscard]] double around(Point point) const;

  /// The mean over the image.
  [[nodiscard]] double mean() const { return mean_; }

 private:
  std::size_t block_;  ///< pixels of the image on a side of a small one
  std::size_t width_;
  std::size_t height_;
  std::vector<float> lengths_;
  double mean_ = 0;
};

}  // namespace caos::vision
