#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "caos/backbone.hpp"

namespace caos::vision {

/// An annotated point in an image.
struct Mark {
  Point place{};        ///< in pixels of the image
  std::string name{};   ///< written beside it unless empty
  bool hidden = false;  ///< drawn as a ring
};

/// The image with its marks. Small images are enlarged by a whole factor, as overlays are; points
/// shrink where there are many of them.
[[nodiscard]] Image draw_marks(const Image& image, std::span<const Mark> marks);

/// One picture of a contact sheet.
struct Tile {
  Image image{};
  std::string caption{};
};

/// The image with its marks, made small enough for a tile.
[[nodiscard]] Tile make_tile(const Image& image, std::span<const Mark> marks, std::string caption);

/// Tiles side by side, row by row, with their captions below. Requires a tile.
[[nodiscard]] Image contact_sheet(std::span<const Tile> tiles);

}  // namespace caos::vision
