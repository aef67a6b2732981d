#include "caos/kernels/dot.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "caos/rng.hpp"
#include "tests/kernels/every_target.hpp"
#include "tests/kernels/guarded.hpp"

namespace caos::kernels {
namespace {

std::vector<float> draw(Rng& rng, std::size_t count) {
  std::vector<float> values(count);
  for (float& value : values) {
    value = static_cast<float>(rng.uniform() - 0.5);
    if (rng.below(8) == 0) value *= 1e-30F;
  }
  return values;
}

/// The definition, as it is written down.
double slow_dot(const float* a, const float* b, std::size_t dim) {
  double s[8] = {};
  for (std::size_t d = 0; d < dim; ++d) s[d % 8] += double{a[d]} * double{b[d]};
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

struct Case {
  std::size_t queries;
  std::size_t references;
  std::size_t dim;
};

void expect_equals_the_definition(const Case& c) {
  SCOPED_TRACE(testing::Message() << c.queries << " x " << c.references << " x " << c.dim);
  Rng rng(c.queries * 10007 + c.references * 101 + c.dim);
  const Guarded<float> queries(draw(rng, c.queries * c.dim));
  const Guarded<float> references(draw(rng, c.references * c.dim));
  on_every_target([&] {
    const std::size_t stride = c.references + 3;
    std::vector<double> out(c.queries * stride, -7.0);
    dot_rows(queries.data(), c.queries, references.data(), c.references, c.dim, out.data(), stride);
    for (std::size_t q = 0; q < c.queries; ++q) {
      for (std::size_t r = 0; r < c.references; ++r) {
        const float* a = queries.data() + q * c.dim;
        const float* b = references.data() + r * c.dim;
        ASSERT_EQ(out[q * stride + r], slow_dot(a, b, c.dim)) << q << ' ' << r;
      }
      for (std::size_t r = c.references; r < stride; ++r) ASSERT_EQ(out[q * stride + r], -7.0);
    }
  });
}

TEST(DotRows, EqualsItsDefinitionBitForBitForEveryDimension) {
  for (std::size_t dim = 1; dim < 70; ++dim) expect_equals_the_definition({5, 6, dim});
}

TEST(DotRows, EqualsItsDefinitionBitForBitForEveryNumberOfRows) {
  for (std::size_t queries = 0; queries < 10; ++queries) {
    for (const std::size_t references : {0U, 1U, 2U, 3U, 4U, 5U, 31U, 32U, 33U, 70U}) {
      expect_equals_the_definition({queries, references, 19});
    }
  }
}

TEST(DotRows, DoesNotCareWhichRowIsTheReference) {
  Rng rng(1);
  const std::size_t dim = 101;
  const std::vector<float> a = draw(rng, 9 * dim);
  const std::vector<float> b = draw(rng, 9 * dim);
  std::vector<double> ab(81);
  std::vector<double> ba(81);
  dot_rows(a.data(), 9, b.data(), 9, dim, ab.data(), 9);
  dot_rows(b.data(), 9, a.data(), 9, dim, ba.data(), 9);
  for (std::size_t i = 0; i < 9; ++i) {
    for (std::size_t j = 0; j < 9; ++j) EXPECT_EQ(ab[i * 9 + j], ba[j * 9 + i]);
  }
}

TEST(DotPairs, AreTheDotProductsOfRowsThatLieAnywhere) {
  Rng rng(3);
  for (const std::size_t dim : {1U, 8U, 16U, 29U}) {
    for (std::size_t count = 0; count <= 15; ++count) {
      const Guarded<float> a(draw(rng, count * dim));
      const Guarded<float> b(draw(rng, count * dim));
      std::vector<const float*> rows_a;
      std::vector<const float*> rows_b;
      for (std::size_t n = 0; n < count; ++n) {
        rows_a.push_back(a.data() + (count - 1 - n) * dim);
        rows_b.push_back(b.data() + n * dim);
      }
      on_every_target([&] {
        std::vector<double> out(count + 1, -7);
        dot_pairs(rows_a.data(), rows_b.data(), count, dim, out.data());
        for (std::size_t n = 0; n < count; ++n) {
          EXPECT_EQ(out[n], slow_dot(rows_a[n], rows_b[n], dim));
        }
        EXPECT_EQ(out[count], -7);
      });
    }
  }
}

}  // namespace
}  // namespace caos::kernels
