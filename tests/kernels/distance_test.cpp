#include "caos/kernels/distance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "caos/rng.hpp"
#include "tests/kernels/every_target.hpp"
#include "tests/kernels/guarded.hpp"

namespace caos::kernels {
namespace {

std::vector<double> random_values(Rng& rng, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = (rng.uniform() - 0.5) * (rng.below(8) == 0 ? 1e-30 : 3);
  return values;
}

struct Distances {
  double euclidean;
  double manhattan;
};

/// The definition, as it is written down.
Distances slow_distances(const double* a, const double* b, std::size_t dim) {
  double squares[8] = {};
  double magnitudes[8] = {};
  for (std::size_t d = 0; d < dim; ++d) {
    squares[d % 8] += (a[d] - b[d]) * (a[d] - b[d]);
    magnitudes[d % 8] += std::abs(a[d] - b[d]);
  }
  const auto sum = [](const double* s) {
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
  };
  return {std::sqrt(sum(squares)), sum(magnitudes)};
}

void expect_definition(std::size_t num_queries, std::size_t num_references, std::size_t dim) {
  SCOPED_TRACE(testing::Message() << num_queries << " x " << num_references << " x " << dim);
  Rng rng(num_queries * 10007 + num_references * 101 + dim);
  const Guarded<double> queries(random_values(rng, num_queries * dim));
  const Guarded<double> references(random_values(rng, num_references * dim));
  on_every_target([&] {
    const std::size_t stride = num_references + 3;
    std::vector<double> euclidean(num_queries * stride, -7.0);
    std::vector<double> manhattan(num_queries * stride, -7.0);
    euclidean_rows(queries.data(), num_queries, references.data(), num_references, dim,
                   euclidean.data(), stride);
    manhattan_rows(queries.data(), num_queries, references.data(), num_references, dim,
                   manhattan.data(), stride);
    for (std::size_t q = 0; q < num_queries; ++q) {
      for (std::size_t r = 0; r < num_references; ++r) {
        const Distances expected =
            slow_distances(queries.data() + q * dim, references.data() + r * dim, dim);
        ASSERT_EQ(euclidean[q * stride + r], expected.euclidean) << q << ' ' << r;
        ASSERT_EQ(manhattan[q * stride + r], expected.manhattan) << q << ' ' << r;
      }
      for (std::size_t r = num_references; r < stride; ++r) {
        ASSERT_EQ(euclidean[q * stride + r], -7.0);
        ASSERT_EQ(manhattan[q * stride + r], -7.0);
      }
    }
  });
}

TEST(DistanceRows, EqualTheirDefinitionBitForBitForEveryDimension) {
  for (std::size_t dim = 1; dim < 70; ++dim) expect_definition(5, 6, dim);
}

TEST(DistanceRows, EqualTheirDefinitionBitForBitForEveryNumberOfRows) {
  for (std::size_t queries = 0; queries < 10; ++queries) {
    for (const std::size_t references : {0U, 1U, 2U, 3U, 4U, 5U, 15U, 16U, 17U, 70U}) {
      expect_definition(queries, references, 19);
    }
  }
}

}  // namespace
}  // namespace caos::kernels
