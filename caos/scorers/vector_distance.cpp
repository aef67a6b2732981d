#include "caos/scorers/vector_distance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/kernels/distance.hpp"

namespace caos {
namespace {

void check_finite(MatrixView<const double> rows, const char* name) {
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    require(std::ranges::all_of(rows.row(r), [](double value) { return std::isfinite(value); }),
            ErrorKind::bad_format, [&] {
              return fmt::format("{}: row {} has a value that is not a finite number", name, r);
            });
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
    kernels::euclidean_rows(x.row(first).data(), last - first, references.data(), references.rows(),
                            x.cols(), result.row(first).data(), references.rows());
  };
  parallel_for(x.rows(), rows_per_range(references), threads, fill);
  return result;
}

}  // namespace caos
