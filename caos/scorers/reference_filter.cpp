#include "caos/scorers/reference_filter.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <vector>

// Why the bounds hold. Let W be the coarse directions (a matrix, row by row), M = W W', and for a
// row x let y be the coarse values of W x, which need not be exact: y = W x - h with |h| <= p.
// What W' y leaves of x is a = x - W' y. Then for two rows, with z, g, q and b of the second,
//
//   x1.x2 = y' M z + (W a).z + (W b).y + a.b
//         = y' (2 - M) z + h.z + g.y + a.b              as W a = W x - M y = y + h - M y
//        <= y.z + |M - 1| |y| |z| + p |z| + q |y| + |a| |b|,
//
//   |a|^2 = |x|^2 - 2 (W x).y + y' M y
//        <= |x|^2 - |y|^2 + 2 p |y| + |M - 1| |y|^2.
//
// y.z + |a| |b| is the dot product of the projected rows, which hold whole numbers and are
// compared without further error; p |z| and one half of |M - 1| |y| |z| are put down as the error
// of the first row, the others as that of the second, with `longest_projection` for |y| and |z|.
//
// As long as p and |M - 1| are at most 0.005, |y| <= |W| |x| + p < longest_projection, and the
// squared length of a projected row is at most |x|^2 + 2 p |y| + |M - 1| |y|^2 and what rounding up
// adds, less than 1.02: coarse similarities of projected rows stay within their range. For p that
// follows from the numbers of values and directions, each value being rounded by half a unit.

namespace caos {
namespace {

using kernels::coarse_group;
using kernels::coarse_one;

constexpr double most_skew = 0.005;
constexpr std::size_t most_values = 50'000;
constexpr std::size_t most_directions = 1'000;
constexpr double longest_projection = 1.01;

/// Dividing by coarse_one and rounding, see `coarse_dots`.
constexpr double rounding = kernels::coarse_rounding / coarse_one;

/// More than doubles lose here.
constexpr double slack = 1e-9;

/// Of all matrix norms the one of Frobenius is the easiest that is not less than needed.
double skew_of(const CoarseRows& directions) {
  const std::size_t width = kernels::coarse_dim(directions.dimension());
  double squared = 0;
  for (std::size_t a = 0; a < directions.size(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      // Rows are about 1 long, so that no sum exceeds 32 bits.
      std::int32_t dot = 0;
      for (std::size_t d = 0; d < width; ++d) dot += directions.row(a)[d] * directions.row(b)[d];
      const double entry = dot / (double{coarse_one} * coarse_one) - (a == b ? 1 : 0);
      squared += (a == b ? 1 : 2) * entry * entry;
    }
  }
  return std::sqrt(squared) + slack;
}

/// The length of what is left of a row whose projection has this length, rounded up.
std::int16_t rest_of(double projected, double error, double skew) {
  const double squared = longest_row * longest_row - projected * projected + 2 * error * projected +
                         skew * projected * projected + slack;
  return static_cast<std::int16_t>(std::ceil(std::sqrt(std::max(squared, 0.0)) * coarse_one));
}

}  // namespace

std::optional<ReferenceFilter> ReferenceFilter::make(const CoarseRows& references,
                                                     MatrixView<const float> directions) {
  assert(directions.rows() > 0 && directions.cols() == references.dimension());
  if (directions.cols() > most_values || directions.rows() > most_directions) return std::nullopt;
  const CoarseRows coarse(directions);
  const double skew = skew_of(coarse);
  if (skew > most_skew) return std::nullopt;
  return ReferenceFilter(references, coarse, skew);
}

ReferenceFilter::ReferenceFilter(const CoarseRows& references, const CoarseRows& directions,
                                 double skew)
    : num_directions_(directions.size()),
      directions_(directions),
      skew_(skew),
      references_(project(references)) {}

CoarseRows ReferenceFilter::project(const CoarseRows& rows) const {
  CoarseSimilarities dots;
  CoarseRows projected(dimension());
  project(rows, dots, projected);
  return projected;
}

void ReferenceFilter::project(const CoarseRows& rows, CoarseSimilarities& dots,
                              CoarseRows& out) const {
  assert(out.dimension() == dimension());
  out.clear();
  const std::size_t batch = CoarseSimilarities::batch_size(directions_);
  for (std::size_t first = 0; first < rows.size(); first += batch) {
    dots.compare(rows, first, std::min(batch, rows.size() - first), directions_);
    for (std::size_t g = 0; g < dots.num_groups(); ++g) {
      project_group(dots, g, rows, first + g * coarse_group, out);
    }
  }
}

void ReferenceFilter::project_group(const CoarseSimilarities& dots, std::size_t g,
                                    const CoarseRows& rows, std::size_t first,
                                    CoarseRows& out) const {
  const std::int16_t* values = dots.group(g);
  std::array<std::int32_t, coarse_group> squares{};
  for (std::size_t d = 0; d < num_directions_; ++d) {
    for (std::size_t q = 0; q < coarse_group; ++q) {
      const std::int32_t value = values[d * coarse_group + q];
      squares[q] += value * value;
    }
  }
  std::vector<std::int16_t> row(kernels::coarse_dim(dimension()));
  const std::size_t count = std::min(coarse_group, rows.size() - first);
  for (std::size_t q = 0; q < count; ++q) {
    for (std::size_t d = 0; d < num_directions_; ++d) row[d] = values[d * coarse_group + q];
    const double error = std::sqrt(1 + skew_) * rows.error(first + q) +
                         std::sqrt(static_cast<double>(num_directions_)) * rounding + slack;
    row[num_directions_] =
        rest_of(std::sqrt(static_cast<double>(squares[q])) / coarse_one, error, skew_);
    out.append(row, longest_projection * (error + longest_projection * skew_ / 2));
  }
}

}  // namespace caos
