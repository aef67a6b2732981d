#pragma once

#include <span>
#include <string>

#include "caos/backbone.hpp"
#include "caos/vision/drawing/marking.hpp"

namespace caos::vision {

/// An annotated point in an image.
struct Mark {
  Point place{};        ///< in pixels of the image
  std::string name{};   ///< may be written beside it
  bool hidden = false;  ///< drawn as a ring
};

/// The image with its marks. Small images are enlarged by a whole factor, as overlays are; points
/// and names shrink where marks are close to each other.
[[nodiscard]] Image draw_marks(const Image& image, std::span<const Mark> marks,
                               Labels labels = Labels::automatic);

/// The same as a tile of a contact sheet: small and without names.
[[nodiscard]] Image draw_small_marks(const Image& image, std::span<const Mark> marks);

}  // namespace caos::vision
