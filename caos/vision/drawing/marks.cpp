#include "caos/vision/drawing/marks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "caos/error.hpp"
#include "caos/vision/drawing/pen.hpp"
#include "caos/vision/resample.hpp"

namespace caos::vision {
namespace {

constexpr std::size_t wanted_height = 700;
constexpr std::size_t widest = 8000;  // of what is enlarged
constexpr std::size_t tile_side = 300;
constexpr std::size_t caption_height = 18;
constexpr std::size_t gap = 6;
constexpr double name_size = 12.5;
constexpr double caption_size = 11;
constexpr std::uint8_t sheet_shade = 28;
constexpr Rgb black = {0, 0, 0};
constexpr Rgb white = {255, 255, 255};
constexpr Rgb caption_color = {230, 230, 230};
/// Neighbors in the order of landmarks differ.
constexpr std::array<Rgb, 6> colors = {
    {{255, 80, 60}, {70, 220, 90}, {80, 160, 255}, {255, 210, 50}, {235, 90, 235}, {60, 220, 220}}};

/// Of a point, so that hundreds of them leave something of the image.
double radius_of(std::size_t count) { return count > 200 ? 1.5 : count > 60 ? 2 : 3; }

void draw(Image& image, std::span<const Mark> marks, double factor, double unit) {
  const Lettering lettering;
  const double radius = radius_of(marks.size()) * unit;
  Pen::draw_on(image, lettering, [&](Pen& pen) {
    for (std::size_t i = 0; i < marks.size(); ++i) {
      const Point place{marks[i].place.x * factor, marks[i].place.y * factor};
      const Rgb& color = colors[i % colors.size()];
      pen.disc(place, radius + unit, black);
      pen.disc(place, radius, color);
      if (marks[i].hidden) pen.disc(place, radius / 2, white);
    }
    for (const Mark& mark : marks) {
      if (mark.name.empty()) continue;
      const double width = lettering.shape_of(mark.name).width * name_size * unit;
      const double right = static_cast<double>(image.width) - width - unit;
      const Point start{std::max(unit, std::min(mark.place.x * factor + radius + 2 * unit, right)),
                        std::max(name_size * unit, mark.place.y * factor - radius)};
      pen.write_edged(mark.name, start, name_size * unit, white, black, 1.2 * unit);
    }
  });
}

std::size_t enlargement(const Image& image) {
  const std::size_t by_height = (wanted_height + image.height / 2) / image.height;
  return std::max<std::size_t>(1, std::min(by_height, widest / image.width));
}

void require_pixels(const Image& image) {
  require(image.width > 0 && image.height > 0, ErrorKind::invalid_input,
          "marks need an image with pixels");
}

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

Image draw_marks(const Image& image, std::span<const Mark> marks) {
  require_pixels(image);
  const std::size_t factor = enlargement(image);
  Image picture = enlarge(image, factor);
  const double unit =
      std::max(1.0, static_cast<double>(std::min(picture.width, picture.height)) / 600);
  draw(picture, marks, static_cast<double>(factor), unit);
  return picture;
}

Tile make_tile(const Image& image, std::span<const Mark> marks, std::string caption) {
  require_pixels(image);
  const double share = std::min(1.0, static_cast<double>(tile_side) /
                                         static_cast<double>(std::max(image.width, image.height)));
  const auto side = [&](std::size_t length) {
    const double scaled = std::round(static_cast<double>(length) * share);
    return std::max<std::size_t>(1, static_cast<std::size_t>(scaled));
  };
  Image picture = shrink(image, side(image.width), side(image.height));
  std::vector<Mark> nameless(marks.begin(), marks.end());
  for (Mark& mark : nameless) mark.name.clear();
  draw(picture, nameless, share, 0.8);
  return {std::move(picture), std::move(caption)};
}

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
