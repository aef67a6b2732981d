#include "caos/scorers/distance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"

namespace caos {
namespace {

constexpr std::size_t num_sums = 8;

double distance(std::span<const double> a, std::span<const double> b) {
  std::array<double, num_sums> sums{};
  const auto add = [&](std::size_t d, std::size_t s) {
    const double difference = a[d] - b[d];
    sums[s] += difference * difference;
  };
  const std::size_t whole = a.size() - a.size() % num_sums;
  for (std::size_t d = 0; d < whole; d += num_sums) {
    for (std::size_t s = 0; s < num_sums; ++s) add(d + s, s);
  }
  for (std::size_t d = whole; d < a.size(); ++d) add(d, d - whole);
  return std::sqrt(((sums[0] + sums[4]) + (sums[2] + sums[6])) +
                   ((sums[1] + sums[5]) + (sums[3] + sums[7])));
}

void check_finite(MatrixView<const double> rows, const char* name) {
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    require(std::ranges::all_of(rows.row(r), [](double value) { return std::isfinite(value); }),
            ErrorKind::bad_format,
            [&] { return fmt::format("{}: row {} holds what is no finite number", name, r); });
  }
}

/// So many rows of `x` that a thread is worth its while.
std::size_t rows_per_range(MatrixView<const double> references) {
  constexpr std::size_t values = std::size_t{1} << 18;
  return values / std::max<std::size_t>(1, references.rows() * references.cols()) + 1;
}

}  // namespace

Matrix<Score> distances(MatrixView<const double> x, MatrixView<const double> references,
                        std::size_t threads) {
  require(x.cols() == references.cols(), ErrorKind::invalid_input, [&] {
    return fmt::format("x: has rows of {}; the references have rows of {}", x.cols(),
                       references.cols());
  });
  check_finite(x, "x");
  check_finite(references, "references");
  Matrix<Score> result(x.rows(), references.rows());
  const auto fill = [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) {
      for (std::size_t j = 0; j < references.rows(); ++j) {
        result(t, j) = distance(x.row(t), references.row(j));
      }
    }
  };
  parallel_for(x.rows(), rows_per_range(references), threads, fill);
  return result;
}

}  // namespace caos
