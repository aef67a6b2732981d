#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/vision/drawing/lettering.hpp"
#include "caos/vision/drawing/rgb.hpp"

// What overlays are drawn with; not for users of the library.
namespace caos::vision {

/// Closed polygons; what lies within an even number of them is outside.
using Polygons = std::vector<std::vector<Point>>;

/// Draws shapes with smooth edges, in pixels of the picture.
class Pen {
 public:
  /// Calls `draw` with a pen for the whole image, of any size. Afterwards the image has what was
  /// drawn.
  static void draw_on(Image& image, const Lettering& lettering,
                      const std::function<void(Pen&)>& draw);

  void fill(const Polygons& polygons, const Rgb& color, double opacity = 1);
  void outline(const Polygons& polygons, const Rgb& color, double line_width, double opacity = 1);
  void disc(Point middle, double radius, const Rgb& color);
  void rectangle(Point corner, double width, double height, const Rgb& color);

  /// Writes from `start`, on the base line. Returns how wide the text is.
  double write(std::string_view text, Point start, double size, const Rgb& color);
  /// The same with an edge around each letter, to be read on any background.
  double write_edged(std::string_view text, Point start, double size, const Rgb& color,
                     const Rgb& edge, double edge_width);

 private:
  class Paper;

  Pen(Paper& paper, const Lettering& lettering) : paper_(paper), lettering_(lettering) {}

  Paper& paper_;
  const Lettering& lettering_;
};

}  // namespace caos::vision
