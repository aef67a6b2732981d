#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/vision/drawing/lettering.hpp"

// How landmarks are drawn so that many of them can be told apart; not for users of the library.
namespace caos::vision {

/// Whether the names of landmarks are written beside them. `automatic`: if there are few.
enum class Labels { automatic, on, off };

/// An image that is drawn on, larger or smaller than the original.
struct Picture {
  /// Small images are enlarged by a whole factor until they are at least about 700 pixels high, so
  /// that lines and names can be read.
  [[nodiscard]] static Picture enlarged(const Image& original);
  /// With a longest side of at most this many pixels.
  [[nodiscard]] static Picture small(const Image& original, std::size_t longest_side);

  [[nodiscard]] Point place(Point original) const {
    return {original.x * factor, original.y * factor};
  }

  Image image{};
  double factor = 1;
  double unit = 1;  ///< lengths of lines and letters grow with the picture
};

/// Sizes in pixels of the picture.
struct Marking {
  double dot = 3;      ///< radius of a point
  double line = 2;     ///< width of an outline
  double name = 12.5;  ///< size of letters
  bool roomy = true;   ///< there is room for fills and dark edges
  bool names = true;
};

/// The median over places of the distance to the nearest other one; infinite where there is none.
[[nodiscard]] double typical_distance(std::span<const Point> places);

/// Fits the typical distance of neighbors.
[[nodiscard]] Marking marking_of(std::span<const Point> places, double unit, Labels labels);

/// A text beside a place.
struct NameTag {
  Point place{};
  std::string text{};
};

/// Where texts begin, on their base lines, so that they cover each other and other places as little
/// as may be, within a picture of this size. Texts are placed one after the other, each to the
/// upper right of its place if that is free.
[[nodiscard]] std::vector<Point> place_names(std::span<const NameTag> tags,
                                             const Lettering& lettering, const Marking& marking,
                                             double width, double height);

}  // namespace caos::vision
