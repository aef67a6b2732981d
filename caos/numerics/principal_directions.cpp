#include "caos/numerics/principal_directions.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "caos/kernels/dot.hpp"
#include "caos/rng.hpp"

namespace caos {
namespace {

constexpr int steps = 2;

/// Less is left of a row than rounding makes of it: it says nothing about a direction.
constexpr double negligible_share = 1e-5;

double length(std::span<const double> row) {
  double squared = 0;
  for (const double value : row) squared += value * value;
  return std::sqrt(squared);
}

void round_to(std::span<const double> row, double divisor, std::span<float> out) {
  for (std::size_t i = 0; i < row.size(); ++i) out[i] = static_cast<float>(row[i] / divisor);
}

/// Orthonormal rows, one after the other, by Gram and Schmidt.
class Orthonormal {
 public:
  Orthonormal(std::size_t count, std::size_t dimension, Rng& rng)
      : rows_(count, dimension), rng_(rng), rounded_(dimension), dots_(count) {}

  /// What of the row is new becomes the next direction; a random one if nothing is.
  void add(std::span<double> row) {
    const double before = length(row);
    // Once more, as the first time leaves rounding errors in proportion to what was removed.
    remove(row);
    remove(row);
    double rest = length(row);
    if (!(rest > negligible_share * before)) {
      for (double& value : row) value = rng_.uniform() - 0.5;
      return add(row);
    }
    round_to(row, rest, rows_.row(size_++));
  }

  [[nodiscard]] Matrix<float> take() {
    assert(size_ == rows_.rows());
    return std::move(rows_);
  }

 private:
  /// Takes from the row its projection on the rows so far.
  void remove(std::span<double> row) {
    const double divisor = length(row);
    if (size_ == 0 || divisor == 0) return;
    round_to(row, divisor, rounded_);
    kernels::dot_rows(rounded_.data(), 1, rows_.row(0).data(), size_, row.size(), dots_.data(),
                      size_);
    for (std::size_t r = 0; r < size_; ++r) {
      const double factor = dots_[r] * divisor;
      const float* other = rows_.row(r).data();
      for (std::size_t i = 0; i < row.size(); ++i) row[i] -= factor * double{other[i]};
    }
  }

  Matrix<float> rows_;
  std::size_t size_ = 0;
  Rng& rng_;
  std::vector<float> rounded_;
  std::vector<double> dots_;
};

Matrix<float> orthonormal(Matrix<double> rows, Rng& rng) {
  Orthonormal result(rows.rows(), rows.cols(), rng);
  for (std::size_t r = 0; r < rows.rows(); ++r) result.add(rows.row(r));
  return result.take();
}

/// The rows and their transpose, each as rows that follow each other.
struct Sample {
  Sample(std::span<const float* const> pointers, std::size_t dimension)
      : rows(pointers.size(), dimension), columns(dimension, pointers.size()) {
    for (std::size_t r = 0; r < pointers.size(); ++r) {
      std::copy_n(pointers[r], dimension, rows.row(r).data());
    }
    constexpr std::size_t block = 16;  // of a cache line
    for (std::size_t first = 0; first < dimension; first += block) {
      const std::size_t last = std::min(first + block, dimension);
      for (std::size_t r = 0; r < pointers.size(); ++r) {
        for (std::size_t d = first; d < last; ++d) columns(d, r) = pointers[r][d];
      }
    }
  }

  Matrix<float> rows;
  Matrix<float> columns;
};

/// Rows of the sample in random order; random numbers where there are too few.
Matrix<double> start(const Sample& sample, std::size_t count, Rng& rng) {
  std::vector<std::size_t> order(sample.rows.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  rng.shuffle(std::span(order));
  Matrix<double> rows(count, sample.rows.cols());
  for (std::size_t r = 0; r < count; ++r) {
    if (r < order.size()) {
      std::ranges::copy(sample.rows.row(order[r]), rows.row(r).begin());
    } else {
      for (double& value : rows.row(r)) value = rng.uniform() - 0.5;
    }
  }
  return rows;
}

/// directions (X' X) for the sample X.
Matrix<double> multiplied(const Sample& sample, const Matrix<float>& directions) {
  const std::size_t count = directions.rows();
  const std::size_t size = sample.rows.rows();
  const std::size_t dimension = sample.rows.cols();
  Matrix<double> dots(count, size);
  kernels::dot_rows(directions.view().data(), count, sample.rows.view().data(), size, dimension,
                    dots.view().data(), size);
  Matrix<float> factors(count, size);
  std::transform(dots.view().data(), dots.view().data() + count * size, factors.view().data(),
                 [](double dot) { return static_cast<float>(dot); });
  Matrix<double> result(count, dimension);
  kernels::dot_rows(factors.view().data(), count, sample.columns.view().data(), dimension, size,
                    result.view().data(), dimension);
  return result;
}

}  // namespace

Matrix<float> principal_directions(std::span<const float* const> rows, std::size_t dimension,
                                   std::size_t count, std::uint64_t seed) {
  assert(count <= dimension);
  Rng rng(seed);
  const Sample sample(rows, dimension);
  Matrix<float> directions = orthonormal(start(sample, count, rng), rng);
  for (int step = 0; step < steps; ++step) {
    directions = orthonormal(multiplied(sample, directions), rng);
  }
  return directions;
}

}  // namespace caos
