#include "caos/vision/resample.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace caos::vision {
namespace {

/// Half goes to the even number.
std::uint8_t to_byte(float value) {
  return static_cast<std::uint8_t>(std::clamp(std::lrint(value), 0L, 255L));
}

const std::uint8_t* pixel(const Image& image, std::size_t x, std::size_t y) {
  return image.rgb.data() + (y * image.width + x) * 3;
}

/// How many old pixels there are per new one along a side, in the arithmetic of OpenCV.
struct Ratio {
  double exact = 1;
  std::size_t whole = 1;

  Ratio(std::size_t from, std::size_t to)
      : exact(1 / (static_cast<double>(to) / static_cast<double>(from))),
        whole(static_cast<std::size_t>(std::lrint(exact))) {}

  [[nodiscard]] bool is_whole() const {
    return std::abs(exact - static_cast<double>(whole)) < std::numeric_limits<double>::epsilon();
  }
};

/// The sum of channel `c` over the block whose upper left pixel is at (x, y).
std::uint64_t block_sum(const Image& image, std::size_t x, std::size_t y, std::size_t columns,
                        std::size_t rows, std::size_t c) {
  std::uint64_t sum = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint8_t* const first = pixel(image, x, y + row) + c;
    for (std::size_t i = 0; i < columns; ++i) sum += first[3 * i];
  }
  return sum;
}

/// Every new pixel is a block of whole old ones. A mean of four that lies half way between two
/// bytes goes up, of other numbers to the even one.
void average_blocks(const Image& image, std::size_t columns, std::size_t rows, Image& result) {
  const bool is_four = columns == 2 && rows == 2;
  const float share = 1.0F / static_cast<float>(columns * rows);
  std::uint8_t* to = result.rgb.data();
  for (std::size_t y = 0; y < result.height; ++y) {
    for (std::size_t x = 0; x < result.width; ++x) {
      for (std::size_t c = 0; c < 3; ++c) {
        const std::uint64_t sum = block_sum(image, x * columns, y * rows, columns, rows, c);
        *to++ = is_four ? static_cast<std::uint8_t>((sum + 2) / 4)
                        : to_byte(static_cast<float>(sum) * share);
      }
    }
  }
}

/// Old pixels in a row, and which share of a new one each has.
struct Cover {
  std::size_t first = 0;
  std::vector<float> shares{};
};

/// What the new pixel `index` of a side covers. Shares of a thousandth of an old pixel are left
/// out.
Cover cover_of(std::size_t index, std::size_t from, double ratio) {
  constexpr double least = 1e-3;
  const double start = static_cast<double>(index) * ratio;
  const double end = start + ratio;
  const double width = std::min(ratio, static_cast<double>(from) - start);
  const std::size_t whole_end = std::min(static_cast<std::size_t>(std::floor(end)), from - 1);
  const std::size_t whole_start = std::min(static_cast<std::size_t>(std::ceil(start)), whole_end);
  const double before = static_cast<double>(whole_start) - start;
  const double after = end - static_cast<double>(whole_end);
  Cover cover{.first = whole_start};
  if (before > least) {
    --cover.first;
    cover.shares.push_back(static_cast<float>(before / width));
  }
  cover.shares.insert(cover.shares.end(), whole_end - whole_start, static_cast<float>(1 / width));
  if (after > least) {
    cover.shares.push_back(static_cast<float>(std::min({after, 1.0, width}) / width));
  }
  return cover;
}

std::vector<Cover> covers_of(std::size_t from, std::size_t to, double ratio) {
  std::vector<Cover> covers;
  for (std::size_t i = 0; i < to; ++i) covers.push_back(cover_of(i, from, ratio));
  return covers;
}

/// Adds the means over an old row, times `weight`, to the sums of a new one.
void add_row(const std::uint8_t* row, std::span<const Cover> columns, float weight,
             std::span<float> sums) {
  float* sum = sums.data();
  for (const Cover& cover : columns) {
    const std::uint8_t* p = row + 3 * cover.first;
    std::array<float, 3> mean{};
    for (const float share : cover.shares) {
      for (std::size_t c = 0; c < 3; ++c) mean[c] += static_cast<float>(p[c]) * share;
      p += 3;
    }
    for (const float value : mean) *sum++ += weight * value;
  }
}

