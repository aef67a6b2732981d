#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "caos/backbone.hpp"

namespace caos::vision {

/// The longest side of a tile that is drawn for a contact sheet.
inline constexpr std::size_t tile_side = 300;

/// One picture of a contact sheet.
struct Tile {
  Image image{};
  std::string caption{};
};

/// Tiles side by side, row by row, with their captions below. Requires a tile.
[[nodiscard]] Image contact_sheet(std::span<const Tile> tiles);

}  // namespace caos::vision
