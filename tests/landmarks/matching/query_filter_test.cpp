#include "caos/landmarks/matching/query_filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "caos/kernels/dot.hpp"
#include "caos/landmarks/matching/image_batch.hpp"
#include "caos/landmarks/matching/query_bits.hpp"
#include "caos/rng.hpp"
#include "caos/scorers/unit_rows.hpp"

namespace {

using caos::CoarsePool;
using caos::CoarseRows;
using caos::CoarseScratch;
using caos::Matrix;
using caos::QueryFilter;
using caos::Rng;

Matrix<float> random_rows(Rng& rng, std::size_t count, std::size_t dimension) {
  Matrix<float> rows(count, dimension);
  for (std::size_t r = 0; r < count; ++r) {
    for (float& value : rows.row(r)) value = static_cast<float>(rng.uniform() - 0.5);
  }
  return caos::unit_rows(std::as_const(rows).view(), "drawn");
}

/// Rows near one of some centers.
Matrix<float> rows_near(Rng& rng, std::size_t count, const Matrix<float>& centers) {
  Matrix<float> rows(count, centers.cols());
  for (std::size_t r = 0; r < count; ++r) {
    std::ranges::copy(centers.row(rng.below(centers.rows())), rows.row(r).begin());
    for (float& value : rows.row(r)) value += static_cast<float>(0.05 * (rng.uniform() - 0.5));
  }
  return caos::unit_rows(std::as_const(rows).view(), "drawn");
}

/// References and queries, and pools of some references with limits.
struct Drawn {
  Drawn(Matrix<float> some_references, Matrix<float> some_queries)
      : references(std::move(some_references)),
        queries(std::move(some_queries)),
        coarse(references.view()),
        coarse_queries(queries.view()),
        rows(row_pointers(references.view())),
        query_rows(row_pointers(queries.view())) {}

  void add_pool(std::vector<std::uint32_t> columns, std::vector<CoarsePool::Limit> limits) {
    pools.emplace_back(std::move(columns), std::move(limits));
  }

  [[nodiscard]] caos::FilterProblem problem(std::size_t num_queries) const {
    caos::FilterProblem result{.references = coarse,
                               .rows = rows,
                               .pools = {},
                               .num_queries = num_queries,
                               .sample = coarse_queries,
                               .sample_rows = query_rows};
    for (const CoarsePool& pool : pools) result.pools.push_back(&pool);
    return result;
  }

