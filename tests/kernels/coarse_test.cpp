#include "caos/kernels/coarse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "caos/core/aligned_buffer.hpp"
#include "caos/kernels/dot.hpp"
#include "caos/rng.hpp"
#include "tests/kernels/every_target.hpp"
#include "tests/kernels/guarded.hpp"

namespace caos::kernels {
namespace {

/// A row of length 1; now and then all weight on one coordinate.
std::vector<float> unit_row(Rng& rng, std::size_t dim) {
  std::vector<double> values(dim);
  if (rng.below(6) == 0) {
    values[rng.below(dim)] = rng.below(2) == 0 ? 1 : -1;
  } else {
    for (double& value : values) value = rng.uniform() - 0.5;
  }
  double squared = 0;
  for (const double value : values) squared += value * value;
  std::vector<float> row;
  for (const double value : values) row.push_back(static_cast<float>(value / std::sqrt(squared)));
  return row;
}

struct Rows {
  Rows(Rng& rng, std::size_t count, std::size_t dim) {
    for (std::size_t r = 0; r < count; ++r) {
      exact.push_back(unit_row(rng, dim));
      coarse.emplace_back(coarse_dim(dim), std::int16_t{-77});
      errors.push_back(quantize(exact[r].data(), dim, coarse[r].data()));
    }
    for (const auto& row : coarse) pointers.push_back(row.data());
  }

  std::vector<std::vector<float>> exact;
  std::vector<std::vector<std::int16_t>> coarse;
  std::vector<double> errors;
  std::vector<const std::int16_t*> pointers;
};

TEST(Quantize, BoundsTheDistanceFromTheRowTightly) {
  for (const std::size_t dim : {1U, 2U, 7U, 16U, 33U, 768U}) {
    Rng rng(dim);
    const Guarded<float> row(unit_row(rng, dim));
    on_every_target([&] {
      std::vector<std::int16_t> coarse(coarse_dim(dim), -77);
      const double bound = quantize(row.data(), dim, coarse.data());
      double squared = 0;
      for (std::size_t d = 0; d < dim; ++d) {
        const double rest = double{row.data()[d]} - static_cast<double>(coarse[d]) / coarse_one;
        squared += rest * rest;
      }
      EXPECT_LE(std::sqrt(squared), bound);
      EXPECT_LE(bound, std::sqrt(squared) * 1.002 + 2e-7);
      EXPECT_EQ(coarse.back(), dim % 2 == 0 ? coarse.back() : 0);
    });
  }
}

struct Case {
  std::size_t queries;
  std::size_t references;
  std::size_t dim;
};

/// The dot product of the coarse rows, in whole numbers.
double slow_dot(const std::vector<std::int16_t>& a, const std::vector<std::int16_t>& b) {
  std::int64_t sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += std::int64_t{a[d]} * b[d];
  return static_cast<double>(sum) / coarse_one;
}

void expect_near_the_exact_dots(const Case& c) {
  SCOPED_TRACE(testing::Message() << c.queries << " x " << c.references << " x " << c.dim);
  Rng rng(c.queries * 1009 + c.references * 11 + c.dim);
  const Rows queries(rng, c.queries, c.dim);
  const Rows references(rng, c.references, c.dim);
  const std::size_t num_panels = (c.references + coarse_panel - 1) / coarse_panel;
  const std::size_t width = coarse_dim(c.dim);
  AlignedBuffer<std::int16_t> group(coarse_group * width);
  AlignedBuffer<std::int16_t> panels(num_panels * coarse_panel * width);
  pack_group(queries.pointers.data(), c.queries, c.dim, group.data());
  for (std::size_t p = 0; p < num_panels; ++p) {
    const std::size_t count = std::min(coarse_panel, c.references - p * coarse_panel);
    pack_panel(&references.pointers[p * coarse_panel], count, c.dim,
               panels.data() + p * coarse_panel * width);
  }
  std::vector<std::int16_t> first;
  on_every_target([&] {
    AlignedBuffer<std::int16_t> out(num_panels * coarse_panel * coarse_group);
    coarse_dots(group.data(), panels.data(), num_panels, c.dim, out.data());
    const std::vector<std::int16_t> all(out.data(), out.data() + out.size());
    std::fill_n(out.data(), out.size(), std::int16_t{1});
    coarse_dots(group.data(), panels.data(), num_panels, c.dim, out.data(), c.queries);
    EXPECT_EQ(std::vector<std::int16_t>(out.data(), out.data() + out.size()), all);
    if (first.empty()) first = all;
    EXPECT_EQ(all, first);
    for (std::size_t r = 0; r < c.references; ++r) {
      for (std::size_t q = 0; q < c.queries; ++q) {
        const double found = all[r * coarse_group + q];
        ASSERT_LE(std::abs(found - slow_dot(queries.coarse[q], references.coarse[r])), 0.51);
        double exact = 0;
        dot_rows(queries.exact[q].data(), 1, references.exact[r].data(), 1, c.dim, &exact, 1);
        const double bound = queries.errors[q] + references.errors[r] * (1 + queries.errors[q]);
        ASSERT_LE(std::abs(found / coarse_one - exact), bound * (1 + 1e-6) + 0.51 / coarse_one);
      }
    }
  });
}

TEST(CoarseDots, AreWithinTheErrorOfTheExactOnesOnEveryInstructionSet) {
  for (const std::size_t dim : {1U, 2U, 3U, 8U, 31U, 64U, 385U, 768U}) {
    expect_near_the_exact_dots({coarse_group, 2 * coarse_panel, dim});
  }
}

TEST(CoarseDots, TakeAnyNumberOfRows) {
  for (const std::size_t queries : {1U, 5U, 16U, 17U, 31U, 32U}) {
    for (const std::size_t references : {1U, 6U, 7U, 12U, 13U, 25U}) {
      expect_near_the_exact_dots({queries, references, 20});
    }
  }
}

}  // namespace
}  // namespace caos::kernels
