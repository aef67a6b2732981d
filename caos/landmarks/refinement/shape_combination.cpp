#include "caos/landmarks/refinement/shape_combination.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace caos {
namespace {

using vision::Point;

Indices shared_landmarks(std::span<const MappedShape> shapes, const Shape& points) {
  Indices landmarks;
  for (std::size_t t = 0; t < points.size(); ++t) {
    const auto has = [&](const MappedShape& shape) { return shape.points[t].has_value(); };
    if (points[t] && std::ranges::any_of(shapes, has)) landmarks.push_back(t);
  }
  return landmarks;
}

Point mean_position(std::span<const MappedShape> shapes, std::size_t landmark) {
  Point sum;
  double count = 0;
  for (const MappedShape& shape : shapes) {
    if (!shape.points[landmark]) continue;
    sum.x += shape.points[landmark]->x;
    sum.y += shape.points[landmark]->y;
    ++count;
  }
  return {sum.x / count, sum.y / count};
}

double weighted_dot(std::span<const double> a, std::span<const double> b,
                    std::span<const double> weights) {
  double sum = 0;
  for (std::size_t l = 0; l < weights.size(); ++l) {
    sum += weights[l] * (a[2 * l] * b[2 * l] + a[2 * l + 1] * b[2 * l + 1]);
  }
  return sum;
}

/// Column c of a matrix times column d.
double column_dot(const Matrix<double>& matrix, std::size_t c, std::size_t d) {
  double sum = 0;
  for (std::size_t j = 0; j < matrix.rows(); ++j) sum += matrix(j, c) * matrix(j, d);
  return sum;
}

/// L^-1 rows.
Matrix<double> whitened(const Matrix<double>& lower, const Matrix<double>& rows) {
  Matrix<double> result = rows;
  for (std::size_t j = 0; j < rows.rows(); ++j) {
    const std::span<double> row = result.row(j);
    for (std::size_t i = 0; i < j; ++i) {
      const std::span<const double> above = std::as_const(result).row(i);
      for (std::size_t c = 0; c < row.size(); ++c) row[c] -= lower(j, i) * above[c];
    }
    for (double& value : row) value /= lower(j, j);
  }
  return result;
}

}  // namespace

ShapeRows rows_of(std::span<const MappedShape> shapes, const Shape& points) {
  ShapeRows result{.landmarks = shared_landmarks(shapes, points)};
  result.rows = Matrix<double>(shapes.size(), 2 * result.landmarks.size());
  result.mean.resize(2 * result.landmarks.size());
  for (std::size_t l = 0; l < result.landmarks.size(); ++l) {
    const std::size_t t = result.landmarks[l];
    const Point mean = mean_position(shapes, t);
    result.mean[2 * l] = mean.x;
    result.mean[2 * l + 1] = mean.y;
    for (std::size_t j = 0; j < shapes.size(); ++j) {
      const Point at = shapes[j].points[t].value_or(mean);
      result.rows(j, 2 * l) = at.x - mean.x;
      result.rows(j, 2 * l + 1) = at.y - mean.y;
    }
  }
  return result;
}

Matrix<double> factor_of(const ShapeRows& shapes, std::span<const double> weights, double penalty) {
  const std::size_t size = shapes.size();
  Matrix<double> lower(size, size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double value = weighted_dot(shapes.rows.row(i), shapes.rows.row(j), weights);
      if (i == j) value += penalty;
      for (std::size_t k = 0; k < j; ++k) value -= lower(i, k) * lower(j, k);
      // In exact arithmetic the diagonal is never below the penalty.
      lower(i, j) = i == j ? std::sqrt(std::max(value, penalty)) : value / lower(j, j);
    }
  }
  return lower;
}

void solve_lower(const Matrix<double>& lower, std::span<double> b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= lower(i, k) * b[k];
    b[i] /= lower(i, i);
  }
}

void solve_upper(const Matrix<double>& lower, std::span<double> b) {
  for (std::size_t i = b.size(); i-- > 0;) {
    for (std::size_t k = i + 1; k < b.size(); ++k) b[i] -= lower(k, i) * b[k];
    b[i] /= lower(i, i);
  }
}

std::vector<double> combination(const ShapeRows& shapes, std::span<const double> residual,
                                std::span<const double> weights, double penalty) {
  const Matrix<double> lower = factor_of(shapes, weights, penalty);
  std::vector<double> shares;
  for (std::size_t j = 0; j < shapes.size(); ++j) {
    shares.push_back(weighted_dot(shapes.rows.row(j), residual, weights));
  }
  solve_lower(lower, shares);
  solve_upper(lower, shares);
  std::vector<double> result(residual.size(), 0.0);
  for (std::size_t j = 0; j < shapes.size(); ++j) {
    const std::span<const double> row = shapes.rows.row(j);
    for (std::size_t c = 0; c < result.size(); ++c) result[c] += shares[j] * row[c];
  }
  return result;
}

/// With the symmetric smoother H, whose block of a landmark is H_t, the error without the landmark
/// is (I - H_t)^-1 times the error with it.
std::vector<Point> errors_without(const ShapeRows& shapes, std::span<const double> residual,
                                  double penalty) {
  const std::vector<double> weights(shapes.landmarks.size(), 1.0);
  const Matrix<double> white = whitened(factor_of(shapes, weights, penalty), shapes.rows);
  std::vector<double> shares;
  for (std::size_t j = 0; j < shapes.size(); ++j) {
    shares.push_back(weighted_dot(white.row(j), residual, weights));
  }
  std::vector<Point> errors;
  for (std::size_t l = 0; l < shapes.landmarks.size(); ++l) {
    Point fitted;
    for (std::size_t j = 0; j < shapes.size(); ++j) {
      fitted.x += white(j, 2 * l) * shares[j];
      fitted.y += white(j, 2 * l + 1) * shares[j];
    }
    const Point error{residual[2 * l] - fitted.x, residual[2 * l + 1] - fitted.y};
    const double a = 1 - column_dot(white, 2 * l, 2 * l);
    const double b = -column_dot(white, 2 * l, 2 * l + 1);
    const double d = 1 - column_dot(white, 2 * l + 1, 2 * l + 1);
    const double determinant = a * d - b * b;
    errors.push_back(
        {(d * error.x - b * error.y) / determinant, (a * error.y - b * error.x) / determinant});
  }
  return errors;
}

}  // namespace caos
