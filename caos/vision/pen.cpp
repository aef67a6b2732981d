#include "caos/vision/pen.hpp"

#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>
#include <numbers>
#include <span>

#include "caos/core/error.hpp"

namespace caos::vision {
namespace {

constexpr std::size_t largest_tile = 32'000;  // on a side; Cairo's surfaces end at 32767

/// A part of an image that is drawn at once.
struct Tile {
  std::size_t left = 0;
  std::size_t top = 0;
  std::size_t width = 0;
  std::size_t height = 0;
};

void check(cairo_status_t status) {
  if (status == CAIRO_STATUS_NO_MEMORY) throw std::bad_alloc();
  require(status == CAIRO_STATUS_SUCCESS, ErrorKind::backend,
          [&] { return fmt::format("Cairo cannot draw: {}", cairo_status_to_string(status)); });
}

struct Destroy {
  void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};

using Surface = std::unique_ptr<cairo_surface_t, Destroy>;

/// Row y of a tile, as Cairo has it: 0x00RRGGBB per pixel.
std::span<std::uint32_t> row_of(const Surface& surface, const Tile& tile, std::size_t y) {
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
  auto* const row = cairo_image_surface_get_data(surface.get()) + y * stride;
  return {reinterpret_cast<std::uint32_t*>(row), tile.width};
}

/// The surface of a tile with the pixels of the image.
Surface open(const Image& image, const Tile& tile) {
  Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(tile.width),
                                             static_cast<int>(tile.height)));
  check(cairo_surface_status(surface.get()));
  for (std::size_t y = 0; y < tile.height; ++y) {
    const std::uint8_t* p = image.rgb.data() + ((tile.top + y) * image.width + tile.left) * 3;
    for (std::uint32_t& pixel : row_of(surface, tile, y)) {
      pixel = std::uint32_t{p[0]} << 16 | std::uint32_t{p[1]} << 8 | p[2];
      p += 3;
    }
  }
  cairo_surface_mark_dirty(surface.get());
  return surface;
}

/// Its pixels back into the image.
void close(const Surface& surface, const Tile& tile, Image& image) {
  cairo_surface_flush(surface.get());
  for (std::size_t y = 0; y < tile.height; ++y) {
    std::uint8_t* p = image.rgb.data() + ((tile.top + y) * image.width + tile.left) * 3;
    for (const std::uint32_t pixel : row_of(surface, tile, y)) {
      for (const int shift : {16, 8, 0}) *p++ = static_cast<std::uint8_t>(pixel >> shift);
    }
  }
}

std::vector<Tile> tiles_of(const Image& image) {
  std::vector<Tile> tiles;
  for (std::size_t top = 0; top < image.height; top += largest_tile) {
    for (std::size_t left = 0; left < image.width; left += largest_tile) {
      tiles.push_back({left, top, std::min(largest_tile, image.width - left),
                       std::min(largest_tile, image.height - top)});
    }
  }
  return tiles;
}

}  // namespace

void Pen::draw_on(Image& image, const Lettering& lettering, const std::function<void(Pen&)>& draw) {
  for (const Tile& tile : tiles_of(image)) {
    const Surface surface = open(image, tile);
    const std::unique_ptr<cairo_t, Destroy> cairo(cairo_create(surface.get()));
    cairo_translate(cairo.get(), -static_cast<double>(tile.left), -static_cast<double>(tile.top));
    cairo_set_antialias(cairo.get(), CAIRO_ANTIALIAS_GRAY);
    cairo_set_line_join(cairo.get(), CAIRO_LINE_JOIN_ROUND);
    Pen pen(cairo.get(), lettering);
    draw(pen);
    check(cairo_status(cairo.get()));
    close(surface, tile, image);
  }
}

void Pen::set_color(const Rgb& color, double opacity) {
  cairo_set_source_rgba(cairo_, color[0] / 255.0, color[1] / 255.0, color[2] / 255.0, opacity);
}

void Pen::add_path(const Polygons& polygons) {
  for (const auto& polygon : polygons) {
    for (const Point& point : polygon) cairo_line_to(cairo_, point.x, point.y);
    cairo_close_path(cairo_);
    cairo_new_sub_path(cairo_);
  }
}

double Pen::add_path(std::string_view text, Point start, double size) {
  const TextShape shape = lettering_.shape_of(text);
  const auto x = [&](Point p) { return start.x + p.x * size; };
  const auto y = [&](Point p) { return start.y + p.y * size; };
  for (const Contour& contour : shape.contours) {
    cairo_move_to(cairo_, x(contour.start), y(contour.start));
    for (const auto& [one, two, end] : contour.curves) {
      cairo_curve_to(cairo_, x(one), y(one), x(two), y(two), x(end), y(end));
    }
    cairo_close_path(cairo_);
  }
  return shape.width * size;
}

void Pen::fill(const Polygons& polygons, const Rgb& color, double opacity) {
  add_path(polygons);
  set_color(color, opacity);
  cairo_set_fill_rule(cairo_, CAIRO_FILL_RULE_EVEN_ODD);
  cairo_fill(cairo_);
}

void Pen::outline(const Polygons& polygons, const Rgb& color, double line_width) {
  add_path(polygons);
  set_color(color);
  cairo_set_line_width(cairo_, line_width);
  cairo_stroke(cairo_);
}

void Pen::disc(Point middle, double radius, const Rgb& color) {
  cairo_new_path(cairo_);
  cairo_arc(cairo_, middle.x, middle.y, radius, 0, 2 * std::numbers::pi);
  set_color(color);
  cairo_fill(cairo_);
}

void Pen::rectangle(Point corner, double width, double height, const Rgb& color) {
  cairo_rectangle(cairo_, corner.x, corner.y, width, height);
  set_color(color);
  cairo_fill(cairo_);
}

double Pen::write(std::string_view text, Point start, double size, const Rgb& color) {
  const double width = add_path(text, start, size);
  set_color(color);
  cairo_set_fill_rule(cairo_, CAIRO_FILL_RULE_WINDING);
  cairo_fill(cairo_);
  return width;
}

double Pen::write_edged(std::string_view text, Point start, double size, const Rgb& color,
                        const Rgb& edge, double edge_width) {
  add_path(text, start, size);
  set_color(edge);
  cairo_set_line_width(cairo_, 2 * edge_width);
  cairo_stroke(cairo_);
  return write(text, start, size, color);
}

}  // namespace caos::vision
