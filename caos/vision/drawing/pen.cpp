#include "caos/vision/drawing/pen.hpp"

#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <numbers>
#include <optional>
#include <span>
#include <utility>

#include "caos/error.hpp"

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

/// A tile as Cairo draws on it, in pixels of the image.
class Sheet {
 public:
  Sheet(const Image& image, const Tile& tile)
      : tile_(tile), surface_(open(image, tile)), cairo_(cairo_create(surface_.get())) {
    cairo_translate(cairo_.get(), -static_cast<double>(tile.left), -static_cast<double>(tile.top));
    cairo_set_antialias(cairo_.get(), CAIRO_ANTIALIAS_GRAY);
    cairo_set_line_join(cairo_.get(), CAIRO_LINE_JOIN_ROUND);
  }

  [[nodiscard]] cairo_t* cairo() const { return cairo_.get(); }

  void copy_to(Image& image) const {
    check(cairo_status(cairo_.get()));
    close(surface_, tile_, image);
  }

 private:
  Tile tile_;
  Surface surface_;
  std::unique_ptr<cairo_t, Destroy> cairo_;
};

/// What is drawn: lines and curves, as Cairo takes them, and the points that they stay between.
class Shape {
 public:
  using Trace = std::function<void(cairo_t*)>;

  Shape(Trace trace, const std::vector<Point>& points) : trace_(std::move(trace)) {
    for (const Point& point : points) {
      first_ = {std::min(first_.x, point.x), std::min(first_.y, point.y)};
      last_ = {std::max(last_.x, point.x), std::max(last_.y, point.y)};
    }
  }

  void trace(cairo_t* cairo) const { trace_(cairo); }

  /// The part of an image that it reaches with lines of this width. One pixel more on each side
  /// for what Cairo rounds.
  [[nodiscard]] Tile reach(const Image& image, double line_width) const {
    const double margin = line_width / 2 + 1;
    const auto [left, right] = pixels_between(first_.x - margin, last_.x + margin, image.width);
    const auto [top, bottom] = pixels_between(first_.y - margin, last_.y + margin, image.height);
    return {left, top, right - left, bottom - top};
  }

 private:
  /// The pixels from `first` up to `last` that a side of `size` has; none if `last` is before
  /// `first`.
  static std::pair<std::size_t, std::size_t> pixels_between(double first, double last,
                                                            std::size_t size) {
    const auto end = static_cast<double>(size);
    const auto from = static_cast<std::size_t>(std::clamp(std::floor(first), 0.0, end));
    const auto to = static_cast<std::size_t>(std::clamp(std::ceil(last), 0.0, end));
    return {from, std::max(from, to)};
  }

  Trace trace_;
  Point first_{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  Point last_{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
};

std::vector<Tile> tiles_of(const Tile& part) {
  std::vector<Tile> tiles;
  for (std::size_t y = 0; y < part.height; y += largest_tile) {
    for (std::size_t x = 0; x < part.width; x += largest_tile) {
      tiles.push_back({part.left + x, part.top + y, std::min(largest_tile, part.width - x),
                       std::min(largest_tile, part.height - y)});
    }
  }
  return tiles;
}

void set_color(cairo_t* cairo, const Rgb& color, double opacity = 1) {
  cairo_set_source_rgba(cairo, color[0] / 255.0, color[1] / 255.0, color[2] / 255.0, opacity);
}

Shape shape_of(const Polygons& polygons) {
  std::vector<Point> points;
  for (const auto& polygon : polygons) points.insert(points.end(), polygon.begin(), polygon.end());
  return {[&polygons](cairo_t* cairo) {
            for (const auto& polygon : polygons) {
              for (const Point& point : polygon) cairo_line_to(cairo, point.x, point.y);
              cairo_close_path(cairo);
              cairo_new_sub_path(cairo);
            }
          },
          points};
}

/// The contours of a text that starts at `start`, in pixels.
std::vector<Contour> placed(std::vector<Contour> contours, Point start, double size) {
  const auto place = [&](Point& p) { p = {start.x + p.x * size, start.y + p.y * size}; };
  for (Contour& contour : contours) {
    place(contour.start);
    for (auto& [one, two, end] : contour.curves) {
      place(one);
      place(two);
      place(end);
    }
  }
  return contours;
}

/// A curve stays between its ends and controls.
Shape shape_of(const std::vector<Contour>& contours) {
  std::vector<Point> points;
  for (const Contour& contour : contours) {
    points.push_back(contour.start);
    for (const auto& [one, two, end] : contour.curves) points.insert(points.end(), {one, two, end});
  }
  return {[&contours](cairo_t* cairo) {
            for (const Contour& contour : contours) {
              cairo_move_to(cairo, contour.start.x, contour.start.y);
              for (const auto& [one, two, end] : contour.curves) {
                cairo_curve_to(cairo, one.x, one.y, two.x, two.y, end.x, end.y);
              }
              cairo_close_path(cairo);
            }
          },
          points};
}

}  // namespace

/// The image that is drawn on. Mostly it is a single sheet. An image too large for a surface of
/// Cairo gets a sheet per shape, as large as the shape. A shape that is cut where sheets meet has
/// other edges than a whole one: Cairo smooths a row of pixels in another way if an edge starts or
/// ends in it, and cutting adds such ends. Only shapes too large for a surface are cut.
class Pen::Paper {
 public:
  explicit Paper(Image& image) : image_(image) {
    const Tile all{.width = image.width, .height = image.height};
    if (tiles_of(all).size() == 1) whole_.emplace(image, all);
  }

