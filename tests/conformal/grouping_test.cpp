#include "caos/grouping.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "caos/calibration.hpp"
#include "caos/full.hpp"
#include "tests/support/problem.hpp"

namespace {

using caos::Calibration;
using caos::GroupId;
using caos::Grouping;
using caos::Label;
using problem::Instance;
using problem::Task;

std::vector<std::size_t> arbitrary_groups(std::size_t n, std::size_t num_groups) {
  return *rc::gen::container<std::vector<std::size_t>>(
      n, rc::gen::inRange<std::size_t>(0, num_groups));
}

/// Whether label y of the task conforms when only examples of group g are compared.
bool conforms(const Task& task, const std::vector<std::size_t>& groups, std::size_t g, Label y,
              std::size_t percent, bool full) {
  const oracle::Pool all = full ? oracle::full_scores(task.own, task.reverse[y], task.k)
                                : oracle::caos_scores(task.own, task.k);
  const oracle::Pool peers = oracle::of_group(all, groups, g);
  return oracle::minsum(task.pools[y], task.k) <=
         oracle::quantile(peers, oracle::rank(peers.size(), percent, 100));
}

RC_GTEST_PROP(LabelConditional, ComparesEachLabelWithExamplesOfThatLabel, ()) {
  const Task task = problem::arbitrary_task();
  const Instance instance(task);
  const std::size_t num_labels = task.pools.size();
  const std::vector<std::size_t> labels = arbitrary_groups(task.n(), num_labels);
  const std::size_t percent = problem::percent();
  const Calibration calibration =
      caos::calibrate(instance.own, Grouping::by_label(labels, num_labels), {.k = task.k});
  const auto alpha = problem::alpha(percent);
  const auto set = calibration.predict_set(instance.input(), alpha);
  const auto full_set = caos::full::predict_set(calibration, instance.input(), alpha);
  for (Label y = 0; y < num_labels; ++y) {
    RC_ASSERT(std::ranges::binary_search(set, y) == conforms(task, labels, y, y, percent, false));
    RC_ASSERT(std::ranges::binary_search(full_set, y) ==
              conforms(task, labels, y, y, percent, true));
  }
}

RC_GTEST_PROP(GroupConditional, ComparesAnInputWithExamplesOfItsGroup, ()) {
  const Task task = problem::arbitrary_task();
  const Instance instance(task);
  const std::vector<std::size_t> groups = arbitrary_groups(task.n(), 3);
  std::vector<GroupId> ids;
  for (const std::size_t g : groups) ids.push_back(static_cast<GroupId>(10 * g) - 10);
  const std::size_t percent = problem::percent();
  const Calibration calibration =
      caos::calibrate(instance.own, Grouping::by_input(ids), {.k = task.k});
  for (std::size_t g = 0; g < 3; ++g) {
    caos::TestInput input = instance.input();
    input.group = static_cast<GroupId>(10 * g) - 10;
    const auto set = calibration.predict_set(input, problem::alpha(percent));
    const auto full_set = caos::full::predict_set(calibration, input, problem::alpha(percent));
    for (Label y = 0; y < task.pools.size(); ++y) {
      RC_ASSERT(std::ranges::binary_search(set, y) == conforms(task, groups, g, y, percent, false));
      RC_ASSERT(std::ranges::binary_search(full_set, y) ==
                conforms(task, groups, g, y, percent, true));
    }
  }
}

TEST(GroupConditional, AnUnknownGroupGetsEveryLabel) {
  const oracle::Table own = {{0, 1, 2}, {1, 0, 1}, {2, 1, 0}};
  const std::vector<GroupId> ids = {5, 5, 7};
  const Calibration calibration =
      caos::calibrate(problem::own_scores(own), Grouping::by_input(ids), {.k = 1});
  const caos::Matrix<double> pools = problem::matrix({{1e9, 1e9, 1e9}, {0, 0, 0}});
  const caos::TestInput input{.pools = pools.view(), .group = 6};
  EXPECT_EQ(calibration.predict_set(input, caos::Miscoverage::parse("0.9")),
            (caos::PredictionSet{0, 1}));
  EXPECT_EQ(calibration.predict_p(input), (std::vector<double>{1, 1}));
}

// Groups of three and of one: 0.3 needs three examples, 0.6 needs one.
TEST(GroupConditional, IsFeasibleWhereEveryGroupIsLargeEnough) {
  const oracle::Table own(4, oracle::Pool(4, 1.0));
  const std::vector<GroupId> ids = {5, 5, 5, 7};
  const Calibration calibration =
      caos::calibrate(problem::own_scores(own), Grouping::by_input(ids), {.k = 1});
  const auto small = caos::Miscoverage::parse("0.3");
  const auto large = caos::Miscoverage::parse("0.6");
  EXPECT_FALSE(calibration.is_feasible(small));
  EXPECT_TRUE(calibration.is_feasible(large));
  EXPECT_TRUE(calibration.clips_rank(small, caos::RankRule::clip));
  EXPECT_FALSE(calibration.clips_rank(small, caos::RankRule::every_label));
  EXPECT_FALSE(calibration.clips_rank(large, caos::RankRule::clip));
}

TEST(Grouping, CountsGroupsInAscendingOrderOfTheirIds) {
  const std::vector<GroupId> ids = {7, -3, 7};
  const Grouping grouping = Grouping::by_input(ids);
  EXPECT_EQ(grouping.num_groups(), 2U);
  EXPECT_EQ(grouping.id(0), -3);
  EXPECT_EQ(grouping.of_example(0), 1U);
  EXPECT_EQ(grouping.of_candidate(0, 7), 1U);
  EXPECT_EQ(grouping.of_candidate(0, 8), 2U);
}

}  // namespace
