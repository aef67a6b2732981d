#include "caos/vision/drawing/overlay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "caos/error.hpp"
#include "caos/vision/drawing/pen.hpp"
#include "caos/vision/resample.hpp"

namespace caos::vision {
namespace {

constexpr std::size_t wanted_height = 700;
constexpr std::size_t widest = 8000;  // of what is enlarged
constexpr double fill_share = 0.16;
constexpr double name_size = 12.5;
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

std::size_t enlargement(const Image& image) {
  const std::size_t by_height = (wanted_height + image.height / 2) / image.height;
  return std::max<std::size_t>(1, std::min(by_height, widest / image.width));
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
struct Sheet {
  Sheet(const Image& original, std::size_t lines)
      : factor(enlargement(original)), picture(enlarge(original, factor)) {
    image_height = picture.height;
    unit = std::max(1.0, static_cast<double>(std::min(picture.width, picture.height)) / 600);
    picture.height += lines * static_cast<std::size_t>(std::lround(legend_height * unit));
    picture.rgb.resize(picture.width * picture.height * 3, legend_shade);
  }

  std::size_t factor;
  Image picture;
  std::size_t image_height = 0;
  double unit = 1;  ///< lengths of lines and letters grow with the sheet
};

/// Draws in pixels of the original image onto its enlarged copy.
class Drawing {
 public:
  Drawing(Pen& pen, const Sheet& sheet, const Lettering& lettering)
      : pen_(pen), sheet_(sheet), lettering_(lettering) {}

  void draw(const Region& region) {
    const Polygons polygons = enlarged(region.outline);
    const Rgb color = color_of(region.set_size);
    pen_.fill(polygons, color, fill_share);
    pen_.outline(polygons, black, px(3.6));
    pen_.outline(polygons, color, px(2));
    const Point middle = enlarged(region.proposal);
    pen_.disc(middle, px(4), black);
    pen_.disc(middle, px(3), white);
    pen_.disc(middle, px(2), color);
  }

  /// Beside the proposal, but within the image.
  void write_name(const Region& region) {
    if (region.name.empty()) return;
    const Point middle = enlarged(region.proposal);
    const double width = lettering_.shape_of(region.name).width * px(name_size);
    const double right = static_cast<double>(sheet_.picture.width) - width - px(1);
    const double bottom =
        static_cast<double>(sheet_.image_height) - Lettering::descent * px(name_size);
    const double top = Lettering::ascent * px(name_size) + px(1);
    const Point start{std::max(px(1), std::min(middle.x + px(5), right)),
                      std::max(top, std::min(middle.y - px(5), bottom))};
    pen_.write_edged(region.name, start, px(name_size), white, black, px(1.2));
  }

  void add_legend(std::span<const Region> regions) {
    const double middle = static_cast<double>(sheet_.image_height) + px(legend_height) / 2;
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
  [[nodiscard]] double px(double length) const { return length * sheet_.unit; }

  [[nodiscard]] Point enlarged(Point p) const {
    const auto factor = static_cast<double>(sheet_.factor);
    return {p.x * factor, p.y * factor};
  }

  [[nodiscard]] Polygons enlarged(Polygons outline) const {
    for (auto& ring : outline) {
      for (Point& point : ring) point = enlarged(point);
    }
    return outline;
  }

  void add_entry(const SizeClass& c, Point& at, double middle) {
    pen_.rectangle({at.x, middle - px(6)}, px(12), px(12), c.color);
    at.x += px(17);
    at.x += pen_.write(c.text, at, px(legend_size), legend_text) + px(14);
  }

  Pen& pen_;
  const Sheet& sheet_;
  const Lettering& lettering_;
};

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

Image draw_overlay(const Image& image, std::span<const Region> regions) {
  require(image.width > 0 && image.height > 0, ErrorKind::invalid_input,
          "an overlay needs an image with pixels");
  const Lettering lettering;
  Sheet sheet(image, legend_lines(regions));
  const auto order = largest_first(regions);
  Pen::draw_on(sheet.picture, lettering, [&](Pen& pen) {
    Drawing drawing(pen, sheet, lettering);
    for (const Region* region : order) drawing.draw(*region);
    for (const Region* region : order) drawing.write_name(*region);
    drawing.add_legend(regions);
  });
  return std::move(sheet.picture);
}

}  // namespace caos::vision
