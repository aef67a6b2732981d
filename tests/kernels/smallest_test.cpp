#include "caos/kernels/smallest.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "caos/rng.hpp"
#include "tests/kernels/every_target.hpp"
#include "tests/kernels/guarded.hpp"

namespace caos::kernels {
namespace {

/// Few values, so that ties are common; both zeros, numbers whose sums depend on the order, +inf.
template <typename T>
T draw_score(Rng& rng) {
  constexpr double values[] = {
      0.0, -0.0, 1.0,   -1.0,  0.1,   0.3,  -0.7,
      2.5, 1e30, -1e30, 1e-30, 1e-40, 1e17, std::numeric_limits<double>::infinity()};
  return static_cast<T>(rng.below(4) == 0 ? rng.uniform() : values[rng.below(std::size(values))]);
}

template <typename T>
struct Case {
  std::size_t rows, cols, k;
  std::vector<T> scores;

  Case(std::size_t rows_, std::size_t cols_, std::size_t k_, std::uint64_t seed)
      : rows(rows_), cols(cols_), k(k_), scores(rows_ * cols_) {
    Rng rng(seed);
    std::ranges::generate(scores, [&] { return draw_score<T>(rng); });
  }
};

using Bits = std::vector<std::uint64_t>;

void append(Bits& bits, double value) { bits.push_back(std::bit_cast<std::uint64_t>(value)); }

Bits bits_of(std::span<const double> values) {
  Bits bits;
  for (const double value : values) append(bits, value);
  return bits;
}

/// The meaning: sort, then add in double from 0.0.
struct Oracle {
  Bits sums, smallest;

  template <typename T>
  explicit Oracle(const Case<T>& c) {
    for (std::size_t r = 0; r < c.rows; ++r) {
      const auto row = c.scores.begin() + static_cast<std::ptrdiff_t>(r * c.cols);
      std::vector<double> sorted(row, row + static_cast<std::ptrdiff_t>(c.cols));
      std::ranges::sort(sorted);
      double sum = 0.0;
      for (std::size_t j = 0; j < c.k; ++j) {
        sum += sorted[j];
        append(smallest, sorted[j] == 0.0 ? 0.0 : sorted[j]);
      }
      append(sums, sum);
    }
  }
};

template <typename T>
void expect_meaning_on_every_target(const Case<T>& c) {
  SCOPED_TRACE(testing::Message() << c.rows << " rows of " << c.cols << ", k = " << c.k);
  const Oracle oracle(c);
  const Guarded<T> scores(c.scores);
  const Guarded<double> sums(c.rows);
  const Guarded<double> smallest(c.rows * c.k);
  on_every_target([&] {
    minsum_rows(scores.data(), c.rows, c.cols, c.k, sums.data());
    smallest_rows(scores.data(), c.rows, c.cols, c.k, smallest.data());
    EXPECT_EQ(bits_of(sums.values()), oracle.sums);
    EXPECT_EQ(bits_of(smallest.values()), oracle.smallest);
  });
}

template <typename T>
class SmallestRows : public testing::Test {};
using ScoreTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(SmallestRows, ScoreTypes);

using Sizes = std::vector<std::size_t>;

/// 16 rows and more fill every lane of the widest vectors.
constexpr std::size_t row_counts[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 35};

TYPED_TEST(SmallestRows, AreTheFirstOfTheSortedRowForEveryShortRow) {
  std::uint64_t seed = 0;
  for (std::size_t k = 1; k <= 20; ++k) {
    for (std::size_t cols = k; cols <= 70; ++cols) {
      const std::size_t rows = row_counts[seed % std::size(row_counts)];
      expect_meaning_on_every_target(Case<TypeParam>(rows, cols, k, ++seed));
      ASSERT_FALSE(this->HasFailure());
    }
  }
}

TYPED_TEST(SmallestRows, AreTheFirstOfTheSortedRowForEveryNumberOfRows) {
  for (const std::size_t rows : row_counts) {
    for (const std::size_t k : Sizes{1, 2, 3, 5, 8, 9, 16, 17}) {
      for (const std::size_t cols : Sizes{17, 31, 64, 100}) {
        expect_meaning_on_every_target(Case<TypeParam>(rows, cols, k, rows * cols + k));
      }
    }
  }
}

TYPED_TEST(SmallestRows, AreTheFirstOfTheSortedRowForLongRowsAndLongLists) {
  for (const std::size_t k : Sizes{1, 3, 8, 20, 64, 100}) {
    for (const std::size_t cols : Sizes{100, 127, 128, 129, 1000, 4099}) {
      expect_meaning_on_every_target(Case<TypeParam>(9, cols, k, cols + k));
    }
  }
}

TYPED_TEST(SmallestRows, MayBeTheWholeRow) {
  for (const std::size_t k : Sizes{21, 32, 63, 64, 65}) {
    expect_meaning_on_every_target(Case<TypeParam>(7, k, k, k));
  }
}

TYPED_TEST(SmallestRows, OfNoRowsWriteNothing) {
  const Guarded<TypeParam> scores(0);
  on_every_target([&] { minsum_rows(scores.data(), 0, 5, 3, nullptr); });
}

RC_GTEST_PROP(MinsumRows, DoNotDependOnHowTheRowsAreSplit, (std::uint64_t seed)) {
  const auto rows = *rc::gen::inRange<std::size_t>(1, 40);
  const auto cols = *rc::gen::inRange<std::size_t>(1, 70);
  const auto k = *rc::gen::inRange<std::size_t>(1, cols + 1);
  const auto first = *rc::gen::inRange<std::size_t>(0, rows);
  const Case<float> c(rows, cols, k, seed);
  std::vector<double> whole(rows), split(rows);
  minsum_rows(c.scores.data(), rows, cols, k, whole.data());
  minsum_rows(c.scores.data(), first, cols, k, split.data());
  minsum_rows(c.scores.data() + first * cols, rows - first, cols, k, split.data() + first);
  RC_ASSERT(bits_of(whole) == bits_of(split));
}

RC_GTEST_PROP(MinsumRows, OfWidenedScoresAreTheSame, (std::uint64_t seed)) {
  const auto cols = *rc::gen::inRange<std::size_t>(1, 70);
  const auto k = *rc::gen::inRange<std::size_t>(1, cols + 1);
  const Case<float> c(20, cols, k, seed);
  const std::vector<double> widened(c.scores.begin(), c.scores.end());
  std::vector<double> of_float(20), of_double(20);
  minsum_rows(c.scores.data(), 20, cols, k, of_float.data());
  minsum_rows(widened.data(), 20, cols, k, of_double.data());
  RC_ASSERT(bits_of(of_float) == bits_of(of_double));
}

}  // namespace
}  // namespace caos::kernels
