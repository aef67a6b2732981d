#include "caos/classification/standardize.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace caos::classification {
namespace {

/// One dimension of all rows, ascending.
std::vector<double> sorted_column(std::span<const MatrixView<const double>> arrays, std::size_t d) {
  std::vector<double> values;
  for (const MatrixView<const double>& rows : arrays) {
    for (std::size_t r = 0; r < rows.rows(); ++r) values.push_back(rows(r, d));
  }
  std::ranges::sort(values);
  return values;
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation_of(std::vector<double> values, double mean) {
  for (double& value : values) value = (value - mean) * (value - mean);
  std::ranges::sort(values);
  return std::sqrt(mean_of(values));
}

}  // namespace

Standardization::Standardization(std::span<const MatrixView<const double>> arrays) {
  for (std::size_t d = 0; d < arrays[0].cols(); ++d) {
    const std::vector<double> values = sorted_column(arrays, d);
    const bool varies = values.front() < values.back();
    means_.push_back(varies ? mean_of(values) : values.front());
    deviations_.push_back(varies ? deviation_of(values, means_[d]) : 0);
  }
}

Matrix<double> Standardization::apply(MatrixView<const double> rows) const {
  Matrix<double> result(rows.rows(), rows.cols());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d) {
      const double deviation = deviations_[d];
      result(r, d) = deviation > 0 ? (rows(r, d) - means_[d]) / deviation : 0;
    }
  }
  return result;
}

}  // namespace caos::classification
