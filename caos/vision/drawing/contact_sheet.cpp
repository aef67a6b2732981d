#include "caos/vision/drawing/contact_sheet.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "caos/error.hpp"
#include "caos/vision/drawing/pen.hpp"

namespace caos::vision {
namespace {

constexpr std::size_t caption_height = 18;
constexpr std::size_t gap = 6;
constexpr double caption_size = 11;
constexpr std::uint8_t sheet_shade = 28;
constexpr Rgb caption_color = {230, 230, 230};

void paste(Image& sheet, const Image& tile, std::size_t left, std::size_t top) {
  for (std::size_t y = 0; y < tile.height; ++y) {
    const auto from = tile.rgb.begin() + static_cast<std::ptrdiff_t>(y * tile.width * 3);
    std::copy(
        from, from + static_cast<std::ptrdiff_t>(tile.width * 3),
        sheet.rgb.begin() + static_cast<std::ptrdiff_t>(((top + y) * sheet.width + left) * 3));
  }
}

/// As much of a text as fits, from its end: names of images differ there.
std::string fitting(std::string text, const Lettering& lettering, double width) {
  const auto fits = [&](const std::string& candidate) {
    return lettering.shape_of(candidate).width * caption_size <= width;
  };
  if (fits(text)) return text;
  while (!text.empty() && !fits("..." + text)) text.erase(0, 1);
  return "..." + text;
}

}  // namespace

Image contact_sheet(std::span<const Tile> tiles) {
  require(!tiles.empty(), ErrorKind::invalid_input, "a contact sheet needs an image");
  const auto columns =
      static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(tiles.size()))));
  const std::size_t rows = (tiles.size() + columns - 1) / columns;
  std::size_t width = 0;
  std::size_t height = 0;
  for (const Tile& tile : tiles) {
    width = std::max(width, tile.image.width);
    height = std::max(height, tile.image.height);
  }
  Image sheet{.width = columns * (width + gap) + gap,
              .height = rows * (height + caption_height + gap) + gap};
  sheet.rgb.assign(sheet.width * sheet.height * 3, sheet_shade);
  const auto left = [&](std::size_t i) { return gap + i % columns * (width + gap); };
  const auto top = [&](std::size_t i) {
    return gap + i / columns * (height + caption_height + gap);
  };
  for (std::size_t i = 0; i < tiles.size(); ++i) paste(sheet, tiles[i].image, left(i), top(i));
  const Lettering lettering;
  Pen::draw_on(sheet, lettering, [&](Pen& pen) {
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      const double base = static_cast<double>(top(i) + tiles[i].image.height) + caption_size + 2;
      pen.write(fitting(tiles[i].caption, lettering, static_cast<double>(width)),
                {static_cast<double>(left(i)), base}, caption_size, caption_color);
    }
  });
  return sheet;
}

}  // namespace caos::vision
