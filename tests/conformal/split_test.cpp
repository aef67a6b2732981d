#include "caos/split.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "caos/error.hpp"
#include "tests/support/problem.hpp"

namespace {

using caos::Grouping;
using caos::Indices;
using caos::Label;
using caos::Method;
using caos::split::Partition;
using problem::Instance;
using problem::Task;

Partition arbitrary_partition(std::size_t n) {
  return caos::split::halve(n, *rc::gen::arbitrary<std::uint64_t>());
}

/// The scores of example i's own label under `references`, itself left out.
oracle::Pool pool_of(const Task& task, std::size_t i, const Indices& references) {
  oracle::Pool pool;
  for (const std::size_t j : references) {
    if (j != i) pool.push_back(task.own[i][j]);
  }
  return pool;
}

oracle::Pool columns(const oracle::Pool& row, const Indices& references) {
  oracle::Pool pool;
  for (const std::size_t j : references) pool.push_back(row[j]);
  return pool;
}

Indices everyone(std::size_t n) {
  Indices all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = i;
  return all;
}

TEST(Halve, GivesTheReferencesTheSmallerHalf) {
  const Partition partition = caos::split::halve(7, 1);
  EXPECT_EQ(partition.references.size(), 3U);
  EXPECT_EQ(partition.calibration.size(), 4U);
}

TEST(Halve, DependsOnTheSeedAlone) {
  EXPECT_EQ(caos::split::halve(100, 4).references, caos::split::halve(100, 4).references);
  EXPECT_NE(caos::split::halve(100, 4).references, caos::split::halve(100, 5).references);
}

RC_GTEST_PROP(Halve, PutsEveryExampleOnOneSide, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 40);
  const Partition partition = arbitrary_partition(n);
  Indices both = partition.references;
  both.insert(both.end(), partition.calibration.begin(), partition.calibration.end());
  std::ranges::sort(both);
  RC_ASSERT(both == everyone(n));
}

TEST(WithReferences, SortsThemAndRefusesWhatMakesNoSense) {
  const auto with = [](std::vector<std::int64_t> indices) {
    return caos::split::with_references(4, indices);
  };
  EXPECT_EQ(with({3, 0}).references, (Indices{0, 3}));
  EXPECT_EQ(with({3, 0}).calibration, (Indices{1, 2}));
  EXPECT_THROW(with({}), caos::Error);
  EXPECT_THROW(with({0, 1, 2, 3}), caos::Error);
  EXPECT_THROW(with({4}), caos::Error);
  EXPECT_THROW(with({-1}), caos::Error);
  EXPECT_THROW(with({1, 1}), caos::Error);
}

RC_GTEST_PROP(SplitCaos, VariantsUseTheExamplesTheirNamesSay, ()) {
  const Task task = problem::arbitrary_task(4);
  const Instance instance(task);
  const Partition partition = arbitrary_partition(task.n());
  const Indices all = everyone(task.n());
  struct Case {
    Method method;
    Indices calibration;
    Indices references;
  };
  const auto which = *rc::gen::inRange(0, 3);
  const Case c = which == 0 ? Case{Method::split_caos, partition.calibration, partition.references}
                 : which == 1 ? Case{Method::split_caos_cal, partition.calibration, all}
                              : Case{Method::split_caos_ref, all, partition.references};
  const std::size_t most = c.references.size() - (c.method == Method::split_caos ? 0 : 1);
  const auto k = *rc::gen::inRange<std::size_t>(1, most + 1);
  const auto split =
      caos::split::calibrate_split(instance.own, Grouping::none(task.n()), partition, c.method, k);
  oracle::Pool expected;
  for (const std::size_t i : c.calibration) {
    expected.push_back(oracle::minsum(pool_of(task, i, c.references), k));
  }
  RC_ASSERT(std::ranges::equal(split.calibration.scores(), expected));
  const auto scores = split.label_scores(instance.input().pools);
  for (Label y = 0; y < task.pools.size(); ++y) {
    RC_ASSERT(scores[y] == oracle::minsum(columns(task.pools[y], c.references), k));
  }
}

