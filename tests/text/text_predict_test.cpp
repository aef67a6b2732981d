#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

#include "caos/predict.hpp"
#include "caos/text/text_model.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/text/text_models.hpp"

namespace caos {
namespace {

using test::expect_error;
using text_problem::Problem;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The first n texts of a problem are a model's; the others are new.
struct Setting {
  Problem problem;
  std::size_t n;
  TextModel model;
  std::vector<std::string> texts{};
  Matrix<Score> scores;
  Matrix<Score> reverse;  ///< of every label of every new text

  Setting(std::uint64_t seed, std::size_t num_labeled, std::size_t k, bool by_label)
      : problem(text_problem::make(seed)),
        n(num_labeled),
        model(text_models::of(problem, n, k, by_label)),
        scores(0, n),
        reverse(0, n) {
    Indices labeled;
    for (std::size_t i = 0; i < n; ++i) labeled.push_back(i);
    for (std::size_t t = n; t < problem.count; ++t) {
      texts.push_back("new text " + std::to_string(t - n));
      for (const auto& row : problem.pools(t, labeled)) scores.push_row(row);
      for (const auto& row : problem.reverse_pools(t, labeled)) reverse.push_row(row);
    }
  }

  [[nodiscard]] MatrixView<const Score> view() const { return scores.view(); }

  [[nodiscard]] TestInput input(std::size_t t) const {
    const std::size_t first = t * problem.num_labels;
    return {.pools = scores.view().rows_from(first, problem.num_labels),
            .reverse = reverse.view().rows_from(first, problem.num_labels)};
  }

  [[nodiscard]] std::span<const Score> reverse_of(const Candidate& candidate) const {
    return reverse.row(candidate.text * problem.num_labels + candidate.label);
  }
};

std::vector<Miscoverage> alphas() {
  return {Miscoverage::parse("0.3"), Miscoverage::parse("0.05"), Miscoverage::parse("0.15")};
}

RC_GTEST_PROP(PredictTexts, HasTheSetsAndPValuesOfPredict, ()) {
  const Setting setting(*rc::gen::arbitrary<std::uint32_t>(), *rc::gen::inRange<std::size_t>(6, 17),
                        *rc::gen::inRange<std::size_t>(1, 5), *rc::gen::arbitrary<bool>());
  TextPredictOptions options{.alphas = alphas()};
  options.method = *rc::gen::element(Method::caos, Method::full_caos);
  options.rule = *rc::gen::element(RankRule::every_label, RankRule::clip);
  std::vector<Candidate> asked;
  std::size_t calls = 0;
  const auto predictions = predict_texts(setting.model, setting.texts, setting.view(), options,
                                         [&](std::span<const Candidate> candidates) {
                                           ++calls;
                                           asked.assign(candidates.begin(), candidates.end());
                                           Matrix<Score> result(0, setting.n);
                                           for (const auto& candidate : candidates)
                                             result.push_row(setting.reverse_of(candidate));
                                           return result;
                                         });
  RC_ASSERT(predictions.size() == setting.texts.size());
  std::vector<Candidate> members;
  for (std::size_t t = 0; t < predictions.size(); ++t) {
    const Prediction expected =
        predict(setting.model.calibration, setting.input(t), t,
                {.alphas = options.alphas, .method = options.method, .rule = options.rule});
    RC_ASSERT(predictions[t].sets == expected.sets);
    RC_ASSERT(predictions[t].p_values == expected.p_values);
    for (const Label y :
         setting.model.calibration.predict_set(setting.input(t), options.alphas[1], options.rule)) {
      members.push_back({.text = t, .label = y});
    }
  }
  const bool full = options.method == Method::full_caos;
  RC_ASSERT(calls == (full && !members.empty() ? 1U : 0U));
  if (full) RC_ASSERT(asked == members);
}

RC_GTEST_PROP(PredictTexts, PointsAtTheSmallestScoreAndNamesWhoSupportsEachLabel, ()) {
  const Setting setting(*rc::gen::arbitrary<std::uint32_t>(), 12,
                        *rc::gen::inRange<std::size_t>(1, 5), false);
  const std::size_t k = setting.model.calibration.k();
  const auto predictions =
      predict_texts(setting.model, setting.texts, setting.view(), {.alphas = alphas()});
  for (std::size_t t = 0; t < predictions.size(); ++t) {
    Label point = 0;
    std::vector<double> sums;
    for (Label y = 0; y < setting.problem.num_labels; ++y) {
      const auto pool = setting.scores.row(t * setting.problem.num_labels + y);
      sums.push_back(oracle::minsum(oracle::Pool(pool.begin(), pool.end()), k));
      if (sums[y] < sums[point]) point = y;
      std::vector<std::size_t> order;
      for (std::size_t j = 0; j < pool.size(); ++j) order.push_back(j);
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return pool[a] < pool[b]; });
      const std::vector<SupportingReference>& references = predictions[t].supporting_references[y];
      RC_ASSERT(references.size() == k);
      for (std::size_t s = 0; s < k; ++s) {
        RC_ASSERT(references[s].example == order[s]);
        RC_ASSERT(references[s].score == pool[order[s]]);
      }
    }
    RC_ASSERT(predictions[t].point == point);
  }
}

