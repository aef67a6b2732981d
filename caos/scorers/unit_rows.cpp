#include "caos/scorers/unit_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "caos/error.hpp"
#include "caos/kernels/dot.hpp"

namespace caos {
namespace {

constexpr double tolerance = 1e-6;

double squared_length(std::span<const float> row) {
  double squared = 0;
  kernels::dot_rows(row.data(), 1, row.data(), 1, row.size(), &squared, 1);
  return squared;
}

void check_length(double squared, const std::string& name, std::size_t r) {
  require(std::isfinite(squared), ErrorKind::bad_format, [&] {
    return fmt::format(
        "{}: the embedding of patch {} has a value that is not a finite 32-bit number", name, r);
  });
  require(squared > 0, ErrorKind::bad_format, [&] {
    return fmt::format("{}: the embedding of patch {} is all zeros, which is similar to nothing",
                       name, r);
  });
}

}  // namespace

Matrix<float> unit_rows(Matrix<float>&& rows, const std::string& name) {
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const double squared = squared_length(rows.row(r));
    check_length(squared, name, r);
    if (std::abs(squared - 1) <= tolerance) continue;
    const double length = std::sqrt(squared);
    for (float& value : rows.row(r)) value = static_cast<float>(double{value} / length);
  }
  return std::move(rows);
}

Matrix<float> unit_rows(MatrixView<const float> rows, const std::string& name) {
  Matrix<float> result(rows.rows(), rows.cols());
  for (std::size_t r = 0; r < rows.rows(); ++r)
    std::ranges::copy(rows.row(r), result.row(r).begin());
  return unit_rows(std::move(result), name);
}

}  // namespace caos
