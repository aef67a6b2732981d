#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/rng.hpp"

// What drawn faces are drawn on; not for users of the library. Only additions, products, quotients
// and square roots, so that all machines draw the same bytes.
namespace caos::vision {

/// Red, green and blue from 0 to 1.
struct Color {
  double r = 0;
  double g = 0;
  double b = 0;

  friend Color operator*(double factor, Color c) {
    return {factor * c.r, factor * c.g, factor * c.b};
  }
  friend Color operator+(Color one, Color other) {
    return {one.r + other.r, one.g + other.g, one.b + other.b};
  }
};

[[nodiscard]] inline Color mix(Color from, Color to, double share) {
  return (1 - share) * from + share * to;
}

/// A polygon or a line through points.
using Path = std::vector<Point>;

/// A smooth curve through the points (Catmull and Rom), as short straight pieces.
[[nodiscard]] Path smooth_closed(const Path& points);
[[nodiscard]] Path smooth_open(const Path& points);

/// A color that changes linearly over the canvas, as under light from one side.
struct Paint {
  Color color{};
  double opacity = 1;
  Point middle{};  ///< where `color` is exact
  Point light{};   ///< how much brighter per pixel to the right and downwards, as a share
};

/// How much of each pixel a shape covers, from 0 to 1.
class Mask {
 public:
  Mask(std::size_t width, std::size_t height) : width_(width), values_(width * height) {}

  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::size_t height() const { return values_.size() / width_; }
  [[nodiscard]] double& at(std::size_t x, std::size_t y) { return values_[y * width_ + x]; }
  [[nodiscard]] double at(std::size_t x, std::size_t y) const { return values_[y * width_ + x]; }

  /// What both cover.
  [[nodiscard]] Mask operator*(const Mask& other) const;

 private:
  std::size_t width_;
  std::vector<double> values_;
};

class Canvas {
 public:
  Canvas(std::size_t width, std::size_t height, Color background);

  /// The inside of a closed path (even-odd).
  [[nodiscard]] Mask inside(const Path& path) const;
  /// A line of the given half widths at its ends, with round ends.
  [[nodiscard]] Mask along(const Path& path, double first_half_width, double last_half_width) const;
  /// A spot that fades from its middle to the edge of an ellipse.
  [[nodiscard]] Mask spot(Point middle, double radius_x, double radius_y) const;

  void paint(const Mask& mask, const Paint& paint);

  /// Averages each pixel with its neighbors, which get `share` (at most 1/4) per side.
  void blur(double share);
  void add_noise(Rng& rng, double strength);

  [[nodiscard]] Image to_image() const;

 private:
  [[nodiscard]] Color& at(std::size_t x, std::size_t y) { return pixels_[y * width_ + x]; }

  std::size_t width_;
  std::size_t height_;
  std::vector<Color> pixels_;
};

}  // namespace caos::vision
