#include "caos/scorers/exact_nearest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "caos/kernels/coarse.hpp"
#include "caos/numerics/minsum.hpp"
#include "caos/rng.hpp"
#include "caos/scorers/patch_scorer.hpp"
#include "caos/scorers/unit_rows.hpp"

namespace caos {
namespace {

/// Unit rows from few values, so that many are equally similar.
Matrix<float> draw(std::uint64_t seed, std::size_t rows, std::size_t dim) {
  Rng rng(seed);
  Matrix<float> result(rows, dim);
  for (std::size_t r = 0; r < rows; ++r) {
    for (float& value : result.row(r)) value = static_cast<float>(rng.below(3)) - 0.7F;
  }
  return unit_rows(std::move(result), "drawn");
}

TEST(SumOfNearest, HasTheBitsOfAddingInAscendingOrder) {
  Rng rng(3);
  std::size_t differ = 0;
  for (int repeat = 0; repeat < 500; ++repeat) {
    std::vector<Score> scores(5);
    for (Score& score : scores) score = rng.uniform();
    std::ranges::sort(scores);
    std::vector<Neighbor> nearest;
    for (const Score score : scores) nearest.push_back({score, 0});
    EXPECT_EQ(sum_of_nearest(nearest, 4), minsum(scores, 4));
    const Score descending = ((scores[3] + scores[2]) + scores[1]) + scores[0];
    differ += descending != minsum(scores, 4) ? 1U : 0U;
  }
  EXPECT_GT(differ, 50U);  // or the order would not show
}

TEST(ExactNearest, FindsTheSmallestScoresTheFirstAmongEqualOnes) {
  const Matrix<float> references = draw(1, 30, 4);
  const Matrix<float> queries = draw(2, 20, 4);
  const Matrix<Score> scores = PatchScorer(references, {}).scores(queries.view());
  const std::vector<const float*> rows = row_pointers(references.view());
  // Coarse similarities that say nothing: all may be among the nearest.
  const std::vector<std::int16_t> similarities(30 * kernels::coarse_group);
  std::vector<std::uint32_t> columns(30);
  std::iota(columns.begin(), columns.end(), 0U);
  ExactNearest exact(rows, 4);
  for (std::size_t q = 0; q < queries.rows(); ++q) {
    std::vector<std::size_t> order(columns.begin(), columns.end());
    std::ranges::stable_sort(order, {}, [&](std::size_t j) { return scores(q, j); });
    const auto nearest = exact.nearest({.row = queries.row(q).data(),
                                        .similarities = similarities.data(),
                                        .columns = columns,
                                        .kth = 0,
                                        .error = 10},
                                       7);
    ASSERT_EQ(nearest.size(), 7U);
    for (std::size_t j = 0; j < 7; ++j) {
      EXPECT_EQ(nearest[j].score, scores(q, order[j]));
      EXPECT_EQ(nearest[j].position, order[j]);
    }
  }
}

}  // namespace
}  // namespace caos
