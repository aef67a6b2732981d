#include "caos/scorers/unit_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "caos/core/error.hpp"
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
    return fmt::format("{}: the embedding of patch {} holds what is no finite number", name, r);
  });
  require(squared > 0, ErrorKind::bad_format, [&] {
    return fmt::format("{}: the embedding of patch {} is all zeros, which is similar to nothing",
                       name, r);
  });
}

}  // namespace

Matrix<float> unit_rows(MatrixView<const float> rows, const std::string& name) {
  Matrix<float> result(rows.rows(), rows.cols());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const double squared = squared_length(rows.row(r));
    check_length(squared, name, r);
    const bool is_unit = std::abs(squared - 1) <= tolerance;
    const double length = is_unit ? 1.0 : std::sqrt(squared);
    std::ranges::transform(rows.row(r), result.row(r).begin(),
                           [=](float value) { return static_cast<float>(double{value} / length); });
  }
  return result;
}

}  // namespace caos
