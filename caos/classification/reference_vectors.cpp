#include "caos/classification/reference_vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "caos/error.hpp"
#include "caos/kernels/distance.hpp"
#include "caos/kernels/dot.hpp"
#include "caos/scorers/unit_rows.hpp"

namespace caos {
namespace {

struct NamedDistance {
  VectorDistance distance;
  std::string_view name;
};

constexpr std::array named_distances = {NamedDistance{VectorDistance::euclidean, "euclidean"},
                                        NamedDistance{VectorDistance::cosine, "cosine"},
                                        NamedDistance{VectorDistance::manhattan, "manhattan"}};

constexpr double largest_value = 1e100;  // squares and their sums stay far from the end of double

}  // namespace

std::string_view distance_name(VectorDistance distance) {
  return std::ranges::find(named_distances, distance, &NamedDistance::distance)->name;
}

VectorDistance parse_distance(std::string_view name) {
  const auto* found = std::ranges::find(named_distances, name, &NamedDistance::name);
  require(found != named_distances.end(), ErrorKind::invalid_input, [&] {
    return fmt::format("unknown distance '{}'; choose among euclidean, cosine, manhattan", name);
  });
  return found->distance;
}

namespace classification {
namespace {

Matrix<double> copy_of(MatrixView<const double> rows) {
  Matrix<double> copy(rows.rows(), rows.cols());
  std::copy_n(rows.data(), rows.rows() * rows.cols(), copy.view().data());
  return copy;
}

Matrix<double> cosine_distances(MatrixView<const float> some, MatrixView<const float> references) {
  Matrix<double> result(some.rows(), references.rows());
  kernels::dot_rows(some.data(), some.rows(), references.data(), references.rows(), some.cols(),
                    result.view().data(), references.rows());
  const std::span<double> values(result.view().data(), result.rows() * result.cols());
  for (double& value : values) value = std::max(0.0, 1.0 - value);
  return result;
}

Matrix<double> point_distances(MatrixView<const double> some, MatrixView<const double> references,
                               VectorDistance distance) {
  Matrix<double> result(some.rows(), references.rows());
  const auto fill =
      distance == VectorDistance::manhattan ? &kernels::manhattan_rows : &kernels::euclidean_rows;
  fill(some.data(), some.rows(), references.data(), references.rows(), some.cols(),
       result.view().data(), references.rows());
  return result;
}

}  // namespace

void check_vectors(MatrixView<const double> vectors, const std::string& name,
                   std::size_t dimension) {
  require(vectors.cols() == dimension, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{}: has vectors of {} values; the labeled vectors have {}; use the same encoder and columns for both",
        name, vectors.cols(), dimension);
  });
  for (std::size_t r = 0; r < vectors.rows(); ++r) {
    const auto row = vectors.row(r);
    // NaN fails every comparison.
    const auto bad =
        std::ranges::find_if(row, [](double value) { return !(std::abs(value) <= largest_value); });
    require(bad == row.end(), ErrorKind::bad_format, [&] {
      return fmt::format("{}: row {}, column {} is {}, which is {}; correct or remove the row",
                         name, r, bad - row.begin(), *bad,
                         std::isfinite(*bad) ? "beyond 1e100" : "not finite");
    });
  }
}

Matrix<float> directions(MatrixView<const double> vectors, const std::string& name) {
  Matrix<float> result(vectors.rows(), vectors.cols());
  for (std::size_t r = 0; r < vectors.rows(); ++r) {
    std::ranges::transform(vectors.row(r), result.row(r).begin(),
                           [](double value) { return static_cast<float>(value); });
    const auto row = result.row(r);
    require(std::ranges::all_of(row, [](float value) { return std::isfinite(value); }),
            ErrorKind::bad_format, [&] {
              return fmt::format("{}: row {} has a value beyond the range of float32", name, r);
            });
    require(
        std::ranges::any_of(row, [](float value) { return value != 0; }), ErrorKind::bad_format,
        [&] {
          return fmt::format(
              "{}: row {} is all zeros, so that it has no cosine with others; correct or remove "
              "it, or use full-ratio with another distance",
              name, r);
        });
  }
  return unit_rows(std::move(result), name);
}

ReferenceVectors::ReferenceVectors(MatrixView<const double> vectors, VectorDistance distance,
                                   const std::string& name)
    : distance_(distance) {
  if (distance == VectorDistance::cosine) {
    directions_ = classification::directions(vectors, name);
  } else {
    points_ = copy_of(vectors);
  }
}

std::size_t ReferenceVectors::size() const {
  return distance_ == VectorDistance::cosine ? directions_.rows() : points_.rows();
}

Matrix<double> ReferenceVectors::distances_of(MatrixView<const double> rows,
                                              const std::string& name) const {
  if (distance_ != VectorDistance::cosine) return point_distances(rows, points_.view(), distance_);
  const Matrix<float> units = classification::directions(rows, name);
  return cosine_distances(units.view(), directions_.view());
}

Matrix<double> ReferenceVectors::distances_among(std::size_t first, std::size_t count) const {
  if (distance_ != VectorDistance::cosine) {
    return point_distances(points_.view().rows_from(first, count), points_.view(), distance_);
  }
  return cosine_distances(directions_.view().rows_from(first, count), directions_.view());
}

}  // namespace classification
}  // namespace caos
