#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/vision/drawing/marking.hpp"
#include "caos/vision/drawing/rgb.hpp"

namespace caos::vision {

/// One prediction set on an image.
struct Region {
  std::vector<std::vector<Point>> outline{};  ///< closed polygons, in pixels of the image
  Point proposal{};                           ///< the best single place
  std::size_t set_size = 0;                   ///< how many patches; gives the color
  std::string name{};                         ///< may be written beside the proposal
};

/// Sets of up to `largest` patches share a color.
struct SizeClass {
  std::size_t largest = 0;
  Rgb color{};
  const char* text = "";
};

/// From one patch (green) to more than 16 (red). Empty sets, which conform least, come first and
/// have a color that warns.
[[nodiscard]] std::span<const SizeClass> size_classes();

[[nodiscard]] Rgb color_of(std::size_t set_size);

/// The image with its regions drawn over it and a legend of set sizes below, with colors only for
/// sizes that occur. Small images are enlarged by a whole factor until they are at least about 700
/// pixels high, so that lines and names can be read. Larger sets are drawn first. Points and lines
/// become thinner, and fills are left out, where landmarks are close to each other.
[[nodiscard]] Image draw_overlay(const Image& image, std::span<const Region> regions,
                                 Labels labels = Labels::automatic);

/// The same as a tile of a contact sheet: small, without names and legend.
[[nodiscard]] Image draw_small_overlay(const Image& image, std::span<const Region> regions);

}  // namespace caos::vision
