#include <gtest/gtest.h>

#include <algorithm>

#include "caos/error.hpp"
#include "caos/evaluate.hpp"
#include "tests/evaluation/toy.hpp"

namespace {

using caos::AvailableInputs;
using caos::Grouping;
using caos::Method;
using caos::Obstacle;
using toy::Toy;

std::vector<AvailableInputs> all_inputs() {
  std::vector<AvailableInputs> all;
  for (const bool labeled : {false, true}) {
    for (const bool reverse : {false, true}) {
      for (const bool groups : {false, true}) all.push_back({labeled, reverse, groups});
    }
  }
  return all;
}

caos::ScoreBundle bundle_of(const Toy& task, const AvailableInputs& inputs) {
  caos::ScoreBundle bundle{.own = caos::OwnScores::of_labeled(task.labeled(), task.labels),
                           .inputs = {.test = task.test()},
                           .test_labels = task.test_labels};
  if (inputs.labeled) bundle.labeled = task.labeled();
  if (inputs.reverse) bundle.inputs.reverse = task.reverse();
  return bundle;
}

caos::EvaluateOptions options_of(const Toy& task, const AvailableInputs& inputs, std::size_t k,
                                 std::vector<Method> methods) {
  return {.methods = std::move(methods),
          .alphas = {caos::Miscoverage::parse("0.2")},
          .k = k,
          .grouping = inputs.groups ? Grouping::by_label(task.labels, task.num_labels)
                                    : Grouping::none(task.n),
          .partition = caos::split::halve(task.n, caos::default_halving_seed)};
}

TEST(EvaluationMethods, AreThoseThatEvaluateDoesNotRefuse) {
  const Toy task = toy::make(1, 9);
  const auto partition = caos::split::halve(task.n, caos::default_halving_seed);
  for (const AvailableInputs& inputs : all_inputs()) {
    const caos::ScoreBundle bundle = bundle_of(task, inputs);
    for (const std::size_t k : {1U, 3U, 4U, 5U, 8U}) {
      const auto possible = caos::possible_methods(inputs, partition, k);
      for (const Method method : caos::all_methods()) {
        const auto run = [&] {
          return caos::evaluate(bundle, options_of(task, inputs, k, {method}));
        };
        if (std::ranges::find(possible.methods, method) != possible.methods.end()) {
          EXPECT_NO_THROW(static_cast<void>(run())) << caos::method_name(method) << " k " << k;
        } else {
          EXPECT_THROW(static_cast<void>(run()), caos::Error)
              << caos::method_name(method) << " k " << k;
        }
      }
    }
  }
}

TEST(EvaluationMethods, SayWhatStandsInTheWay) {
  EXPECT_EQ(caos::obstacle_to(Method::full_caos, {.labeled = true}), Obstacle::no_reverse);
  EXPECT_EQ(caos::obstacle_to(Method::scos_best, {.reverse = true}), Obstacle::no_labeled);
  EXPECT_EQ(caos::obstacle_to(Method::scos, {.groups = true}), Obstacle::no_group_form);
  EXPECT_EQ(caos::obstacle_to(Method::caos, {.groups = true}), std::nullopt);
}

TEST(EvaluationMethods, NameThoseThatKLeavesOut) {
  const auto possible = caos::possible_methods({}, caos::split::halve(9, 0), 5);
  EXPECT_EQ(possible.left_out,
            (std::vector<std::string>{
                "split-caos is left out: it has too few references for k = 5",
                "split-caos-ref is left out: it has too few references for k = 5"}));
}

}  // namespace
