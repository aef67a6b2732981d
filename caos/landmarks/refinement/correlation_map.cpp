#include "caos/landmarks/refinement/correlation_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "caos/kernels/correlate.hpp"

namespace caos {
namespace {

using vision::GrayImage;
using vision::Point;

constexpr std::size_t map_side = CorrelationMap::side;
constexpr std::size_t num_positions = map_side * map_side;
constexpr int search = CorrelationMap::search_radius;
constexpr std::size_t outer_side = 2 * PointTemplate::outer_radius + 1;
constexpr std::size_t inner_side = 2 * PointTemplate::inner_radius + 1;
constexpr std::size_t window_side = outer_side + 2 * search;
constexpr std::size_t window_stride = map_side - 1 + PointTemplate::stride;
constexpr std::size_t agreeing = 3;  ///< pixels
constexpr long steps = 16;           ///< of a pixel, where templates are interpolated
static_assert(PointTemplate::stride % kernels::correlate_padding == 0);

using Sums = std::array<std::int32_t, num_positions>;

/// The gray value at a pixel, or the nearest one of the image.
long pixel(const GrayImage& image, long x, long y) {
  const long right = static_cast<long>(image.cols()) - 1;
  const long bottom = static_cast<long>(image.rows()) - 1;
  return image(static_cast<std::size_t>(std::clamp(y, 0L, bottom)),
               static_cast<std::size_t>(std::clamp(x, 0L, right)));
}

/// The first pixel of a template in one direction, and the share of the next pixel in sixteenths.
struct Between {
  long first = 0;
  long share = 0;
};

Between between_pixels(double place) {
  const long at = std::lround((place - 0.5) * static_cast<double>(steps));
  const long share = (at % steps + steps) % steps;
  return {.first = (at - share) / steps - template_radius, .share = share};
}

struct Moments {
  std::int64_t sum = 0;
  std::int64_t squares = 0;
};

/// count^2 times the variance, plus 1 for noise.
double variance_of(const Moments& moments, std::int64_t count) {
  const std::int64_t spread = count * moments.squares - moments.sum * moments.sum;
  return static_cast<double>(spread + count * count);
}

Moments moments_of(const std::int16_t* values, std::size_t width, std::size_t stride) {
  Moments result;
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      const std::int64_t value = values[i * stride + j];
      result.sum += value;
      result.squares += value * value;
    }
  }
  return result;
}

/// Sums over all squares of the pixels around a place.
class WindowMoments {
 public:
  explicit WindowMoments(const std::int16_t* pixels) {
    for (std::size_t y = 0; y < window_side; ++y) {
      for (std::size_t x = 0; x < window_side; ++x) {
        const std::int64_t value = pixels[y * window_stride + x];
        const Moments& left = at(x, y + 1);
        const Moments& above = at(x + 1, y);
        const Moments& corner = at(x, y);
        upper_left_[(y + 1) * (window_side + 1) + x + 1] = {
            left.sum + above.sum - corner.sum + value,
            left.squares + above.squares - corner.squares + value * value};
      }
    }
  }

  [[nodiscard]] Moments of(std::size_t x, std::size_t y, std::size_t width) const {
    const Moments& a = at(x, y);
    const Moments& b = at(x + width, y);
    const Moments& c = at(x, y + width);
    const Moments& d = at(x + width, y + width);
    return {d.sum - b.sum - c.sum + a.sum, d.squares - b.squares - c.squares + a.squares};
  }

 private:
  /// Of everything to the left of x and above y.
  [[nodiscard]] const Moments& at(std::size_t x, std::size_t y) const {
    return upper_left_[y * (window_side + 1) + x];
  }

  std::vector<Moments> upper_left_ = std::vector<Moments>((window_side + 1) * (window_side + 1));
};

/// The pixels of the new image that templates of one width meet.
class SearchWindow {
 public:
  SearchWindow(const std::int16_t* pixels, const WindowMoments& moments, std::size_t width)
      : width_(width), count_(static_cast<std::int64_t>(width * width)) {
    const std::size_t edge = (outer_side - width) / 2;
    corner_ = pixels + edge * window_stride + edge;
    for (std::size_t p = 0; p < num_positions; ++p) {
      const Moments own = moments.of(edge + p % map_side, edge + p / map_side, width);
      totals_[p] = own.sum;
      variances_[p] = variance_of(own, count_);
    }
  }

  /// Adds r^2, or 0 where r < 0, to `squares` and r to `plain`.
  void add(const std::int16_t* pattern, std::array<double, num_positions>& squares,
           std::array<double, num_positions>& plain) const {
    Sums sums;
    kernels::correlate({pattern, width_, PointTemplate::stride},
                       {corner_, width_ + map_side - 1, window_stride}, sums.data());
    const Moments own = moments_of(pattern, width_, PointTemplate::stride);
    const double own_variance = variance_of(own, count_);
    for (std::size_t p = 0; p < num_positions; ++p) {
      const std::int64_t covariance = count_ * sums[p] - own.sum * totals_[p];
      const double r = static_cast<double>(covariance) / std::sqrt(own_variance * variances_[p]);
      squares[p] += r > 0 ? r * r : 0;
      plain[p] += r;
    }
  }

