#include "caos/vision/working_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

#include "caos/error.hpp"
#include "caos/vision/resample.hpp"

namespace caos::vision {
namespace {

constexpr std::size_t large_image = 12'000'000;
constexpr std::size_t side_of_large = 1024;
constexpr std::string_view original = "original";
constexpr std::size_t largest_side = 65'536;

std::optional<std::size_t> parse_side(std::string_view text) {
  std::size_t side = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), side);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  if (!is_whole || side < 1 || side > largest_side) return std::nullopt;
  return side;
}

[[noreturn]] void refuse_text(std::string_view text) {
  throw Error(ErrorKind::invalid_input,
              fmt::format("working size '{}': expected a longest side such as 512, a width and a "
                          "height such as 192x224, each from 1 to {}, or original",
                          text, largest_side));
}

double ratio(std::size_t a, std::size_t b) {
  return static_cast<double>(a) / static_cast<double>(b);
}

std::size_t scaled(std::size_t side, double scale) {
  return static_cast<std::size_t>(std::max(1.0, std::round(static_cast<double>(side) * scale)));
}

/// Points of the image stay inside although the product is rounded.
double carry_over(double from, std::size_t from_size, std::size_t to_size) {
  const auto end = static_cast<double>(to_size);
  const double to = from * ratio(to_size, from_size);
  const bool is_inside = from < static_cast<double>(from_size);
  return is_inside ? std::min(to, std::nextafter(end, 0.0)) : to;
}

/// Repeats the last column to the right and the last row below.
Image padded(const Image& image, std::size_t width, std::size_t height) {
  Image result{.width = width, .height = height};
  result.rgb.reserve(3 * width * height);
  for (std::size_t y = 0; y < height; ++y) {
    const auto row = image.rgb.begin() +
                     static_cast<std::ptrdiff_t>(std::min(y, image.height - 1) * image.width * 3);
    const auto end = row + static_cast<std::ptrdiff_t>(image.width * 3);
    result.rgb.insert(result.rgb.end(), row, end);
    for (std::size_t x = image.width; x < width; ++x) {
      result.rgb.insert(result.rgb.end(), end - 3, end);
    }
  }
  return result;
}

}  // namespace

Point Frame::to_working(Point original) const {
  return {.x = carry_over(original.x, width, scaled_width),
          .y = carry_over(original.y, height, scaled_height)};
}

Point Frame::to_original(Point working) const {
  return {.x = working.x * ratio(width, scaled_width),
          .y = working.y * ratio(height, scaled_height)};
}

Bounds Frame::patch_bounds(Label patch) const {
  const Point corner = grid.corner(patch);
  const auto size = static_cast<double>(grid.patch_size);
  const Point first = to_original(corner);
  const Point last = to_original({.x = corner.x + size, .y = corner.y + size});
  const auto right = static_cast<double>(width);
  const auto bottom = static_cast<double>(height);
  return {.left = std::min(first.x, right),
          .top = std::min(first.y, bottom),
          .right = std::min(last.x, right),
          .bottom = std::min(last.y, bottom)};
}

Label Frame::patch_at(Point original) const {
  const bool inside = original.x >= 0 && original.x < static_cast<double>(width) &&
                      original.y >= 0 && original.y < static_cast<double>(height);
  require(inside, ErrorKind::invalid_input, [&] {
    return fmt::format("the point ({}, {}) lies outside of the image's {} x {} pixels", original.x,
                       original.y, width, height);
  });
  return grid.patch_at(to_working(original));
}

Point Frame::offset_at(Point original) const {
  const Point corner = grid.corner(patch_at(original));
  const Point point = to_working(original);
  const auto side = static_cast<double>(grid.patch_size);
  return {.x = (point.x - corner.x) / side, .y = (point.y - corner.y) / side};
}

Point Frame::point_at(Label patch, Point offset) const {
  const Bounds bounds = patch_bounds(patch);
  const Point corner = grid.corner(patch);
  const auto side = static_cast<double>(grid.patch_size);
  const Point point = to_original({corner.x + offset.x * side, corner.y + offset.y * side});
  return {.x = std::clamp(point.x, bounds.left, bounds.right),
          .y = std::clamp(point.y, bounds.top, bounds.bottom)};
}

WorkingSize WorkingSize::parse(std::string_view text) {
  WorkingSize size;
  if (text == original) {
    size.longest_side_ = 0;
    return size;
  }
  const std::size_t cross = text.find('x');
  const auto first = parse_side(text.substr(0, cross));
  if (!first) refuse_text(text);
  size.longest_side_ = *first;
  if (cross == std::string_view::npos) return size;
  const auto second = parse_side(text.substr(cross + 1));
  if (!second) refuse_text(text);
  size.width_ = *first;
  size.height_ = *second;
  return size;
}

WorkingSize WorkingSize::recorded(std::string_view text) {
  if (!text.empty()) return parse(text);
  WorkingSize size;
  size.longest_side_ = side_of_large;
  size.large_only_ = true;
  return size;
}

std::string WorkingSize::description() const {
  if (width_ > 0) return fmt::format("box {}x{}", width_, height_);
  if (longest_side_ == 0) return "original size";
  return fmt::format("longest side {}{}", longest_side_,
                     large_only_ ? " at 12 megapixels or more" : "");
}

double WorkingSize::scale_of(std::size_t width, std::size_t height) const {
  if (width_ > 0) return std::min({1.0, ratio(width_, width), ratio(height_, height)});
  const bool stays = longest_side_ == 0 || (large_only_ && width * height < large_image);
  return stays ? 1.0 : std::min(1.0, ratio(longest_side_, std::max(width, height)));
}

Frame WorkingSize::frame_of(std::size_t width, std::size_t height, const Backbone& backbone) const {
  require(width > 0 && height > 0, ErrorKind::invalid_input, "an image must have pixels");
  const double scale = scale_of(width, height);
  Frame frame{.width = width, .height = height};
  frame.scaled_width = scaled(width, scale);
  frame.scaled_height = scaled(height, scale);
  frame.working_width = width_ > 0 ? width_ : frame.scaled_width;
  frame.working_height = width_ > 0 ? height_ : frame.scaled_height;
  frame.grid = backbone.grid_of(frame.working_width, frame.working_height);
  return frame;
}

Image to_working(const Image& image, const Frame& frame) {
  assert(image.width == frame.width && image.height == frame.height);
  const Image scaled = shrink(image, frame.scaled_width, frame.scaled_height);
  return padded(scaled, frame.working_width, frame.working_height);
}

}  // namespace caos::vision
