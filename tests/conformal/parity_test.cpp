// The hand-worked tables of docs/project/theory.md: split conformal thresholds, sets and p-values,
// where the definitions that MAPIE and crepes use are ours, and where they are not.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "caos/sorted_scores.hpp"
#include "caos/split.hpp"
#include "tests/support/problem.hpp"

namespace {

using caos::Miscoverage;
using caos::SortedScores;

/// Calibration scores, and one candidate label for each score.
struct Example {
  std::vector<double> calibration;
  std::vector<double> candidates;
};

const Example four = {{1, 2, 2, 4}, {1, 2, 3, 4, 5}};
const Example nine = {{1, 2, 2, 3, 4, 4, 4, 6, 8}, {2, 4, 5, 6, 8, 9}};

struct SetRow {
  const char* alpha;
  std::size_t rank;
  double threshold;
  std::vector<double> set;  ///< the scores of the candidates in it
};

const std::vector<SetRow> sets_of_four = {{"0.1", 5, INFINITY, {1, 2, 3, 4, 5}},
                                          {"0.2", 4, 4, {1, 2, 3, 4}},
                                          {"0.25", 4, 4, {1, 2, 3, 4}},
                                          {"0.5", 3, 2, {1, 2}}};
const std::vector<SetRow> sets_of_nine = {{"0.1", 9, 8, {2, 4, 5, 6, 8}},
                                          {"0.2", 8, 6, {2, 4, 5, 6}},
                                          {"0.25", 8, 6, {2, 4, 5, 6}},
                                          {"0.5", 5, 4, {2, 4}}};

struct PRow {
  double score;
  caos::Exceedances exceedances;
  double p;
  double smoothed_at_half;
  double smoothed_at_quarter;
};

const std::vector<PRow> p_values_of_four = {{1, {.greater = 3, .equal = 1}, 5.0 / 5, 0.8, 0.7},
                                            {2, {.greater = 1, .equal = 2}, 4.0 / 5, 0.5, 0.35},
                                            {3, {.greater = 1, .equal = 0}, 2.0 / 5, 0.3, 0.25},
                                            {4, {.greater = 0, .equal = 1}, 2.0 / 5, 0.2, 0.1},
                                            {5, {.greater = 0, .equal = 0}, 1.0 / 5, 0.1, 0.05}};
const std::vector<PRow> p_values_of_nine = {{2, {.greater = 6, .equal = 2}, 9.0 / 10, 0.75, 0.675},
                                            {4, {.greater = 2, .equal = 3}, 6.0 / 10, 0.4, 0.3},
                                            {5, {.greater = 2, .equal = 0}, 3.0 / 10, 0.25, 0.225},
                                            {6, {.greater = 1, .equal = 1}, 3.0 / 10, 0.2, 0.15},
                                            {8, {.greater = 0, .equal = 1}, 2.0 / 10, 0.1, 0.05},
                                            {9, {.greater = 0, .equal = 0}, 1.0 / 10, 0.05, 0.025}};

using Table = std::pair<Example, std::vector<SetRow>>;
const std::vector<Table> tables = {{four, sets_of_four}, {nine, sets_of_nine}};

/// Plain split conformal as SCOS with one reference, which is labeled example 0.
caos::OwnScores under_one_reference(const std::vector<double>& calibration) {
  oracle::Table own(calibration.size() + 1, oracle::Pool(calibration.size() + 1, 7.0));
  for (std::size_t i = 0; i < calibration.size(); ++i) own[i + 1][0] = calibration[i];
  return problem::own_scores(own);
}

/// The scores of the candidates that the SCOS set of that reference holds.
std::vector<double> scos_set(const Example& example, const Miscoverage& alpha) {
  const std::size_t num_labeled = example.calibration.size() + 1;
  const auto partition = caos::split::with_references(num_labeled, std::vector<std::int64_t>{0});
  const auto thresholds =
      caos::split::scos_thresholds(under_one_reference(example.calibration), partition, alpha);
  caos::Matrix<double> pools(example.candidates.size(), num_labeled);
  for (std::size_t y = 0; y < pools.rows(); ++y) pools(y, 0) = example.candidates[y];
  std::vector<double> set;
  for (std::size_t y = 0; y < pools.rows(); ++y) {
    const auto tally =
        caos::split::tally_scos(problem::rows_of(pools), y, partition.references, thresholds);
    if (tally.covers[0] != 0) set.push_back(example.candidates[y]);
  }
  return set;
}

TEST(Parity, RanksAndThresholdsAreThoseComputedByHand) {
  for (const auto& [example, rows] : tables) {
    for (const SetRow& row : rows) {
      const auto alpha = Miscoverage::parse(row.alpha);
      EXPECT_EQ(caos::conformal_rank(example.calibration.size(), alpha), row.rank) << row.alpha;
      EXPECT_EQ(SortedScores(example.calibration).threshold(alpha), row.threshold) << row.alpha;
    }
  }
}

TEST(Parity, ScosWithOneReferenceIsSplitConformal) {
  for (const auto& [example, rows] : tables) {
    for (const SetRow& row : rows) {
      EXPECT_EQ(scos_set(example, Miscoverage::parse(row.alpha)), row.set) << row.alpha;
    }
  }
}

TEST(Parity, PValuesAreThoseComputedByHand) {
  using Rows = std::pair<Example, std::vector<PRow>>;
  for (const auto& [example, rows] : {Rows{four, p_values_of_four}, Rows{nine, p_values_of_nine}}) {
    const SortedScores scores(example.calibration);
    for (const PRow& row : rows) {
      const caos::Exceedances e = scores.exceedances(row.score);
      EXPECT_EQ(e, row.exceedances) << row.score;
      EXPECT_EQ(caos::p_value(e, scores.size()), row.p) << row.score;
      EXPECT_EQ(caos::smoothed_p_value(e, scores.size(), 0.5), row.smoothed_at_half) << row.score;
      EXPECT_EQ(caos::smoothed_p_value(e, scores.size(), 0.25), row.smoothed_at_quarter)
          << row.score;
    }
  }
}

// The quantile of MAPIE: NumPy's method "higher" at level (n + 1)(1 - alpha) / n takes the score at
// position ceil((n - 1) level), counted from 0. In whole numbers, with alpha = percent / 100.
std::size_t rank_of_higher(std::size_t n, std::size_t percent) {
  const std::size_t numerator = (n - 1) * (n + 1) * (100 - percent);
  return (numerator + 100 * n - 1) / (100 * n) + 1;
}

TEST(Parity, TheQuantileOfMapieHasOurRankOrTheNext) {
  EXPECT_EQ(rank_of_higher(9, 10), 9U);
  EXPECT_EQ(rank_of_higher(9, 20), 9U);  // ours is 8
  EXPECT_EQ(rank_of_higher(9, 25), 8U);
  EXPECT_EQ(rank_of_higher(9, 50), 6U);  // ours is 5; in the table both scores are 4
  for (std::size_t n = 2; n <= 200; ++n) {
    for (std::size_t percent = 1; percent < 100; ++percent) {
      const std::size_t rank = caos::conformal_rank(n, problem::alpha(percent));
      if (rank > n) continue;
      EXPECT_GE(rank_of_higher(n, percent), rank) << n << ", " << percent << " %";
      EXPECT_LE(rank_of_higher(n, percent), std::min(rank + 1, n)) << n << ", " << percent << " %";
    }
  }
}

// crepes admits p >= alpha, we admit p > alpha: they differ where p is exactly alpha.
TEST(Parity, ALabelWithAPValueOfExactlyAlphaIsOutside) {
  const SortedScores scores(nine.calibration);
  EXPECT_EQ(caos::p_value(scores.exceedances(9), scores.size()), 0.1);
  EXPECT_EQ(scos_set(nine, Miscoverage::parse("0.1")), (std::vector<double>{2, 4, 5, 6, 8}));
  EXPECT_EQ(caos::p_value(scores.exceedances(8), scores.size()), 0.2);
  EXPECT_EQ(scos_set(nine, Miscoverage::parse("0.2")), (std::vector<double>{2, 4, 5, 6}));
}

}  // namespace
