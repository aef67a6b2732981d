#include "caos/scorers/log_likelihood.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/expect_error.hpp"

namespace {

using caos::LabelLikelihood;
using caos::Normalization;
using caos::normalization_name;
using caos::parse_normalization;
using caos::Score;

constexpr double impossible = std::numeric_limits<double>::infinity();
constexpr Normalization all[] = {Normalization::average, Normalization::sum,
                                 Normalization::per_byte, Normalization::pmi,
                                 Normalization::softmax};

/// Labels of one to three bytes whose likelihoods have many ties.
struct Labels {
  std::vector<std::string> names{};
  std::vector<LabelLikelihood> likelihoods{};
  std::vector<LabelLikelihood> no_text{};

  [[nodiscard]] double average(std::size_t y) const {
    return -likelihoods[y].log_likelihood / likelihoods[y].tokens;
  }
  [[nodiscard]] std::vector<Score> scores(Normalization normalization) const {
    std::vector<Score> result(names.size());
    nonconformity(normalization, names, likelihoods, no_text, result);
    return result;
  }
};

LabelLikelihood any_likelihood() {
  return {.log_likelihood = -0.5 * *rc::gen::inRange(0, 9),
          .tokens = *rc::gen::inRange<std::uint32_t>(1, 4)};
}

Labels any_labels() {
  Labels labels;
  for (int left = *rc::gen::inRange(1, 8); left > 0; --left) {
    labels.names.emplace_back(*rc::gen::inRange<std::size_t>(1, 4), 'x');
    labels.likelihoods.push_back(any_likelihood());
    labels.no_text.push_back(any_likelihood());
  }
  return labels;
}

RC_GTEST_PROP(LogLikelihood, BecomesScoresByTheFormulas, ()) {
  const Labels labels = any_labels();
  const auto average = labels.scores(Normalization::average);
  const auto sum = labels.scores(Normalization::sum);
  const auto per_byte = labels.scores(Normalization::per_byte);
  const auto pmi = labels.scores(Normalization::pmi);
  for (std::size_t y = 0; y < labels.names.size(); ++y) {
    const double log_likelihood = labels.likelihoods[y].log_likelihood;
    RC_ASSERT(average[y] == labels.average(y));
    RC_ASSERT(sum[y] == -log_likelihood);
    RC_ASSERT(per_byte[y] == -log_likelihood / static_cast<double>(labels.names[y].size()));
    RC_ASSERT(pmi[y] == labels.no_text[y].log_likelihood - log_likelihood);
  }
}

RC_GTEST_PROP(LogLikelihood, BecomesTheSoftmaxOfTheAverages, ()) {
  const Labels labels = any_labels();
  double sum = 0;
  for (std::size_t y = 0; y < labels.names.size(); ++y) sum += std::exp(-labels.average(y));
  const auto scores = labels.scores(Normalization::softmax);
  for (std::size_t y = 0; y < scores.size(); ++y) {
    const double expected = labels.average(y) + std::log(sum);
    RC_ASSERT(std::abs(scores[y] - expected) <= 1e-12 * (1 + expected));
  }
}

TEST(LogLikelihood, OfALabelThatIsImpossibleScoresInfinity) {
  const Labels labels{.names = {"a", "b"},
                      .likelihoods = {{-impossible, 2}, {-1, 1}},
                      .no_text = {{-impossible, 2}, {-1, 1}}};
  for (const Normalization normalization : all) {
    const auto scores = labels.scores(normalization);
    EXPECT_EQ(scores[0], impossible) << normalization_name(normalization);
    EXPECT_TRUE(std::isfinite(scores[1])) << normalization_name(normalization);
  }
}

TEST(LogLikelihood, ScoresInfinityThroughoutWhereNoLabelIsPossible) {
  const Labels labels{.names = {"a", "b"},
                      .likelihoods = {{-impossible, 2}, {-impossible, 1}},
                      .no_text = {{-1, 2}, {-1, 1}}};
  for (const Normalization normalization : all) {
    for (const Score score : labels.scores(normalization)) EXPECT_EQ(score, impossible);
  }
}

TEST(LogLikelihood, ThatOnlyTheTextMakesPossibleIsTakenAsItIs) {
  const Labels labels{.names = {"a", "b"},
                      .likelihoods = {{-3, 2}, {-3, 2}},
                      .no_text = {{-impossible, 2}, {-1, 1}}};
  const auto scores = labels.scores(Normalization::pmi);
  EXPECT_EQ(scores[0], 3);
  EXPECT_EQ(scores[1], 2);
}

RC_GTEST_PROP(LogLikelihood, SoftmaxIgnoresWhatAllLabelsShare, ()) {
  Labels labels = any_labels();
  for (auto& likelihood : labels.likelihoods) likelihood.tokens = 1;
  const auto before = labels.scores(Normalization::softmax);
  const double shift = -0.5 * *rc::gen::inRange(0, 9);
  for (auto& likelihood : labels.likelihoods) likelihood.log_likelihood += shift;
  // Multiples of a half are exact, so the bits are too.
  RC_ASSERT(labels.scores(Normalization::softmax) == before);
}

RC_GTEST_PROP(LogLikelihood, GivesEqualLabelsEqualScores, ()) {
  Labels labels = any_labels();
  labels.names.push_back(labels.names[0]);
  labels.likelihoods.push_back(labels.likelihoods[0]);
  labels.no_text.push_back(labels.no_text[0]);
  for (const Normalization normalization : all) {
    const auto scores = labels.scores(normalization);
    RC_ASSERT(scores.front() == scores.back());
  }
}

TEST(LogLikelihood, HasNormalizationsThatAreReadAsTheyAreWritten) {
  for (const Normalization normalization : all) {
    EXPECT_EQ(parse_normalization(std::string(normalization_name(normalization))), normalization);
  }
  caos::test::expect_error([] { (void)parse_normalization("mean"); },
                           caos::ErrorKind::invalid_input, {"mean", "average", "per-byte"});
}

}  // namespace