TEST(SplitCaos, RefusesKBeyondItsReferences) {
  const oracle::Table own(6, oracle::Pool(6, 1.0));
  const caos::OwnScores scores = problem::own_scores(own);
  const Partition partition = caos::split::halve(6, 0);  // 3 references
  const auto calibrate = [&](Method method, std::size_t k) {
    return caos::split::calibrate_split(scores, Grouping::none(6), partition, method, k);
  };
  EXPECT_NO_THROW(calibrate(Method::split_caos, 3));
  EXPECT_THROW(calibrate(Method::split_caos, 4), caos::Error);
  EXPECT_NO_THROW(calibrate(Method::split_caos_cal, 5));
  EXPECT_THROW(calibrate(Method::split_caos_cal, 6), caos::Error);
  EXPECT_NO_THROW(calibrate(Method::split_caos_ref, 2));
  EXPECT_THROW(calibrate(Method::split_caos_ref, 3), caos::Error);
}

TEST(SplitCaos, RefusesPartitionsAndGroupsOfOtherExamples) {
  const caos::OwnScores scores = problem::own_scores(oracle::Table(6, oracle::Pool(6, 1.0)));
  const Partition good = caos::split::halve(6, 0);
  const auto calibrate = [&](const Partition& partition, std::size_t grouped) {
    return caos::split::calibrate_split(scores, Grouping::none(grouped), partition,
                                        Method::split_caos, 1);
  };
  EXPECT_NO_THROW(calibrate(good, 6));
  EXPECT_THROW(calibrate(good, 5), caos::Error);
  EXPECT_THROW(calibrate({}, 6), caos::Error);
  EXPECT_THROW(calibrate({.references = {0, 1, 6}, .calibration = {2, 3, 4}}, 6), caos::Error);
  EXPECT_THROW(caos::split::scos_thresholds(scores, {}, caos::Miscoverage::parse("0.5")),
               caos::Error);
}

RC_GTEST_PROP(Scos, SetsAreThoseOfAlgorithmTwoForEachReference, ()) {
  const Task task = problem::arbitrary_task();
  const Instance instance(task);
  const Partition partition = arbitrary_partition(task.n());
  const std::size_t percent = problem::percent();
  const auto truth = *rc::gen::inRange<Label>(0, task.pools.size());
  const auto thresholds =
      caos::split::scos_thresholds(instance.own, partition, problem::alpha(percent));
  const auto tally =
      caos::split::tally_scos(instance.input().pools, truth, partition.references, thresholds);
  for (std::size_t r = 0; r < partition.references.size(); ++r) {
    const std::size_t j = partition.references[r];
    oracle::Pool calibration;
    for (const std::size_t i : partition.calibration) calibration.push_back(task.own[i][j]);
    const double q = oracle::quantile(calibration, oracle::rank(calibration.size(), percent, 100));
    RC_ASSERT(thresholds[r] == q);
    std::size_t size = 0;
    for (const oracle::Pool& row : task.pools) size += row[j] <= q ? 1U : 0U;
    RC_ASSERT(tally.sizes[r] == size);
    RC_ASSERT((tally.covers[r] != 0) == (task.pools[truth][j] <= q));
  }
}

// Two references, two calibration examples, three labels. Reference 0 admits scores <= 1, reference
// 1 admits scores <= 2: on the calibration examples 3 labels against 4.
TEST(ScosBest, PicksTheReferenceWithTheSmallestSetsOnCalibrationExamples) {
  const std::vector<double> scores = {
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  // example 0, a reference: never looked at
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  // example 1, a reference
      1, 2, 0, 0, 5, 9, 0, 0, 1, 1, 0, 0,  // example 2: labels with scores (1,2), (5,9), (1,1)
      1, 2, 0, 0, 2, 2, 0, 0, 7, 3, 0, 0,  // example 3: (1,2), (2,2), (7,3)
  };
  const caos::ScoreTensor labeled{.rows = caos::MatrixView<const double>(scores.data(), 12, 4),
                                  .num_labels = 3};
  const Partition partition{.references = {0, 1}, .calibration = {2, 3}};
  EXPECT_EQ(caos::split::best_reference(labeled, partition, std::vector<double>{1, 2}), 0U);
  EXPECT_EQ(caos::split::best_reference(labeled, partition, std::vector<double>{9, 2}), 1U);
  // On ties the first: both admit everything.
  EXPECT_EQ(caos::split::best_reference(labeled, partition, std::vector<double>{9, 9}), 0U);
}

TEST(ScosOracle, PicksTheSmallestSetThatContainsTheTruth) {
  EXPECT_EQ(caos::split::oracle_reference({.sizes = {1, 4, 2, 2}, .covers = {0, 1, 1, 1}}), 2U);
}

TEST(ScosOracle, PicksTheSmallestSetWhenNoneContainsTheTruth) {
  EXPECT_EQ(caos::split::oracle_reference({.sizes = {3, 1, 1}, .covers = {0, 0, 0}}), 1U);
}

}  // namespace
