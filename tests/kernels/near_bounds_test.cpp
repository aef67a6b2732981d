#include "caos/kernels/near_bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "caos/kernels/coarse.hpp"
#include "caos/rng.hpp"
#include "tests/kernels/every_target.hpp"

namespace caos::kernels {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Problem {
  LabelRows labels{};
  std::size_t rows = 0;
  DistanceTerms terms{.factor = 3, .reach = 2, .error = 0};
  std::size_t k = 1;
  std::vector<std::vector<std::int16_t>> similarities{};  ///< by reference
  std::vector<PlacedTerms> references{};
};

/// Places on whole numbers and far away, too, and similarities of few values.
Problem draw(Rng& rng, bool known) {
  Problem problem;
  problem.labels.columns = 1 + rng.below(21);
  problem.rows = 1 + rng.below(9);
  problem.labels.side = rng.below(2) == 0 ? 1 : 0.25;
  problem.labels.first_row = rng.below(problem.rows);
  problem.labels.last_row =
      problem.labels.first_row + rng.below(problem.rows - problem.labels.first_row + 1);
  problem.terms.error = static_cast<int>(rng.below(40));
  problem.k = 1 + rng.below(4);
  const std::size_t count = 1 + rng.below(6);
  for (std::size_t r = 0; r < count; ++r) {
    problem.similarities.emplace_back(problem.labels.columns * problem.rows + near_padding);
    for (std::int16_t& value : problem.similarities.back()) {
      value = static_cast<std::int16_t>(8000 * static_cast<int>(rng.below(5)));
    }
  }
  for (std::size_t r = 0; r < count; ++r) {
    const auto place = [&](std::size_t size) {
      const double at = rng.uniform() * (static_cast<double>(size) + 4) - 2;
      return problem.labels.side * (rng.below(2) == 0 ? at : static_cast<double>(rng.below(size)));
    };
    problem.references.push_back({.x = place(problem.labels.columns),
                                  .y = place(problem.rows),
                                  .similarities = known ? problem.similarities[r].data() : nullptr,
                                  .inverse = rng.below(3) == 0 ? 0 : 10 * rng.uniform()});
  }
  return problem;
}

/// The k smallest bounds of a label by a loop over references, from `first` on where fewer are
/// near.
std::vector<double> slowly(const Problem& problem, std::size_t row, std::size_t column, double sign,
                           double first) {
  std::vector<double> bounds(problem.k, first);
  for (const PlacedTerms& one : problem.references) {
    const double x = (static_cast<double>(column) + 0.5) * problem.labels.side - one.x;
    const double y = (static_cast<double>(row) + 0.5) * problem.labels.side - one.y;
    if (x * x + y * y >= problem.terms.reach * problem.terms.reach) continue;
    double bound = problem.terms.factor * (x * x + y * y);
    if (one.similarities != nullptr) {
      const double similarity =
          one.similarities[row * problem.labels.columns + column] + sign * problem.terms.error;
      bound += std::max(0.0, 1 - similarity / coarse_one) * one.inverse;
    }
    bounds.push_back(bound);
  }
  std::ranges::sort(bounds);
  bounds.resize(problem.k);
  return bounds;
}

void expect_bounds(const Problem& problem, const std::vector<double>& values, std::size_t stride,
                   double sign, double first) {
  const LabelRows& labels = problem.labels;
  for (std::size_t row = labels.first_row; row < labels.last_row; ++row) {
    for (std::size_t column = 0; column < labels.columns; ++column) {
      const std::vector<double> expected = slowly(problem, row, column, sign, first);
      for (std::size_t j = 0; j < problem.k; ++j) {
        const double found =
            values[j * stride + (row - labels.first_row) * labels.columns + column];
        if (expected[j] == infinity) {
          EXPECT_EQ(found, infinity);
        } else {
          EXPECT_NEAR(found, expected[j], 1e-9);
          // A positive sign makes similarities larger, so that the bound is a lower one.
          EXPECT_LE(sign * found, sign * expected[j]);
        }
      }
    }
  }
}

TEST(KeepNear, IsALoopOverLabelsAndReferences) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    const bool known = seed % 3 != 0;
    const Problem problem = draw(rng, known);
    const std::size_t count = problem.labels.last_row - problem.labels.first_row;
    const std::size_t stride = count * problem.labels.columns + near_padding;
    on_every_target([&] {
      std::vector<double> low(problem.k * stride, 12);
      std::vector<double> high(problem.k * stride, infinity);
      keep_near(problem.labels, problem.terms, problem.references, {low.data(), stride, problem.k},
                {high.data(), stride, problem.k});
      expect_bounds(problem, low, stride, 1, 12);
      if (known) {
        expect_bounds(problem, high, stride, -1, infinity);
      } else {
        EXPECT_EQ(std::ranges::count(high, infinity), std::ssize(high));
      }
    });
  }
}

}  // namespace
}  // namespace caos::kernels
