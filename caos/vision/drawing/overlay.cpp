#include "caos/vision/drawing/overlay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "caos/vision/drawing/contact_sheet.hpp"
#include "caos/vision/drawing/pen.hpp"

namespace caos::vision {
namespace {

constexpr double fill_share = 0.16;
/// Of outlines without fills, which overlap.
constexpr double thin_share = 0.7;
constexpr double legend_size = 12.5;
constexpr double legend_height = 30;
constexpr std::uint8_t legend_shade = 28;
constexpr Rgb legend_text = {230, 230, 230};
constexpr Rgb black = {0, 0, 0};
constexpr Rgb white = {255, 255, 255};
constexpr std::array<SizeClass, 6> classes = {
    {{0, {225, 25, 225}, "no location conforms: check this one"},
     {1, {40, 200, 80}, "1"},
     {4, {170, 215, 40}, "2-4"},
     {8, {250, 205, 40}, "5-8"},
     {16, {250, 140, 30}, "9-16"},
     {std::numeric_limits<std::size_t>::max(), {230, 45, 45}, "17+"}}};

const SizeClass& class_of(std::size_t set_size) {
  return *std::ranges::find_if(classes, [&](const auto& c) { return set_size <= c.largest; });
}

bool any_in(const SizeClass& c, std::span<const Region> regions) {
  return std::ranges::any_of(
      regions, [&](const Region& region) { return &class_of(region.set_size) == &c; });
}

/// Sizes have one line, and empty sets one of their own.
std::size_t legend_lines(std::span<const Region> regions) {
  return any_in(classes[0], regions) ? 2 : 1;
}

/// The enlarged image with room for a legend below.
struct Sheet : Picture {
  Sheet(const Image& original, std::size_t lines) : Picture(enlarged(original)) {
    image_height = image.height;
    image.height += lines * static_cast<std::size_t>(std::lround(legend_height * unit));
    image.rgb.resize(image.width * image.height * 3, legend_shade);
  }

  std::size_t image_height = 0;
};

/// Draws in pixels of the original image onto its enlarged copy.
class Drawing {
 public:
  Drawing(Pen& pen, const Picture& picture, const Lettering& lettering, const Marking& marking)
      : pen_(pen), picture_(picture), lettering_(lettering), marking_(marking) {}

  /// Larger sets first, then their proposals.
  void draw(std::span<const Region* const> regions) {
    for (const Region* region : regions) draw_region(*region);
    for (const Region* region : regions) draw_proposal(*region);
  }

  /// Within the first `height` rows.
  void write_names(std::span<const Region* const> regions, std::size_t height) {
    std::vector<NameTag> tags;
    for (const Region* region : regions) {
      if (!region->name.empty()) tags.push_back({picture_.place(region->proposal), region->name});
    }
    const auto starts =
        place_names(tags, lettering_, marking_, static_cast<double>(picture_.image.width),
                    static_cast<double>(height));
    for (std::size_t i = 0; i < tags.size(); ++i) {
      pen_.write_edged(tags[i].text, starts[i], marking_.name, white, black, marking_.name / 10);
    }
  }

  /// Below the first `height` rows.
  void add_legend(std::span<const Region> regions, std::size_t height) {
    const double middle = static_cast<double>(height) + px(legend_height) / 2;
    Point at{px(8), middle + px(4.5)};
    at.x += pen_.write("patches in set:", at, px(legend_size), legend_text) + px(10);
    for (const SizeClass& c : std::span(classes).subspan(1)) {
      if (any_in(c, regions)) add_entry(c, at, middle);
    }
    if (!any_in(classes[0], regions)) return;
    at = {px(8), at.y + px(legend_height)};
    add_entry(classes[0], at, middle + px(legend_height));
  }

 private:
  void draw_region(const Region& region) {
    const Polygons polygons = enlarged(region.outline);
    const Rgb color = color_of(region.set_size);
    if (!marking_.roomy) {
      pen_.outline(polygons, color, marking_.line, thin_share);
      return;
    }
    pen_.fill(polygons, color, fill_share);
    pen_.outline(polygons, black, marking_.line * 1.8);
    pen_.outline(polygons, color, marking_.line);
  }

  void draw_proposal(const Region& region) {
    const Point middle = picture_.place(region.proposal);
    const Rgb color = color_of(region.set_size);
    if (!marking_.roomy) {
      pen_.disc(middle, marking_.dot + px(0.7), black);
      pen_.disc(middle, marking_.dot, color);
      return;
    }
    pen_.disc(middle, marking_.dot * 4 / 3, black);
    pen_.disc(middle, marking_.dot, white);
    pen_.disc(middle, marking_.dot * 2 / 3, color);
  }

  [[nodiscard]] double px(double length) const { return length * picture_.unit; }

  [[nodiscard]] Polygons enlarged(Polygons outline) const {
    for (auto& ring : outline) {
      for (Point& point : ring) point = picture_.place(point);
    }
    return outline;
  }

  void add_entry(const SizeClass& c, Point& at, double middle) {
    pen_.rectangle({at.x, middle - px(6)}, px(12), px(12), c.color);
    at.x += px(17);
    at.x += pen_.write(c.text, at, px(legend_size), legend_text) + px(14);
  }

  Pen& pen_;
  const Picture& picture_;
  const Lettering& lettering_;
  const Marking& marking_;
};

Marking marking_of(std::span<const Region> regions, const Picture& picture, Labels labels) {
  std::vector<Point> places;
  for (const Region& region : regions) places.push_back(picture.place(region.proposal));
  return marking_of(places, picture.unit, labels);
}

std::vector<const Region*> largest_first(std::span<const Region> regions) {
  std::vector<const Region*> order;
  for (const Region& region : regions) order.push_back(&region);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [](const Region* region) { return region->set_size; });
  return order;
}

}  // namespace

std::span<const SizeClass> size_classes() { return classes; }

Rgb color_of(std::size_t set_size) { return class_of(set_size).color; }

Image draw_overlay(const Image& image, std::span<const Region> regions, Labels labels) {
  const Lettering lettering;
  Sheet sheet(image, legend_lines(regions));
  const Marking marking = marking_of(regions, sheet, labels);
  const auto order = largest_first(regions);
  Pen::draw_on(sheet.image, lettering, [&](Pen& pen) {
    Drawing drawing(pen, sheet, lettering, marking);
    drawing.draw(order);
    if (marking.names) drawing.write_names(order, sheet.image_height);
    drawing.add_legend(regions, sheet.image_height);
  });
  return std::move(sheet.image);
}

Image draw_small_overlay(const Image& image, std::span<const Region> regions) {
  const Lettering lettering;
  Picture picture = Picture::small(image, tile_side);
  const Marking marking = marking_of(regions, picture, Labels::off);
  const auto order = largest_first(regions);
  Pen::draw_on(picture.image, lettering,
               [&](Pen& pen) { Drawing(pen, picture, lettering, marking).draw(order); });
  return std::move(picture.image);
}

}  // namespace caos::vision
