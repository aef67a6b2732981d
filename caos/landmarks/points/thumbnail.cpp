#include "caos/landmarks/points/thumbnail.hpp"

#include <algorithm>
#include <cmath>

#include "caos/error.hpp"

namespace caos {
namespace {

/// A side of n pixels is n * 32 units long: a pixel has 32 of them, a cell n.
struct Overlap {
  std::size_t pixel = 0;
  std::uint64_t units = 0;
};

/// The pixels below a cell, and how much of the cell each of them covers.
template <typename Use>
void for_each_overlap(std::size_t cell, std::size_t pixels, const Use& use) {
  const std::size_t begin = cell * pixels;
  const std::size_t end = begin + pixels;
  for (std::size_t p = begin / thumbnail_side; p * thumbnail_side < end; ++p) {
    const std::size_t from = std::max(begin, p * thumbnail_side);
    const std::size_t to = std::min(end, (p + 1) * thumbnail_side);
    use(Overlap{.pixel = p, .units = to - from});
  }
}

/// [image rows, cells]: gray values times units, summed over the columns below a cell.
Matrix<std::uint64_t> sums_by_row(const vision::GrayImage& image) {
  Matrix<std::uint64_t> sums(image.rows(), thumbnail_side, 0);
  for (std::size_t y = 0; y < image.rows(); ++y) {
    for (std::size_t cell = 0; cell < thumbnail_side; ++cell) {
      for_each_overlap(cell, image.cols(), [&](const Overlap& below) {
        sums(y, cell) += below.units * image(y, below.pixel);
      });
    }
  }
  return sums;
}

/// How two series of gray values vary together, times the number of values.
std::int64_t covariance(const Thumbnail& a, const Thumbnail& b) {
  std::int64_t products = 0;
  std::int64_t sum_a = 0;
  std::int64_t sum_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    products += std::int64_t{a[i]} * b[i];
    sum_a += a[i];
    sum_b += b[i];
  }
  return static_cast<std::int64_t>(a.size()) * products - sum_a * sum_b;
}

}  // namespace

Thumbnail thumbnail_of(const vision::GrayImage& image) {
  require(image.rows() > 0 && image.cols() > 0, ErrorKind::invalid_input,
          "an image without pixels has no thumbnail");
  const Matrix<std::uint64_t> sums = sums_by_row(image);
  const std::uint64_t area = std::uint64_t{image.rows()} * image.cols();  // units of one cell
  Thumbnail thumbnail{};
  for (std::size_t row = 0; row < thumbnail_side; ++row) {
    for (std::size_t column = 0; column < thumbnail_side; ++column) {
      std::uint64_t sum = 0;
      for_each_overlap(row, image.rows(), [&](const Overlap& below) {
        sum += below.units * sums(below.pixel, column);
      });
      thumbnail[row * thumbnail_side + column] =
          static_cast<std::uint8_t>((2 * sum + area) / (2 * area));
    }
  }
  return thumbnail;
}

double correlation(const Thumbnail& a, const Thumbnail& b) {
  const std::int64_t both = covariance(a, b);
  const std::int64_t variance_a = covariance(a, a);
  const std::int64_t variance_b = covariance(b, b);
  if (variance_a == 0 || variance_b == 0) return 0;
  return static_cast<double>(both) /
         std::sqrt(static_cast<double>(variance_a) * static_cast<double>(variance_b));
}

}  // namespace caos
