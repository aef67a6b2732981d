#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "caos/backbone.hpp"
#include "caos/vision/gray_image.hpp"

namespace caos {

/// How well labeled landmarks match the pixels around a place: positions are pixels, from
/// -search_radius to search_radius in x and y.
class CorrelationMap {
 public:
  static constexpr int search_radius = 8;
  static constexpr std::size_t side = 2 * search_radius + 1;

  [[nodiscard]] double operator()(std::size_t y, std::size_t x) const { return at_[y * side + x]; }
  [[nodiscard]] double& operator()(std::size_t y, std::size_t x) { return at_[y * side + x]; }
  [[nodiscard]] const std::array<double, side * side>& values() const { return at_; }

  /// The place where value - weight * |place - prior|^2 is largest, from the center of the map: the
  /// first such position row by row, moved by at most half a pixel in x and y to the top of the
  /// parabola through it and its two neighbors. Requires weight >= 0.
  [[nodiscard]] vision::Point peak(vision::Point prior, double weight) const;

 private:
  std::array<double, side * side> at_{};
};

/// Gray values around a landmark, row by row: a square whose central value is at the landmark.
inline constexpr int template_radius = 19;
inline constexpr std::size_t template_side = 2 * template_radius + 1;
inline constexpr std::size_t template_size = template_side * template_side;
using TemplatePixels = std::array<std::uint8_t, template_size>;

/// By linear interpolation at sixteenths of a pixel, rounded to whole numbers, the border of the
/// image repeated. `point` is continuous, in pixels. Requires an image that is not empty.
[[nodiscard]] TemplatePixels template_at(const vision::GrayImage& image, vision::Point point);

/// A template, all of it and its inner square, as `kernels::correlate` takes them.
struct PointTemplate {
  /// Requires `template_size` values.
  explicit PointTemplate(std::span<const std::uint8_t> pixels);

  static constexpr int outer_radius = template_radius;
  static constexpr int inner_radius = 8;
  static constexpr std::size_t stride = 64;

  alignas(64) std::array<std::int16_t, (2 * outer_radius + 1) * stride> outer{};
  alignas(64) std::array<std::int16_t, (2 * inner_radius + 1) * stride> inner{};
};

/// What several templates say of a place.
struct Correlations {
  /// The mean of r^2 over templates and both widths, where r is the normalized cross-correlation, 0
  /// where it is negative. To the variances of template and image a variance of 1 is added, so that
  /// flat ones correlate with nothing.
  CorrelationMap map{};
  /// The share of templates whose best position, by the mean of r over both widths, is within 3
  /// pixels of the best position of the map, in x and y.
  double agreement = 0;
};

/// Around the pixel that contains the place. Requires templates.
[[nodiscard]] Correlations correlate(const vision::GrayImage& image, vision::Point place,
                                     std::span<const PointTemplate> templates);

/// The center of the pixel that contains a place: what positions of the map count from.
[[nodiscard]] vision::Point center_of_map(vision::Point place);

}  // namespace caos
