#pragma once

#include <span>

#include "caos/scores.hpp"

namespace caos::classification {

/// Mean and standard deviation of every dimension over several arrays together. Sums go over the
/// values in ascending order, so that they do not depend on the order of rows.
class Standardization {
 public:
  /// Requires arrays with rows of one length, and a row.
  explicit Standardization(std::span<const MatrixView<const double>> arrays);

  /// (value - mean) / deviation; 0 in dimensions that do not vary.
  [[nodiscard]] Matrix<double> apply(MatrixView<const double> rows) const;

 private:
  std::vector<double> means_;
  std::vector<double> deviations_;
};

}  // namespace caos::classification
