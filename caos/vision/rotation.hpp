#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "caos/backbone.hpp"

namespace caos::vision {

/// How far images may be rotated against each other: labeled images are embedded at some fixed
/// angles besides their own, new ones never.
enum class Rotation {
  none,
  small,  ///< up to 30 degrees either way
  any,
};

/// Reads `none`, `small` or `any`. Throws `invalid_input` for other texts.
[[nodiscard]] Rotation parse_rotation(std::string_view text);
[[nodiscard]] std::string rotation_name(Rotation rotation);
/// In words, for what is said of embeddings: ", references rotated by -30 to 30 degrees"; nothing
/// for none.
[[nodiscard]] std::string rotation_description(Rotation rotation);

/// The angles besides 0, in degrees clockwise.
[[nodiscard]] std::span<const double> angles_of(Rotation rotation);

struct ImageSize {
  std::size_t width = 0;
  std::size_t height = 0;
};

/// The smallest canvas that holds an image of this size when it is rotated about its center.
[[nodiscard]] ImageSize rotated_size(ImageSize size, double degrees);

/// Where a point of an image of this size lies on that canvas.
[[nodiscard]] Point rotated_point(Point point, ImageSize size, double degrees);

/// The upper left part of an image, of this size, rotated on that canvas: bilinear, outside the
/// nearest pixel of the edge. The bytes are the same on every machine.
/// Requires a part that is not larger than the image.
[[nodiscard]] Image rotated_image(const Image& image, ImageSize part, double degrees);

}  // namespace caos::vision
