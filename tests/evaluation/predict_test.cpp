#include "caos/predict.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "caos/error.hpp"
#include "caos/full.hpp"
#include "tests/evaluation/toy.hpp"

namespace {

using caos::Calibration;
using caos::Label;
using caos::Method;
using caos::Miscoverage;
using caos::PredictOptions;
using toy::Toy;

Calibration calibrated(const Toy& task) {
  return caos::calibrate(caos::OwnScores::of_labeled(task.labeled(), task.labels), {.k = 2});
}

caos::TestInput input_of(const Toy& task, std::size_t t) {
  return {.pools = task.test().input(t), .reverse = task.reverse().input(t)};
}

TEST(Predict, GivesTheSetsAndPValuesOfTheMethod) {
  const Toy task = toy::make(1);
  const Calibration calibration = calibrated(task);
  const PredictOptions caos_options{.alphas = {Miscoverage::parse("0.2")}};
  const PredictOptions full_options{.alphas = {Miscoverage::parse("0.2")},
                                    .method = Method::full_caos};
  for (std::size_t t = 0; t < task.num_test; ++t) {
    const caos::TestInput input = input_of(task, t);
    const auto plain = caos::predict(calibration, input, t, caos_options);
    EXPECT_EQ(plain.sets[0], calibration.predict_set(input, caos_options.alphas[0]));
    EXPECT_TRUE(std::ranges::equal(plain.p_values, calibration.predict_p(input)));
    const auto full = caos::predict(calibration, input, t, full_options);
    EXPECT_EQ(full.sets[0], caos::full::predict_set(calibration, input, full_options.alphas[0]));
    EXPECT_EQ(full.p_values, caos::full::predict_p(calibration, input, full_options.alphas[0]));
  }
}

TEST(Predict, SmoothedPValuesDecideAndNeverExceedThePlainOnes) {
  const Toy task = toy::make(2);
  const Calibration calibration = calibrated(task);
  for (const Method method : {Method::caos, Method::full_caos}) {
    PredictOptions options{.alphas = {Miscoverage::parse("0.2")}, .method = method};
    for (std::size_t t = 0; t < task.num_test; ++t) {
      options.smoothing_seed.reset();
      const auto plain = caos::predict(calibration, input_of(task, t), t, options);
      options.smoothing_seed = 9;
      const auto smoothed = caos::predict(calibration, input_of(task, t), t, options);
      EXPECT_TRUE(std::ranges::includes(plain.sets[0], smoothed.sets[0]));
      for (Label y = 0; y < task.num_labels; ++y) {
        ASSERT_EQ(plain.p_values[y].has_value(), smoothed.p_values[y].has_value());
        if (!plain.p_values[y]) continue;
        EXPECT_LE(*smoothed.p_values[y], *plain.p_values[y]);
        EXPECT_EQ(std::ranges::binary_search(smoothed.sets[0], y), *smoothed.p_values[y] > 0.2);
      }
    }
  }
}

TEST(Predict, SmoothingDependsOnSeedAndPlaceNotOnTheOrderOfCalls) {
  const Toy task = toy::make(3);
  const Calibration calibration = calibrated(task);
  PredictOptions options{.alphas = {Miscoverage::parse("0.2")}};
  options.smoothing_seed = 1;
  const auto first = caos::predict(calibration, input_of(task, 4), 4, options);
  static_cast<void>(caos::predict(calibration, input_of(task, 5), 5, options));
  EXPECT_EQ(caos::predict(calibration, input_of(task, 4), 4, options).p_values, first.p_values);
  EXPECT_NE(caos::predict(calibration, input_of(task, 4), 5, options).p_values, first.p_values);
  options.smoothing_seed = 2;
  EXPECT_NE(caos::predict(calibration, input_of(task, 4), 4, options).p_values, first.p_values);
}

TEST(Predict, GivesAtSeveralAlphasWhatItGivesAtEach) {
  const Toy task = toy::make(7);
  const Calibration calibration = calibrated(task);
  for (const Method method : {Method::caos, Method::full_caos}) {
    for (const bool smoothed : {false, true}) {
      PredictOptions several{.method = method};
      if (smoothed) several.smoothing_seed = 3;
      for (const char* text : {"0.3", "0.05", "0.2"}) {
        several.alphas.push_back(Miscoverage::parse(text));
      }
      for (std::size_t t = 0; t < task.num_test; ++t) {
        const auto together = caos::predict(calibration, input_of(task, t), t, several);
        for (std::size_t a = 0; a < several.alphas.size(); ++a) {
          PredictOptions one = several;
          one.alphas = {several.alphas[a]};
          const auto alone = caos::predict(calibration, input_of(task, t), t, one);
          EXPECT_EQ(together.sets[a], alone.sets[0]);
        }
      }
    }
  }
}

TEST(Predict, GivesThePValuesOfEveryLabelWithoutAnAlpha) {
  const Toy task = toy::make(8);
  const Calibration calibration = calibrated(task);
  PredictOptions options{.method = Method::full_caos};
  for (std::size_t t = 0; t < task.num_test; ++t) {
    const auto all = caos::predict(calibration, input_of(task, t), t, options);
    EXPECT_TRUE(all.sets.empty());
    const auto alpha = Miscoverage::parse("0.2");
    const auto some = caos::full::predict_p(calibration, input_of(task, t), alpha);
    const auto plain = calibration.predict_p(input_of(task, t));
    for (Label y = 0; y < task.num_labels; ++y) {
      ASSERT_TRUE(all.p_values[y].has_value());
      EXPECT_LE(*all.p_values[y], plain[y]);
      if (some[y]) {
        EXPECT_EQ(all.p_values[y], some[y]);
      }
    }
  }
}

TEST(Predict, RefusesMethodsWithoutACalibration) {
  const Toy task = toy::make(4);
  const PredictOptions options{.alphas = {Miscoverage::parse("0.2")}, .method = Method::scos};
  EXPECT_THROW(static_cast<void>(caos::predict(calibrated(task), input_of(task, 0), 0, options)),
               caos::Error);
}

TEST(Predict, TheSmallestFeasibleAlphaIsThatOfTheSmallestGroup) {
  const Toy task = toy::make(1);
  const auto own = caos::OwnScores::of_labeled(task.labeled(), task.labels);
  const std::size_t n = task.labels.size();
  EXPECT_EQ(caos::smallest_feasible_alpha(calibrated(task)), caos::smallest_feasible_alpha(n));
  std::vector<caos::GroupId> groups(n, 7);
  groups[0] = groups[1] = groups[2] = 4;
  const Calibration grouped = caos::calibrate(own, caos::Grouping::by_input(groups), {.k = 2});
  EXPECT_EQ(caos::smallest_feasible_alpha(grouped), 0.25);
}

TEST(Predict, RefusesInvalidScores) {
  Toy task = toy::make(6);
  const Calibration calibration = calibrated(task);
  const PredictOptions options{.alphas = {Miscoverage::parse("0.2")}, .method = Method::full_caos};
  task.reverse_scores[3] = std::nan("");
  EXPECT_THROW(static_cast<void>(caos::predict(calibration, input_of(task, 0), 0, options)),
               caos::Error);
  task.test_scores[3] = -HUGE_VAL;
  EXPECT_THROW(static_cast<void>(caos::predict(calibration, input_of(task, 0), 0, options)),
               caos::Error);
}

TEST(Predict, GuaranteesNothingOnceARankWasClipped) {
  const Toy task = toy::make(5);
  const Calibration calibration = calibrated(task);
  const auto infeasible = Miscoverage::parse("0.01");
  PredictOptions options;
  EXPECT_EQ(caos::guarantee_of(calibration, options, infeasible).text(), "marginal");
  options.rule = caos::RankRule::clip;
  EXPECT_TRUE(caos::guarantee_of(calibration, options, infeasible).text().starts_with("none ("));
  const auto feasible = Miscoverage::parse("0.1");
  EXPECT_EQ(caos::guarantee_of(calibration, options, feasible).text(), "marginal");
}

}  // namespace