RC_GTEST_PROP(PredictTexts, WithoutAlphasHasThePValueOfEveryLabel, ()) {
  const Setting setting(*rc::gen::arbitrary<std::uint32_t>(), 12,
                        *rc::gen::inRange<std::size_t>(1, 5), *rc::gen::arbitrary<bool>());
  const auto method = *rc::gen::element(Method::caos, Method::full_caos);
  const auto predictions =
      predict_texts(setting.model, setting.texts, setting.view(), {.method = method},
                    [&](std::span<const Candidate> candidates) {
                      Matrix<Score> result(0, setting.n);
                      for (const auto& one : candidates) result.push_row(setting.reverse_of(one));
                      return result;
                    });
  for (std::size_t t = 0; t < predictions.size(); ++t) {
    const Prediction expected =
        predict(setting.model.calibration, setting.input(t), t, {.method = method});
    RC_ASSERT(predictions[t].sets.empty());
    RC_ASSERT(predictions[t].p_values == expected.p_values);
  }
}

TEST(PredictTexts, NeedsNoTextToGiveNoPrediction) {
  const Setting setting(1, 12, 2, false);
  const Matrix<Score> none(0, 12);
  EXPECT_TRUE(predict_texts(setting.model, {}, none.view(), {.alphas = alphas()}).empty());
}

TEST(PredictTexts, OfOnlyImpossibleLabelsPointsAtTheFirst) {
  const Setting setting(1, 12, 2, false);
  const Matrix<Score> scores(4, 12, infinity);
  const std::vector<std::string> texts = {"text"};
  const auto predictions = predict_texts(setting.model, texts, std::as_const(scores).view(),
                                         {.alphas = {Miscoverage::parse("0.3")}});
  EXPECT_EQ(predictions[0].point, 0U);
  EXPECT_EQ(predictions[0].supporting_references[3][1].example, 1U);
}

TEST(PredictTexts, RefusesInvalidScoresAndNamesTextAndLabel) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), -infinity, -1e301}) {
    Setting setting(1, 12, 2, false);
    setting.scores(2 * 4 + 3, 5) = bad;
    expect_error(
        [&] {
          (void)predict_texts(setting.model, setting.texts, setting.view(), {.alphas = alphas()});
        },
        ErrorKind::bad_format, {"text 3 of 6", "'label 3'", "'id 5'", "numbers"});
  }
}

TEST(PredictTexts, RefusesWhatDoesNotFit) {
  const Setting setting(1, 12, 2, false);
  const auto expect_refusal = [&](const TextPredictOptions& options, const std::string& why) {
    expect_error(
        [&] { (void)predict_texts(setting.model, setting.texts, setting.view(), options); },
        ErrorKind::invalid_input, {why});
  };
  expect_refusal({.alphas = alphas(), .method = Method::scos},
                 "scos does not predict from a calibration");
  expect_refusal({.alphas = alphas(), .method = Method::full_caos}, "reverse scores");
  expect_error(
      [&] {
        (void)predict_texts(setting.model, std::span(setting.texts).first(2), setting.view(),
                            {.alphas = alphas()});
      },
      ErrorKind::invalid_input, {"24 x 12", "8 x 12"});
}

TEST(PredictTexts, RefusesReverseScoresOfAnotherShapeOrThatAreNone) {
  const Setting setting(1, 12, 2, false);
  const TextPredictOptions options{.alphas = alphas(), .method = Method::full_caos};
  const auto run = [&](double value, std::size_t cols) {
    (void)predict_texts(setting.model, setting.texts, setting.view(), options,
                        [&](std::span<const Candidate> candidates) {
                          return Matrix<Score>(candidates.size(), cols, value);
                        });
  };
  expect_error([&] { run(0.5, 11); }, ErrorKind::invalid_input, {"reverse scores", "x 11"});
  expect_error([&] { run(std::numeric_limits<double>::quiet_NaN(), 12); }, ErrorKind::bad_format,
               {"reverse scores", "nan", "label"});
}

TEST(PredictTexts, StatesTheGuaranteeOfItsSets) {
  const Setting plain(1, 12, 2, false);
  const Setting by_label(1, 12, 2, true);
  const auto tenth = Miscoverage::parse("0.1");
  const auto hundredth = Miscoverage::parse("0.01");
  const TextPredictOptions options{.alphas = {tenth}};
  EXPECT_EQ(guarantee_of(plain.model, options, tenth).text(), "marginal");
  EXPECT_EQ(guarantee_of(by_label.model, options, tenth).text(), "group-conditional");
  const TextPredictOptions clipping{.alphas = {tenth}, .rule = RankRule::clip};
  EXPECT_EQ(guarantee_of(plain.model, clipping, tenth).text(), "marginal");
  EXPECT_EQ(guarantee_of(plain.model, clipping, hundredth).text(),
            "none (too few examples for alpha, and the rank was clipped)");
}

TEST(PredictTexts, SaysWhatAnInfeasibleAlphaMeans) {
  const Setting plain(1, 12, 2, false);
  const Setting by_label(1, 12, 2, true);
  const auto hundredth = Miscoverage::parse("0.01");
  EXPECT_EQ(feasibility_warning(plain.model, {}, Miscoverage::parse("0.1")), std::nullopt);
  EXPECT_EQ(feasibility_warning(plain.model, {}, hundredth),
            "alpha 0.01: 99 labeled texts are needed and there are 12, which support alpha "
            "0.07692 or more; so every set is every label");
  EXPECT_EQ(feasibility_warning(by_label.model, {}, hundredth),
            "alpha 0.01: 99 labeled texts are needed of each label and there are fewer; so labels "
            "without enough texts are always included");
  EXPECT_EQ(feasibility_warning(by_label.model, {.rule = RankRule::clip}, hundredth),
            "alpha 0.01: 99 labeled texts are needed of each label and there are fewer; so the "
            "rank is clipped and nothing is guaranteed");
}

}  // namespace
}  // namespace caos
