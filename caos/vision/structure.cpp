#include "caos/vision/structure.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "caos/error.hpp"

namespace caos::vision {
namespace {

constexpr std::size_t longest_side = 512;
constexpr std::ptrdiff_t half_window = 8;

struct Plane {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<float> values{};

  /// The edge is repeated outside.
  [[nodiscard]] float at(std::ptrdiff_t x, std::ptrdiff_t y) const {
    const auto column = std::clamp<std::ptrdiff_t>(x, 0, static_cast<std::ptrdiff_t>(width) - 1);
    const auto row = std::clamp<std::ptrdiff_t>(y, 0, static_cast<std::ptrdiff_t>(height) - 1);
    return values[static_cast<std::size_t>(row) * width + static_cast<std::size_t>(column)];
  }
};

/// A plane of the same size; each value is computed from where it is.
template <typename Value>
Plane map(const Plane& plane, const Value& value) {
  Plane result{plane.width, plane.height, std::vector<float>(plane.values.size())};
  std::size_t i = 0;
  for (std::size_t y = 0; y < plane.height; ++y) {
    for (std::size_t x = 0; x < plane.width; ++x) {
      result.values[i++] = value(static_cast<std::ptrdiff_t>(x), static_cast<std::ptrdiff_t>(y));
    }
  }
  return result;
}

/// The mean of each block; blocks at the right and lower edge may be smaller.
float block_mean(const GrayImage& image, std::size_t left, std::size_t top, std::size_t block) {
  const std::size_t right = std::min(image.cols(), left + block);
  const std::size_t bottom = std::min(image.rows(), top + block);
  std::size_t sum = 0;
  for (std::size_t y = top; y < bottom; ++y) {
    for (std::size_t x = left; x < right; ++x) sum += image(y, x);
  }
  return static_cast<float>(sum) / static_cast<float>((right - left) * (bottom - top));
}

Plane small(const GrayImage& image, std::size_t block) {
  Plane plane{(image.cols() + block - 1) / block, (image.rows() + block - 1) / block, {}};
  for (std::size_t y = 0; y < plane.height; ++y) {
    for (std::size_t x = 0; x < plane.width; ++x) {
      plane.values.push_back(block_mean(image, x * block, y * block, block));
    }
  }
  return plane;
}

/// By (1, 2, 1) / 4 in both directions.
Plane smoothed(const Plane& plane) {
  const Plane rows = map(plane, [&](auto x, auto y) {
    return (plane.at(x - 1, y) + 2 * plane.at(x, y) + plane.at(x + 1, y)) / 4;
  });
  return map(plane, [&](auto x, auto y) {
    return (rows.at(x, y - 1) + 2 * rows.at(x, y) + rows.at(x, y + 1)) / 4;
  });
}

Plane gradient_lengths(const Plane& plane) {
  return map(plane, [&](auto x, auto y) {
    const float right = plane.at(x + 1, y) - plane.at(x - 1, y);
    const float down = plane.at(x, y + 1) - plane.at(x, y - 1);
    return std::sqrt(right * right + down * down) / 2;
  });
}

std::size_t block_of(const GrayImage& image) {
  require(image.rows() > 0 && image.cols() > 0, ErrorKind::invalid_input,
          "the structure of an image needs pixels");
  return (std::max(image.rows(), image.cols()) + longest_side - 1) / longest_side;
}

}  // namespace

Structure::Structure(const GrayImage& image) : block_(block_of(image)) {
  Plane lengths = gradient_lengths(smoothed(smoothed(small(image, block_))));
  width_ = lengths.width;
  height_ = lengths.height;
  lengths_ = std::move(lengths.values);
  double sum = 0;
  for (const float length : lengths_) sum += static_cast<double>(length);
  mean_ = sum / static_cast<double>(lengths_.size());
}

double Structure::around(Point point) const {
  const auto place = [&](double position, std::size_t size) {
    const double last = static_cast<double>(size) - 1;
    return static_cast<std::ptrdiff_t>(
        std::clamp(std::floor(position / static_cast<double>(block_)), 0.0, last));
  };
  const std::ptrdiff_t x = place(point.x, width_);
  const std::ptrdiff_t y = place(point.y, height_);
  const auto first = [](std::ptrdiff_t middle) {
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, middle - half_window));
  };
  const auto end = [](std::ptrdiff_t middle, std::size_t size) {
    return std::min(size, static_cast<std::size_t>(middle + half_window + 1));
  };
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t row = first(y); row < end(y, height_); ++row) {
    for (std::size_t column = first(x); column < end(x, width_); ++column) {
      sum += static_cast<double>(lengths_[row * width_ + column]);
      ++count;
    }
  }
  return sum / static_cast<double>(count);
}

}  // namespace caos::vision
