#include "caos/vision/overlay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "caos/core/error.hpp"

namespace caos::vision {
namespace {

constexpr std::size_t wanted_height = 700;
constexpr int shift = 4;  // OpenCV takes coordinates in sixteenths of a pixel
constexpr double fill_share = 0.16;
constexpr std::array<SizeClass, 6> classes = {
    {{0, {150, 150, 150}, "none"},
     {1, {40, 200, 80}, "1"},
     {4, {170, 215, 40}, "2-4"},
     {8, {250, 205, 40}, "5-8"},
     {16, {250, 140, 30}, "9-16"},
     {std::numeric_limits<std::size_t>::max(), {230, 45, 45}, "17+"}}};

const SizeClass& class_of(std::size_t set_size) {
  return *std::ranges::find_if(classes, [&](const auto& c) { return set_size <= c.largest; });
}

/// The canvas is RGB throughout.
cv::Scalar scalar(const Rgb& color) {
  return {double(color[0]), double(color[1]), double(color[2])};
}

std::size_t enlargement(std::size_t height) {
  return std::max<std::size_t>(1, (wanted_height + height / 2) / height);
}

/// Draws in pixels of the original image onto its enlarged copy.
class Drawing {
 public:
  Drawing(const Image& image, int factor) : factor_(factor) {
    const cv::Mat original(static_cast<int>(image.height), static_cast<int>(image.width), CV_8UC3,
                           const_cast<std::uint8_t*>(image.rgb.data()));
    cv::resize(original, canvas_, {}, factor, factor,
               factor == 1 ? cv::INTER_NEAREST : cv::INTER_CUBIC);
    unit_ = std::max(1.0, std::min(canvas_.rows, canvas_.cols) / 600.0);
  }

  void draw(const Region& region) {
    const auto polygons = to_canvas(region.outline);
    if (!polygons.empty()) draw_outline(polygons, scalar(color_of(region.set_size)));
    draw_proposal(region);
  }

  void write_name(const Region& region) {
    if (region.name.empty()) return;
    const cv::Point at = pixel(region.proposal) + cv::Point(px(5), px(-5));
    write(region.name, at, 0.4 * unit_, {255, 255, 255}, true);
  }

  void add_legend(std::span<const Region> regions) {
    cv::Mat legend(px(30), canvas_.cols, CV_8UC3, cv::Scalar(28, 28, 28));
    cv::vconcat(canvas_, legend, canvas_);
    const int middle = canvas_.rows - px(15);
    cv::Point at(px(8), middle + px(4));
    at.x += write("patches in set:", at, 0.42 * unit_, {230, 230, 230}, false) + px(10);
    for (const SizeClass& c : classes) {
      const bool occurs = std::ranges::any_of(
          regions, [&](const Region& region) { return &class_of(region.set_size) == &c; });
      if (occurs) add_entry(c, at, middle);
    }
  }

  [[nodiscard]] Image to_image() const {
    Image image{.width = static_cast<std::size_t>(canvas_.cols),
                .height = static_cast<std::size_t>(canvas_.rows)};
    const cv::Mat whole = canvas_.isContinuous() ? canvas_ : canvas_.clone();
    image.rgb.assign(whole.data, whole.data + image.width * image.height * 3);
    return image;
  }

 private:
  using Polygons = std::vector<std::vector<cv::Point>>;

  /// Lengths of lines and letters grow with the canvas.
  [[nodiscard]] int px(double length) const {
    return static_cast<int>(std::lround(length * unit_));
  }

  [[nodiscard]] cv::Point fixed(Point p) const {
    // A pixel of OpenCV has its middle, ours its corner at whole numbers.
    const auto to = [&](double v) {
      return static_cast<int>(std::lround((v * factor_ - 0.5) * (1 << shift)));
    };
    return {to(p.x), to(p.y)};
  }
  [[nodiscard]] cv::Point pixel(Point p) const {
    return {static_cast<int>(p.x * factor_), static_cast<int>(p.y * factor_)};
  }

  [[nodiscard]] Polygons to_canvas(const std::vector<std::vector<Point>>& outline) const {
    Polygons polygons;
    for (const auto& ring : outline) {
      auto& polygon = polygons.emplace_back();
      for (const Point& point : ring) polygon.push_back(fixed(point));
    }
    return polygons;
  }

  void draw_outline(const Polygons& polygons, const cv::Scalar& color) {
    cv::Mat filled = canvas_.clone();
    cv::fillPoly(filled, polygons, color, cv::LINE_AA, shift);
    cv::addWeighted(filled, fill_share, canvas_, 1 - fill_share, 0, canvas_);
    cv::polylines(canvas_, polygons, true, {0, 0, 0}, px(3.6), cv::LINE_AA, shift);
    cv::polylines(canvas_, polygons, true, color, px(2), cv::LINE_AA, shift);
  }

  void draw_proposal(const Region& region) {
    const cv::Point middle = fixed(region.proposal);
    const auto disc = [&](double radius, const cv::Scalar& color) {
      cv::circle(canvas_, middle, px(radius * (1 << shift)), color, cv::FILLED, cv::LINE_AA, shift);
    };
    disc(4, {0, 0, 0});
    disc(3, {255, 255, 255});
    disc(2, scalar(color_of(region.set_size)));
  }

  /// Returns how wide the text is.
  int write(const std::string& text, cv::Point at, double scale, const cv::Scalar& color,
            bool on_image) {
    constexpr int font = cv::FONT_HERSHEY_SIMPLEX;
    int below = 0;
    const cv::Size size = cv::getTextSize(text, font, scale, 1, &below);
    if (on_image) {
      at.x = std::clamp(at.x, 0, std::max(0, canvas_.cols - size.width));
      at.y = std::clamp(at.y, size.height, std::max(size.height, canvas_.rows - below));
      cv::putText(canvas_, text, at, font, scale, {0, 0, 0}, px(3), cv::LINE_AA);
    }
    cv::putText(canvas_, text, at, font, scale, color, px(1), cv::LINE_AA);
    return size.width;
  }

  void add_entry(const SizeClass& c, cv::Point& at, int middle) {
    const cv::Point corner(at.x, middle - px(6));
    cv::rectangle(canvas_, corner, corner + cv::Point(px(12), px(12)), scalar(c.color), cv::FILLED);
    at.x += px(17);
    at.x += write(c.text, at, 0.42 * unit_, {230, 230, 230}, false) + px(14);
  }

  int factor_;
  double unit_ = 1;
  cv::Mat canvas_;
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
  Drawing drawing(image, static_cast<int>(enlargement(image.height)));
  const auto order = largest_first(regions);
  for (const Region* region : order) drawing.draw(*region);
  for (const Region* region : order) drawing.write_name(*region);
  drawing.add_legend(regions);
  return drawing.to_image();
}

}  // namespace caos::vision
