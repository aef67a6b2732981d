#include "caos/one_shot_predictors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "caos/full.hpp"
#include "caos/rng.hpp"
#include "tests/support/expect_error.hpp"

namespace {

using caos::ErrorKind;
using caos::Label;
using caos::Method;
using caos::Miscoverage;
using caos::Reference;
using caos::Score;
using caos::test::expect_error;

constexpr std::size_t num_labels = 4;

using Predictors = caos::OneShotPredictors<int>;

/// Few values, so that ties abound; not symmetric in reference and input.
std::vector<Score> score(const Reference<int>& reference, const int& x) {
  std::vector<Score> scores;
  for (Label y = 0; y < num_labels; ++y) {
    const int shift = static_cast<int>(y) - static_cast<int>(reference.y);
    scores.push_back((x - 2 * reference.x + shift * shift) % 5);
  }
  return scores;
}

std::vector<Reference<int>> examples_of(std::uint64_t seed, std::size_t n = 12) {
  caos::Rng rng(seed);
  std::vector<Reference<int>> examples;
  for (std::size_t i = 0; i < n; ++i) {
    examples.push_back({static_cast<int>(rng.below(30)), rng.below(num_labels)});
  }
  return examples;
}

TEST(OneShotPredictors, CalibrateTheScoresOfOwnLabels) {
  const auto examples = examples_of(1);
  const Predictors predictors(score, examples, num_labels, {.k = 2});
  for (std::size_t i = 0; i < examples.size(); ++i) {
    for (std::size_t j = 0; j < examples.size(); ++j) {
      if (i == j) continue;
      EXPECT_EQ(predictors.own_scores()(i, j), score(examples[j], examples[i].x)[examples[i].y]);
    }
  }
  EXPECT_EQ(predictors.calibration().k(), 2U);
  EXPECT_EQ(predictors.size(), examples.size());
}

TEST(OneShotPredictors, PredictAsTheirScoresDo) {
  const Predictors predictors(score, examples_of(2), num_labels);
  const auto alpha = Miscoverage::parse("0.2");
  const std::vector<int> inputs = {0, 3, 7, 11, 29};
  const caos::Matrix<Score> scores = predictors.scores(inputs);
  const caos::ScoreTensor tensor{.rows = scores.view(), .num_labels = num_labels};
  for (std::size_t t = 0; t < inputs.size(); ++t) {
    EXPECT_EQ(predictors.predict_set(inputs[t], alpha),
              predictors.calibration().predict_set({.pools = tensor.input(t)}, alpha));
  }
}

TEST(OneShotPredictors, GiveFullCaosTheScoresUnderTheCandidate) {
  const auto examples = examples_of(3);
  const Predictors predictors(score, examples, num_labels, {.k = 1});
  const auto alpha = Miscoverage::parse("0.3");
  for (const int x : {1, 8, 17}) {
    const caos::Matrix<Score> pools = predictors.scores(std::vector<int>{x});
    caos::Matrix<Score> reverse(num_labels, examples.size());
    for (Label y = 0; y < num_labels; ++y) {
      for (std::size_t i = 0; i < examples.size(); ++i) {
        reverse(y, i) = score({x, y}, examples[i].x)[examples[i].y];
      }
    }
    EXPECT_EQ(predictors.predict(x, {.alphas = {alpha}, .method = Method::full_caos}).sets[0],
              caos::full::predict_set(predictors.calibration(),
                                      {.pools = pools.view(), .reverse = reverse.view()}, alpha));
  }
}

TEST(OneShotPredictors, RefuseWhatCannotBeCalibratedBeforeTheFirstScore) {
  const auto unused = [](const Reference<int>&, const int&) -> std::vector<Score> {
    ADD_FAILURE() << "called";
    return {};
  };
  expect_error([&] { Predictors(unused, examples_of(1, 3), num_labels); }, ErrorKind::invalid_input,
               {"k"});
  expect_error(
      [&] {
        Predictors(unused, {{1, 0}, {2, 4}, {3, 1}}, num_labels, {.k = 1});
      },
      ErrorKind::bad_format, {"examples"});
}

TEST(OneShotPredictors, RefuseScoresThatAreMissingOrInvalid) {
  const auto too_few = [](const Reference<int>&, const int&) { return std::vector<Score>{1, 2}; };
  expect_error([&] { Predictors(too_few, examples_of(1), num_labels); }, ErrorKind::invalid_input,
               {"2 scores for 4 labels"});
  const auto invalid_for_new = [](const Reference<int>& reference, const int& x) {
    std::vector<Score> scores = score(reference, x);
    if (x == 99) scores[1] = std::numeric_limits<Score>::quiet_NaN();
    return scores;
  };
  const Predictors predictors(invalid_for_new, examples_of(1), num_labels);
  expect_error([&] { static_cast<void>(predictors.predict_set(99, Miscoverage::parse("0.1"))); },
               ErrorKind::bad_format, {"nan"});
}

}  // namespace
