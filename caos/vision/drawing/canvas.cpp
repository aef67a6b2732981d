#include "caos/vision/drawing/canvas.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace caos::vision {
namespace {

constexpr int pieces_per_curve = 8;
constexpr int lines_per_pixel = 4;

double catmull_rom(double a, double b, double c, double d, double t) {
  return 0.5 *
         (2 * b + t * ((c - a) + t * ((2 * a - 5 * b + 4 * c - d) + t * (3 * (b - c) + d - a))));
}

void append_curve(Path& path, Point a, Point b, Point c, Point d) {
  for (int i = 0; i < pieces_per_curve; ++i) {
    const double t = static_cast<double>(i) / pieces_per_curve;
    path.push_back({catmull_rom(a.x, b.x, c.x, d.x, t), catmull_rom(a.y, b.y, c.y, d.y, t)});
  }
}

/// Where a horizontal line crosses the edges of a polygon, from left to right.
std::vector<double> crossings(const Path& path, double y) {
  std::vector<double> result;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Point a = path[i];
    const Point b = path[(i + 1) % path.size()];
    if ((a.y <= y) == (b.y <= y)) continue;
    result.push_back(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x));
  }
  std::ranges::sort(result);
  return result;
}

/// Adds a horizontal span to a row of the mask, with exact parts of the pixels at its ends.
void add_span(Mask& mask, std::size_t y, double from, double to, double weight) {
  const auto end = static_cast<double>(mask.width());
  from = std::clamp(from, 0.0, end);
  to = std::clamp(to, 0.0, end);
  for (auto x = static_cast<std::size_t>(from); static_cast<double>(x) < to; ++x) {
    const auto left = static_cast<double>(x);
    mask.at(x, y) += weight * (std::min(to, left + 1) - std::max(from, left));
  }
}

/// How far a point is from a tapering line: negative inside.
double distance_to_piece(Point p, Point a, Point b, double width_a, double width_b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double squared = dx * dx + dy * dy;
  const double along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / std::max(squared, 1e-12);
  const double t = std::clamp(along, 0.0, 1.0);
  const double ex = p.x - a.x - t * dx;
  const double ey = p.y - a.y - t * dy;
  return std::sqrt(ex * ex + ey * ey) - (width_a + t * (width_b - width_a));
}

double distance_to_line(Point p, const Path& path, double first, double last) {
  double nearest = 1e9;
  const auto pieces = static_cast<double>(path.size() - 1);
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const double from = static_cast<double>(i) / pieces;
    const double to = static_cast<double>(i + 1) / pieces;
    nearest =
        std::min(nearest, distance_to_piece(p, path[i], path[i + 1], first + from * (last - first),
                                            first + to * (last - first)));
  }
  return nearest;
}

/// The pixels from `first` up to `last` that a canvas of `size` has.
std::pair<std::size_t, std::size_t> pixels_between(double first, double last, std::size_t size) {
  const auto end = static_cast<double>(size);
  return {static_cast<std::size_t>(std::clamp(std::floor(first), 0.0, end)),
          static_cast<std::size_t>(std::clamp(std::ceil(last), 0.0, end))};
}

/// The mask of a shape that lies within `margin` of the points: only pixels there are asked for.
template <typename Value>
Mask by_pixel(std::size_t width, std::size_t height, const Path& points, double margin,
              Value value) {
  Point first = points.front();
  Point last = points.front();
  for (const Point& point : points) {
    first = {std::min(first.x, point.x), std::min(first.y, point.y)};
    last = {std::max(last.x, point.x), std::max(last.y, point.y)};
  }
  const auto [x_first, x_end] = pixels_between(first.x - margin, last.x + margin, width);
  const auto [y_first, y_end] = pixels_between(first.y - margin, last.y + margin, height);
  Mask mask(width, height);
  for (std::size_t y = y_first; y < y_end; ++y) {
    for (std::size_t x = x_first; x < x_end; ++x) {
      mask.at(x, y) = value(Point{static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5});
    }
  }
  return mask;
}

std::uint8_t to_byte(double value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255));
}

/// Close to normal with standard deviation 1.
double bell(Rng& rng) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += rng.uniform();
  return 2 * sum - 3;
}

}  // namespace