/// Sums in float, from left to right within a row, then row by row.
void average_areas(const Image& image, double x_ratio, double y_ratio, Image& result) {
  const std::vector<Cover> columns = covers_of(image.width, result.width, x_ratio);
  const std::vector<Cover> rows = covers_of(image.height, result.height, y_ratio);
  std::vector<float> sums(3 * result.width);
  auto to = result.rgb.begin();
  for (const Cover& cover : rows) {
    std::ranges::fill(sums, 0.0F);
    for (std::size_t i = 0; i < cover.shares.size(); ++i) {
      add_row(pixel(image, 0, cover.first + i), columns, cover.shares[i], sums);
    }
    to = std::ranges::transform(sums, to, to_byte).out;
  }
}

Image blank(std::size_t width, std::size_t height) {
  Image image{.width = width, .height = height};
  image.rgb.resize(width * height * 3);
  return image;
}

constexpr int one = 2048;  // the weights of a cubic add up to it

/// Of four neighbors in a row, for a new pixel `t` behind the middle of the second.
using Weights = std::array<int, 4>;

Weights cubic_weights(double t) {
  constexpr double a = -0.75;
  const auto near = [](double d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  const auto far = [](double d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  const auto whole = [](double w) { return static_cast<int>(std::lround(w * one)); };
  Weights weights{whole(far(1 + t)), whole(near(t)), whole(near(1 - t)), whole(far(2 - t))};
  const int rest = one - weights[0] - weights[1] - weights[2] - weights[3];
  weights[t < 0.5 ? 1 : 2] += rest;
  return weights;
}

/// Where a new pixel takes its value from.
struct Tap {
  std::array<std::size_t, 4> at{};
  Weights weights{};
};

std::vector<Tap> taps_of(std::size_t from, std::size_t factor) {
  std::vector<Tap> taps(from * factor);
  for (std::size_t i = 0; i < taps.size(); ++i) {
    const double middle =
        (static_cast<double>(i) + 0.5) / static_cast<double>(factor) - 0.5;  // in old pixels
    const double second = std::floor(middle);
    for (std::size_t j = 0; j < 4; ++j) {
      const double at = second + static_cast<double>(j) - 1;
      taps[i].at[j] = static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(from - 1)));
    }
    taps[i].weights = cubic_weights(middle - second);
  }
  return taps;
}

/// A row of the image at its new width, times `one`.
std::vector<int> widened(const Image& image, std::size_t y, std::span<const Tap> columns) {
  std::vector<int> row;
  row.reserve(3 * columns.size());
  for (const Tap& tap : columns) {
    for (std::size_t c = 0; c < 3; ++c) {
      int sum = 0;
      for (std::size_t j = 0; j < 4; ++j) sum += tap.weights[j] * pixel(image, tap.at[j], y)[c];
      row.push_back(sum);
    }
  }
  return row;
}

}  // namespace

Image shrink(const Image& image, std::size_t width, std::size_t height) {
  assert(width >= 1 && width <= image.width && height >= 1 && height <= image.height);
  if (width == image.width && height == image.height) return image;
  Image result = blank(width, height);
  const Ratio x(image.width, width);
  const Ratio y(image.height, height);
  if (x.is_whole() && y.is_whole()) {
    average_blocks(image, x.whole, y.whole, result);
  } else {
    average_areas(image, x.exact, y.exact, result);
  }
  return result;
}

Image enlarge(const Image& image, std::size_t factor) {
  assert(factor >= 1);
  if (factor == 1) return image;
  const std::vector<Tap> columns = taps_of(image.width, factor);
  std::vector<std::vector<int>> rows;
  for (std::size_t y = 0; y < image.height; ++y) rows.push_back(widened(image, y, columns));
  Image result = blank(columns.size(), image.height * factor);
  std::uint8_t* to = result.rgb.data();
  for (const Tap& tap : taps_of(image.height, factor)) {
    for (std::size_t i = 0; i < 3 * result.width; ++i) {
      std::int64_t sum = one * one / 2;  // rounds
      for (std::size_t j = 0; j < 4; ++j) sum += std::int64_t{tap.weights[j]} * rows[tap.at[j]][i];
      *to++ = static_cast<std::uint8_t>(std::clamp<std::int64_t>(sum >> 22, 0, 255));
    }
  }
  return result;
}

}  // namespace caos::vision
