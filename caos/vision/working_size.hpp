#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "caos/backbone.hpp"

namespace caos::vision {

/// A rectangle in pixels, continuous.
struct Bounds {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
};

/// How an image of some size is laid into the working image that a backbone sees.
struct Frame {
  std::size_t width = 0;  ///< of the original
  std::size_t height = 0;
  std::size_t scaled_width = 0;  ///< of the original within the working image
  std::size_t scaled_height = 0;
  std::size_t working_width = 0;  ///< with padding
  std::size_t working_height = 0;
  PatchGrid grid{};  ///< over the working image

  /// A point of the original in the working image. Points of the image stay within it.
  [[nodiscard]] Point to_working(Point original) const;
  [[nodiscard]] Point to_original(Point working) const;

  /// A patch in pixels of the original, cut off where the image ends; empty (left == right or
  /// top == bottom) for a patch of padding.
  [[nodiscard]] Bounds patch_bounds(Label patch) const;

  /// The patch that holds a point of the original. Throws `invalid_input` for a point outside.
  [[nodiscard]] Label patch_at(Point original) const;
  /// Where in that patch it lies, from (0, 0), the upper left corner, to (1, 1).
  [[nodiscard]] Point offset_at(Point original) const;
  /// The point of the original at this place in a patch, cut off where the image ends.
  [[nodiscard]] Point point_at(Label patch, Point offset) const;
};

/// The working size where none is given, as `WorkingSize::parse` reads it.
inline constexpr std::string_view default_working_size = "512";

/// The size at which images are embedded. Images are made smaller, never larger.
class WorkingSize {
 public:
  /// The default.
  WorkingSize() = default;

  /// Reads "512" (the longest side becomes at most 512), "192x224" (scaled to fit inside, then
  /// padded on the right and below to exactly that, so that all images share one grid) or
  /// "original" (images stay as they are). Throws `invalid_input` for other texts.
  [[nodiscard]] static WorkingSize parse(std::string_view text);

  /// The size that a model recorded. The empty text of version 0.1.0 is its rule: images of 12
  /// megapixels and more get a longest side of 1024, others stay as they are.
  [[nodiscard]] static WorkingSize recorded(std::string_view text);

  /// In words: "longest side 512", "box 192x224", "original size".
  [[nodiscard]] std::string description() const;

  [[nodiscard]] Frame frame_of(std::size_t width, std::size_t height,
                               const Backbone& backbone) const;

 private:
  [[nodiscard]] double scale_of(std::size_t width, std::size_t height) const;

  std::size_t longest_side_ = 512;  // 0: images stay as they are
  bool large_only_ = false;         // the longest side is that of large images only
  std::size_t width_ = 0;           // 0 where there is no box
  std::size_t height_ = 0;
};

/// The working image: scaled by averaging areas, padded by repeating its edges.
/// Requires a frame of this image's size.
[[nodiscard]] Image to_working(const Image& image, const Frame& frame);

}  // namespace caos::vision