  void fill(const Shape& shape, const Rgb& color, cairo_fill_rule_t rule, double opacity = 1) {
    draw(shape, 0, [&](cairo_t* cairo) {
      set_color(cairo, color, opacity);
      cairo_set_fill_rule(cairo, rule);
      cairo_fill(cairo);
    });
  }

  void stroke(const Shape& shape, const Rgb& color, double line_width, double opacity = 1) {
    draw(shape, line_width, [&](cairo_t* cairo) {
      set_color(cairo, color, opacity);
      cairo_set_line_width(cairo, line_width);
      cairo_stroke(cairo);
    });
  }

  void finish() {
    if (whole_) whole_->copy_to(image_);
  }

 private:
  template <typename Ink>
  void draw(const Shape& shape, double line_width, Ink ink) {
    const auto draw_on_sheet = [&](const Sheet& sheet) {
      cairo_new_path(sheet.cairo());
      shape.trace(sheet.cairo());
      ink(sheet.cairo());
    };
    if (whole_) return draw_on_sheet(*whole_);
    for (const Tile& tile : tiles_of(shape.reach(image_, line_width))) {
      const Sheet sheet(image_, tile);
      draw_on_sheet(sheet);
      sheet.copy_to(image_);
    }
  }

  Image& image_;
  std::optional<Sheet> whole_;
};

void Pen::draw_on(Image& image, const Lettering& lettering, const std::function<void(Pen&)>& draw) {
  Paper paper(image);
  Pen pen(paper, lettering);
  draw(pen);
  paper.finish();
}

void Pen::fill(const Polygons& polygons, const Rgb& color, double opacity) {
  paper_.fill(shape_of(polygons), color, CAIRO_FILL_RULE_EVEN_ODD, opacity);
}

void Pen::outline(const Polygons& polygons, const Rgb& color, double line_width, double opacity) {
  paper_.stroke(shape_of(polygons), color, line_width, opacity);
}

void Pen::disc(Point middle, double radius, const Rgb& color) {
  const Shape shape(
      [&](cairo_t* cairo) {
        cairo_arc(cairo, middle.x, middle.y, radius, 0, 2 * std::numbers::pi);
      },
      {{middle.x - radius, middle.y - radius}, {middle.x + radius, middle.y + radius}});
  paper_.fill(shape, color, CAIRO_FILL_RULE_WINDING);
}

void Pen::rectangle(Point corner, double width, double height, const Rgb& color) {
  const Shape shape(
      [&](cairo_t* cairo) { cairo_rectangle(cairo, corner.x, corner.y, width, height); },
      {corner, {corner.x + width, corner.y + height}});
  paper_.fill(shape, color, CAIRO_FILL_RULE_WINDING);
}

double Pen::write(std::string_view text, Point start, double size, const Rgb& color) {
  const TextShape shape = lettering_.shape_of(text);
  const auto contours = placed(shape.contours, start, size);
  paper_.fill(shape_of(contours), color, CAIRO_FILL_RULE_WINDING);
  return shape.width * size;
}

double Pen::write_edged(std::string_view text, Point start, double size, const Rgb& color,
                        const Rgb& edge, double edge_width) {
  const auto contours = placed(lettering_.shape_of(text).contours, start, size);
  paper_.stroke(shape_of(contours), edge, 2 * edge_width);
  return write(text, start, size, color);
}

}  // namespace caos::vision