 private:
  std::size_t width_;
  std::int64_t count_;
  const std::int16_t* corner_ = nullptr;
  std::array<std::int64_t, num_positions> totals_{};
  std::array<double, num_positions> variances_{};
};

std::size_t largest(const std::array<double, num_positions>& values) {
  return static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
}

bool are_near(std::size_t a, std::size_t b) {
  const auto apart = [](std::size_t i, std::size_t j) { return i > j ? i - j : j - i; };
  return apart(a % map_side, b % map_side) <= agreeing &&
         apart(a / map_side, b / map_side) <= agreeing;
}

/// Where the parabola through (-1, before), (0, at), (1, after) is largest, within half a pixel.
double top_of_parabola(double before, double at, double after) {
  const double bend = before - 2 * at + after;
  return bend < 0 ? std::clamp(0.5 * (before - after) / bend, -0.5, 0.5) : 0;
}

std::vector<std::int16_t> pixels_around(const GrayImage& image, long x, long y) {
  constexpr long reach = PointTemplate::outer_radius + search;
  std::vector<std::int16_t> pixels(window_side * window_stride, 0);
  for (std::size_t i = 0; i < window_side; ++i) {
    for (std::size_t j = 0; j < window_side; ++j) {
      pixels[i * window_stride + j] = static_cast<std::int16_t>(
          pixel(image, x - reach + static_cast<long>(j), y - reach + static_cast<long>(i)));
    }
  }
  return pixels;
}

}  // namespace

Point CorrelationMap::peak(Point prior, double weight) const {
  std::array<double, num_positions> values;
  for (std::size_t p = 0; p < num_positions; ++p) {
    const double dx = static_cast<double>(p % map_side) - search - prior.x;
    const double dy = static_cast<double>(p / map_side) - search - prior.y;
    values[p] = at_[p] - weight * (dx * dx + dy * dy);
  }
  const std::size_t best = largest(values);
  const std::size_t x = best % map_side;
  const std::size_t y = best / map_side;
  Point place{static_cast<double>(x) - search, static_cast<double>(y) - search};
  if (0 < x && x < map_side - 1) {
    place.x += top_of_parabola(values[best - 1], values[best], values[best + 1]);
  }
  if (0 < y && y < map_side - 1) {
    place.y += top_of_parabola(values[best - map_side], values[best], values[best + map_side]);
  }
  return place;
}

TemplatePixels template_at(const GrayImage& image, Point point) {
  const Between x = between_pixels(point.x);
  const Between y = between_pixels(point.y);
  const auto along = [&](long i, long j) {
    return (steps - x.share) * pixel(image, x.first + j, y.first + i) +
           x.share * pixel(image, x.first + j + 1, y.first + i);
  };
  TemplatePixels pixels;
  for (std::size_t p = 0; p < template_size; ++p) {
    const auto i = static_cast<long>(p / template_side);
    const auto j = static_cast<long>(p % template_side);
    const long value = (steps - y.share) * along(i, j) + y.share * along(i + 1, j);
    pixels[p] = static_cast<std::uint8_t>((value + steps * steps / 2) / (steps * steps));
  }
  return pixels;
}

PointTemplate::PointTemplate(std::span<const std::uint8_t> pixels) {
  constexpr std::size_t edge = outer_radius - inner_radius;
  for (std::size_t i = 0; i < outer_side; ++i) {
    std::ranges::copy(pixels.subspan(i * outer_side, outer_side), &outer[i * stride]);
  }
  for (std::size_t i = 0; i < inner_side; ++i) {
    std::copy_n(&outer[(i + edge) * stride + edge], inner_side, &inner[i * stride]);
  }
}

Point center_of_map(Point place) { return {std::floor(place.x) + 0.5, std::floor(place.y) + 0.5}; }

Correlations correlate(const GrayImage& image, Point place,
                       std::span<const PointTemplate> templates) {
  const std::vector<std::int16_t> pixels = pixels_around(
      image, static_cast<long>(std::floor(place.x)), static_cast<long>(std::floor(place.y)));
  const WindowMoments moments(pixels.data());
  const SearchWindow outer(pixels.data(), moments, outer_side);
  const SearchWindow inner(pixels.data(), moments, inner_side);
  std::array<double, num_positions> squares{};
  std::vector<std::size_t> best;
  for (const PointTemplate& one : templates) {
    std::array<double, num_positions> plain{};
    inner.add(one.inner.data(), squares, plain);
    outer.add(one.outer.data(), squares, plain);
    best.push_back(largest(plain));
  }
  Correlations result;
  const auto count = static_cast<double>(templates.size());
  const std::size_t common = largest(squares);
  for (std::size_t p = 0; p < num_positions; ++p) {
    result.map(p / map_side, p % map_side) = squares[p] / (2 * count);
  }
  const auto agreeing_with =
      std::ranges::count_if(best, [&](std::size_t position) { return are_near(position, common); });
  result.agreement = static_cast<double>(agreeing_with) / count;
  return result;
}

}  // namespace caos
