#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "caos/landmarks/refinement/shape_prior.hpp"
#include "caos/scores.hpp"

// How labeled shapes are combined; not for users of the library.
namespace caos {

/// Mapped shapes as rows of numbers: x and y of some landmarks, those that are lacking filled in,
/// minus the mean of all rows.
struct ShapeRows {
  Matrix<double> rows{};                 ///< [shapes, 2 * landmarks]
  std::vector<double> mean{};            ///< [2 * landmarks]
  std::vector<std::size_t> landmarks{};  ///< which

  [[nodiscard]] std::size_t size() const { return rows.rows(); }
};

/// Of landmarks that `points` and at least one shape have.
[[nodiscard]] ShapeRows rows_of(std::span<const MappedShape> shapes, const Shape& points);

/// The lower triangle L of rows * diag(weights) * rows^T + penalty * I = L * L^T. Requires a
/// positive penalty; `weights` are by landmark.
[[nodiscard]] Matrix<double> factor_of(const ShapeRows& shapes, std::span<const double> weights,
                                       double penalty);

/// Replaces b by L^-1 b.
void solve_lower(const Matrix<double>& lower, std::span<double> b);
/// Replaces b by L^-T b.
void solve_upper(const Matrix<double>& lower, std::span<double> b);

/// The combination of rows that fits `residual` [2 * landmarks] best (`ShapePrior::expected`).
[[nodiscard]] std::vector<double> combination(const ShapeRows& shapes,
                                              std::span<const double> residual,
                                              std::span<const double> weights, double penalty);

/// With weights 1, the error at each landmark of the combination that does not see the landmark.
[[nodiscard]] std::vector<vision::Point> errors_without(const ShapeRows& shapes,
                                                        std::span<const double> residual,
                                                        double penalty);

}  // namespace caos
