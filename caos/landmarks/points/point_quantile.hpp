#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace caos {

/// The error of a point, and how it counts.
struct WeightedError {
  double error = 0;
  std::size_t shared_by = 1;  ///< it weighs 1 / shared_by: one of so many images of a subject
};

/// Errors in ascending order, for quantiles.
///
/// The quantile at p percent is the smallest error e such that the errors <= e have at least
/// p / 100 of the weight: without weights the ceil(p n / 100)-th smallest of n. It is always one of
/// the errors; the median of two is the smaller one. Weights are compared as whole numbers
/// (`whole_weights`).
class ErrorQuantiles {
 public:
  /// Requires an error.
  explicit ErrorQuantiles(std::span<const WeightedError> errors);

  /// Requires 1 <= percent <= 100.
  [[nodiscard]] double at(std::size_t percent) const;

 private:
  std::vector<double> errors_;          ///< ascending
  std::vector<std::uint64_t> weights_;  ///< of the errors up to each
};

}  // namespace caos
