#pragma once

#include <cstddef>

#include "caos/backbone.hpp"

namespace caos::vision {

/// The image at a smaller size. Each new pixel is the mean of the area that it covers.
/// Requires 1 <= width <= image.width and 1 <= height <= image.height.
///
/// The bytes are the same on every machine. They are those of OpenCV 4.6 on x86-64 (`INTER_AREA`),
/// which made the embeddings of earlier models and caches (docs/project/decisions/0039).
[[nodiscard]] Image shrink(const Image& image, std::size_t width, std::size_t height);

/// The image enlarged by a whole factor, by cubic convolution (Keys, a = -3/4) in integers. The
/// edge is repeated outside. Requires factor >= 1.
[[nodiscard]] Image enlarge(const Image& image, std::size_t factor);

}  // namespace caos::vision