Path smooth_closed(const Path& points) {
  Path path;
  const std::size_t n = points.size();
  for (std::size_t i = 0; i < n; ++i) {
    append_curve(path, points[(i + n - 1) % n], points[i], points[(i + 1) % n],
                 points[(i + 2) % n]);
  }
  return path;
}

Path smooth_open(const Path& points) {
  Path path;
  const std::size_t last = points.size() - 1;
  for (std::size_t i = 0; i < last; ++i) {
    append_curve(path, points[i == 0 ? 0 : i - 1], points[i], points[i + 1],
                 points[std::min(i + 2, last)]);
  }
  path.push_back(points[last]);
  return path;
}

Mask Mask::operator*(const Mask& other) const {
  Mask result = *this;
  for (std::size_t i = 0; i < values_.size(); ++i) result.values_[i] *= other.values_[i];
  return result;
}

Canvas::Canvas(std::size_t width, std::size_t height, Color background)
    : width_(width), height_(height), pixels_(width * height, background) {}

Mask Canvas::inside(const Path& path) const {
  Mask mask(width_, height_);
  for (std::size_t y = 0; y < height_; ++y) {
    for (int line = 0; line < lines_per_pixel; ++line) {
      const double at = static_cast<double>(y) + (line + 0.5) / lines_per_pixel;
      const std::vector<double> ends = crossings(path, at);
      for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
        add_span(mask, y, ends[i], ends[i + 1], 1.0 / lines_per_pixel);
      }
    }
  }
  return mask;
}

Mask Canvas::along(const Path& path, double first_half_width, double last_half_width) const {
  const double margin = std::max(first_half_width, last_half_width) + 1;
  return by_pixel(width_, height_, path, margin, [&](Point p) {
    return std::clamp(0.5 - distance_to_line(p, path, first_half_width, last_half_width), 0.0, 1.0);
  });
}

Mask Canvas::spot(Point middle, double radius_x, double radius_y) const {
  return by_pixel(width_, height_, {middle}, std::max(radius_x, radius_y), [&](Point p) {
    const double dx = (p.x - middle.x) / radius_x;
    const double dy = (p.y - middle.y) / radius_y;
    const double rest = std::max(0.0, 1 - dx * dx - dy * dy);
    return rest * rest;
  });
}

void Canvas::paint(const Mask& mask, const Paint& paint) {
  for (std::size_t y = 0; y < height_; ++y) {
    for (std::size_t x = 0; x < width_; ++x) {
      const double share = mask.at(x, y) * paint.opacity;
      if (share <= 0) continue;
      const double light = 1 + paint.light.x * (static_cast<double>(x) + 0.5 - paint.middle.x) +
                           paint.light.y * (static_cast<double>(y) + 0.5 - paint.middle.y);
      at(x, y) = mix(at(x, y), std::max(light, 0.0) * paint.color, share);
    }
  }
}

void Canvas::blur(double share) {
  const auto pass = [&](std::size_t count, auto index) {
    for (std::size_t i = 0; i < pixels_.size() / count; ++i) {
      Color before = pixels_[index(i, 0)];
      for (std::size_t j = 0; j < count; ++j) {
        const Color here = pixels_[index(i, j)];
        const Color after = pixels_[index(i, std::min(j + 1, count - 1))];
        pixels_[index(i, j)] = (1 - 2 * share) * here + share * (before + after);
        before = here;
      }
    }
  };
  pass(width_, [&](std::size_t row, std::size_t x) { return row * width_ + x; });
  pass(height_, [&](std::size_t column, std::size_t y) { return y * width_ + column; });
}

void Canvas::add_noise(Rng& rng, double strength) {
  for (Color& pixel : pixels_) {
    const double common = bell(rng);
    pixel = pixel + strength * Color{common + 0.5 * bell(rng), common + 0.5 * bell(rng),
                                     common + 0.5 * bell(rng)};
  }
}

Image Canvas::to_image() const {
  Image image{.width = width_, .height = height_};
  for (const Color& pixel : pixels_) {
    for (const double value : {pixel.r, pixel.g, pixel.b}) image.rgb.push_back(to_byte(value));
  }
  return image;
}

}  // namespace caos::vision