  Matrix<float> references;
  Matrix<float> queries;
  CoarseRows coarse;
  CoarseRows coarse_queries;
  std::vector<const float*> rows;
  std::vector<const float*> query_rows;
  std::vector<CoarsePool> pools;
};

std::vector<std::uint32_t> candidates(const QueryFilter& filter, const Drawn& drawn) {
  CoarseScratch scratch(drawn.rows, drawn.references.cols());
  QueryFilter::Scratch of_filter(filter, scratch);
  return filter.candidates(drawn.coarse_queries, of_filter);
}

/// The sum of the k smallest scores under the references at `columns`.
double caos_score(const Drawn& drawn, std::span<const std::uint32_t> columns, std::size_t q,
                  std::size_t k) {
  std::vector<double> scores;
  for (const std::uint32_t column : columns) {
    double dot = 0;
    caos::kernels::dot_rows(drawn.queries.row(q).data(), 1, drawn.references.row(column).data(), 1,
                            drawn.references.cols(), &dot, 1);
    scores.push_back(1 - dot);
  }
  std::ranges::sort(scores);
  return std::accumulate(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(k), 0.0);
}

TEST(QueryFilter, KeepsEveryQueryThatIsInASetAndFewOthers) {
  Rng rng(1);
  const Matrix<float> centers = random_rows(rng, 12, 61);
  Matrix<float> first(0, 61);
  first.push_row(centers.row(0));
  first.push_row(centers.row(1));
  Drawn drawn(rows_near(rng, 90, first), rows_near(rng, 333, centers));
  const std::vector<std::uint32_t> some = {3, 5, 8, 9, 60, 61, 62};
  std::vector<std::uint32_t> all(90);
  std::iota(all.begin(), all.end(), 0U);
  drawn.add_pool(some, {{.k = 1, .threshold = 0.1}, {.k = 3, .threshold = 0.2}});
  drawn.add_pool(all, {{.k = 2, .threshold = 0.05}});
  for (const std::size_t directions : {2U, 5U, 20U, 61U, 95U}) {
    const auto filter = make_filter(drawn.problem(333), directions);
    ASSERT_TRUE(filter);
    EXPECT_EQ(filter->dimension(), std::min<std::size_t>(directions, 61) + 1);
    const auto kept = candidates(*filter, drawn);
    EXPECT_TRUE(std::ranges::is_sorted(kept));
    std::size_t members = 0;
    for (std::uint32_t q = 0; q < 333; ++q) {
      const bool member = caos_score(drawn, some, q, 1) <= 0.1 ||
                          caos_score(drawn, some, q, 3) <= 0.2 ||
                          caos_score(drawn, all, q, 2) <= 0.05;
      members += member ? 1 : 0;
      EXPECT_TRUE(!member || std::ranges::binary_search(kept, q)) << q;
    }
    EXPECT_GT(members, 20U);
    if (directions >= 20) {
      EXPECT_LE(kept.size(), members + 30);
    }
  }
}

TEST(QueryFilter, KeepsQueriesOnTheThresholdItself) {
  Rng rng(2);
  const Matrix<float> centers = random_rows(rng, 3, 40);
  Drawn drawn(rows_near(rng, 50, centers), rows_near(rng, 64, centers));
  std::vector<std::uint32_t> all(50);
  std::iota(all.begin(), all.end(), 0U);
  for (std::uint32_t q = 0; q < 64; ++q) {
    drawn.pools.clear();
    drawn.add_pool(all, {{.k = 3, .threshold = caos_score(drawn, all, q, 3)}});
    const auto filter = make_filter(drawn.problem(64), 40);
    ASSERT_TRUE(filter);
    const auto kept = candidates(*filter, drawn);
    EXPECT_TRUE(std::ranges::binary_search(kept, q));
  }
}

TEST(ChooseFilter, TakesOneWherePatchesAreOfKindsAndNoneWhereTheyAreAlike) {
  Rng rng(3);
  const Matrix<float> centers = random_rows(rng, 20, 96);
  std::vector<std::uint32_t> all(300);
  std::iota(all.begin(), all.end(), 0U);
  Matrix<float> first(0, 96);
  first.push_row(centers.row(0));
  Drawn kinds(rows_near(rng, 300, first), rows_near(rng, 400, centers));
  kinds.add_pool(all, {{.k = 3, .threshold = 0.2}});
  const auto filter = choose_filter(kinds.problem(200'000));
  ASSERT_TRUE(filter);
  EXPECT_LE(filter->dimension(), 48U);

  Drawn random(random_rows(rng, 300, 96), random_rows(rng, 400, 96));
  random.add_pool(all, {{.k = 3, .threshold = 2.2}});
  EXPECT_FALSE(choose_filter(random.problem(200'000)));

  // Every query is in the set.
  kinds.add_pool(all, {{.k = 1, .threshold = 2}});
  EXPECT_FALSE(choose_filter(kinds.problem(200'000)));
}

TEST(ChooseFilter, DoesNotTryWhereThereIsLittleToDo) {
  EXPECT_EQ(caos::filter_sample_size(1'000, 100), 0U);
  EXPECT_EQ(caos::filter_sample_size(0, 1'000'000), 0U);
  EXPECT_EQ(caos::filter_sample_size(30'000, 1'000), 600U);
  EXPECT_EQ(caos::filter_sample_size(1'000'000, 10'000), 1'000U);
}

TEST(QueryBits, AreRenumbered) {
  caos::QueryBits bits(2, 2);
  bits.put(0, 0, 0x80000001U);
  bits.put(1, 1, 0x2U);
  std::vector<std::uint32_t> numbers(40);
  for (std::uint32_t i = 0; i < 40; ++i) numbers[i] = 3 * i + 1;
  const caos::QueryBits result = bits.renumbered(numbers, 4);
  EXPECT_EQ(result.set(0, 0, 128), (caos::PredictionSet{1, 94}));
  EXPECT_EQ(result.set(1, 0, 128), (caos::PredictionSet{100}));
  EXPECT_EQ(caos::QueryBits(2, 0).renumbered({}, 3).count(1, 0, 96), 0U);
}

TEST(ImageBatch, KeepsTheCandidatesOfImagesOfAnySize) {
  Rng rng(4);
  std::vector<Matrix<float>> images;
  std::vector<std::vector<float>> rows;
  for (const std::size_t patches : {1U, 40U, 200U, 3U, 129U, 0U, 31U, 300U, 1U, 1U}) {
    images.push_back(random_rows(rng, patches, 5));
    for (std::size_t y = 0; y < patches; ++y) {
      const auto row = std::as_const(images.back()).row(y);
      rows.emplace_back(row.begin(), row.end());
    }
  }
  for (const std::size_t every : {1U, 3U, 50U, 1000U}) {
    std::size_t asked = 0;
    const caos::ImageBatch batch(
        0, images.size(), 5, [&](std::size_t i) { return images[i]; },
        [&](const CoarseRows& queries) {
          std::vector<std::uint32_t> which;
          for (std::uint32_t q = 0; q < queries.size(); ++q) {
            if ((asked + q) % every == 0) which.push_back(q);
          }
          asked += queries.size();
          return which;
        });
    EXPECT_EQ(asked, rows.size());
    EXPECT_EQ(batch.num_queries(), rows.size());
    EXPECT_EQ(batch.num_images(), images.size());
    ASSERT_EQ(batch.rows().size(), (rows.size() + every - 1) / every);
    ASSERT_EQ(batch.coarse().size(), batch.rows().size());
    ASSERT_EQ(batch.candidates().size(), batch.rows().size());
    for (std::size_t i = 0; i < batch.rows().size(); ++i) {
      EXPECT_EQ(batch.candidates()[i], i * every);
      EXPECT_TRUE(std::equal(rows[i * every].begin(), rows[i * every].end(), batch.rows()[i]));
      EXPECT_NEAR(batch.coarse().row(i)[0], rows[i * every][0] * 32000, 0.6);
    }
  }
}

}  // namespace
