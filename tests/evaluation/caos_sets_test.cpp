#include "caos/evaluation/caos_sets.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "caos/full.hpp"
#include "tests/support/problem.hpp"

namespace {

using caos::CaosSets;
using caos::Grouping;
using caos::Miscoverage;
using caos::RankRule;

std::vector<Miscoverage> three_alphas() {
  return {problem::alpha(problem::percent()), problem::alpha(problem::percent()),
          problem::alpha(problem::percent())};
}

RC_GTEST_PROP(CaosSets, AreTheSetsOfEachAlphaByItself, ()) {
  const problem::Task task = problem::arbitrary_task();
  const problem::Instance instance(task);
  const auto alphas = three_alphas();
  const RankRule rule = *rc::gen::element(RankRule::every_label, RankRule::clip);
  const CaosSets sets(caos::calibrate(instance.own, {.k = task.k, .threads = 1}), alphas, rule);
  const auto scores = sets.calibration().label_scores(instance.input().pools);
  const auto found = sets.caos(scores);
  const auto full = sets.full(scores, instance.input());
  for (std::size_t a = 0; a < 3; ++a) {
    RC_ASSERT(found[a] == sets.calibration().predict_set(instance.input(), alphas[a], rule));
    RC_ASSERT(full[a] ==
              caos::full::predict_set(sets.calibration(), instance.input(), alphas[a], rule));
  }
}

RC_GTEST_PROP(CaosSets, KeepGroupsApart, ()) {
  const problem::Task task = problem::arbitrary_task();
  const problem::Instance instance(task);
  std::vector<caos::GroupId> groups;
  for (std::size_t i = 0; i < task.n(); ++i) {
    groups.push_back(*rc::gen::inRange<caos::GroupId>(0, 2));
  }
  const auto alphas = three_alphas();
  const CaosSets sets(
      caos::calibrate(instance.own, Grouping::by_input(groups), {.k = task.k, .threads = 1}),
      alphas, RankRule::every_label);
  caos::TestInput input = instance.input();
  // Group 2 has no examples.
  input.group = *rc::gen::inRange<caos::GroupId>(0, 3);
  const auto scores = sets.calibration().label_scores(input.pools);
  const auto found = sets.caos(scores, input.group);
  const auto full = sets.full(scores, input);
  for (std::size_t a = 0; a < 3; ++a) {
    RC_ASSERT(found[a] == sets.calibration().predict_set(input, alphas[a]));
    RC_ASSERT(full[a] == caos::full::predict_set(sets.calibration(), input, alphas[a]));
  }
}

}  // namespace
