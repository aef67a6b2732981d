#include "caos/scorers/float16_rows.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "caos/numerics/float16.hpp"

namespace caos {
namespace {

float largest_magnitude(std::span<const float> row) {
  float largest = 0;
  for (const float value : row) largest = std::max(largest, std::abs(value));
  return largest;
}

/// In double, as the power may be beyond a float's.
double scale_of(std::span<const float> row) {
  const float largest = largest_magnitude(row);
  return largest > 0 && std::isfinite(largest) ? std::ldexp(1.0, -std::ilogb(largest)) : 1.0;
}

}  // namespace

Matrix<float> float16_rows(Matrix<float>&& rows) {
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const double scale = scale_of(rows.row(r));
    for (float& value : rows.row(r)) {
      value = from_float16(to_float16(static_cast<float>(value * scale)));
    }
  }
  return std::move(rows);
}

Matrix<std::uint16_t> to_float16(const Matrix<float>& values) {
  Matrix<std::uint16_t> bits(values.rows(), values.cols());
  for (std::size_t r = 0; r < values.rows(); ++r) {
    std::ranges::transform(values.row(r), bits.row(r).begin(),
                           [](float value) { return to_float16(value); });
  }
  return bits;
}

Matrix<float> from_float16(MatrixView<const std::uint16_t> bits) {
  Matrix<float> values(bits.rows(), bits.cols());
  for (std::size_t r = 0; r < bits.rows(); ++r) {
    std::ranges::transform(bits.row(r), values.row(r).begin(),
                           [](std::uint16_t half) { return from_float16(half); });
  }
  return values;
}

}  // namespace caos
