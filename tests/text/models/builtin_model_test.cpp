#include "caos/text/models/builtin_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace caos::text {
namespace {

std::unique_ptr<LanguageModel> model_of(std::vector<std::string> labels) {
  return make_builtin_model({.labels = LabelSpace(std::move(labels))});
}

std::vector<double> probabilities(const LanguageModel& model, const LabeledText& reference,
                                  const std::string& text) {
  const auto scored = model.score(reference, std::vector{text});
  std::vector<double> result;
  for (const LabelLikelihood& label : scored[0].labels) {
    result.push_back(std::exp(label.log_likelihood));
  }
  return result;
}

std::string any_text() {
  const auto words = rc::gen::elementOf(
      std::vector<std::string>{"refund", "Refund", "the", "where", "is", "order", "orders", "x",
                               "12", "caf\xc3\xa9", "...", "\xe6\x97\xa5\xe6\x9c\xac"});
  std::string text;
  for (const auto& word : *rc::gen::container<std::vector<std::string>>(words)) text += word + " ";
  return text;
}

RC_GTEST_PROP(BuiltinModel, GivesProbabilitiesThatAddUpToOne, ()) {
  const auto model = model_of({"refund", "order status", "x"});
  const LabeledText reference{.text = any_text(), .label = *rc::gen::inRange<Label>(0, 3)};
  const auto scored = model->score(reference, std::vector{any_text()});
  RC_ASSERT(scored.size() == 1U);
  RC_ASSERT(!scored[0].shortened);
  double sum = 0;
  for (const LabelLikelihood& label : scored[0].labels) {
    RC_ASSERT(label.log_likelihood <= 0);
    RC_ASSERT(label.tokens == 1U);
    sum += std::exp(label.log_likelihood);
  }
  RC_ASSERT(std::abs(sum - 1) < 1e-12);
}

RC_GTEST_PROP(BuiltinModel, ScoresATextTheSameInAnyCompany, ()) {
  const auto model = model_of({"refund", "order status", "x"});
  const LabeledText reference{.text = any_text(), .label = *rc::gen::inRange<Label>(0, 3)};
  const std::vector<std::string> texts{any_text(), any_text(), any_text()};
  const auto together = model->score(reference, texts);
  for (std::size_t t = 0; t < texts.size(); ++t) {
    RC_ASSERT(model->score(reference, std::vector{texts[t]})[0] == together[t]);
  }
}

RC_GTEST_PROP(BuiltinModel, NeverDoubtsAReferenceMoreThanNoReference, ()) {
  const auto model = model_of({"q", "z", "j"});
  const auto p = probabilities(*model, {any_text(), 1}, any_text());
  RC_ASSERT(p[1] >= 1.0 / 3 - 1e-12);
  RC_ASSERT(p[0] == p[2]);
  RC_ASSERT(p[0] <= p[1]);
}

TEST(BuiltinModel, SpreadsEvenlyWhereNothingIsShared) {
  const auto model = model_of({"q", "z", "j"});
  for (const std::string text : {"", "...", "dog"}) {
    for (const double p : probabilities(*model, {"cat", 0}, text)) EXPECT_NEAR(p, 1.0 / 3, 1e-12);
  }
}

TEST(BuiltinModel, TrustsAReferenceMoreTheMoreItShares) {
  const auto model = model_of({"q", "z"});
  const LabeledText reference{.text = "where is my parcel", .label = 0};
  double before = 0;
  for (const std::string text :
       {"dog", "parcels", "my parcel", "where is the parcel", "Where is my PARCEL?"}) {
    const double p = probabilities(*model, reference, text)[0];
    EXPECT_GT(p, before) << text;
    before = p;
  }
  EXPECT_NEAR(before, 31.0 / 32, 1e-12);
}

TEST(BuiltinModel, LooksForTheWordsOfLabels) {
  const auto model = model_of({"billing", "card_arrival", "top up"});
  const auto p = probabilities(*model, {"dog", 0}, "no card, when is its arrival");
  EXPECT_GT(p[1], 2 * p[0]);
  EXPECT_NEAR(p[0], p[2], 0.02);
}

TEST(BuiltinModel, GivesALabelThatIsInTheTextSixVotesToOne) {
  const auto model = model_of({"refund", "q", "z"});
  EXPECT_NEAR(probabilities(*model, {"dog", 1}, "REFUND!")[0], 6.0 / 8, 1e-12);
}

TEST(BuiltinModel, SaysWhatItIs) {
  const auto model = model_of({"a", "b"});
  EXPECT_EQ(model->description(), "builtin (lexical, no weights)");
  EXPECT_EQ(model->identity(), "builtin 1");
  EXPECT_EQ(model->cost({"a", 0}, std::vector<std::string>{"b"}).tokens, 0U);
  EXPECT_TRUE(model->score({"a", 0}, {}).empty());
}

// If these change, so has the model: then it needs another identity.
TEST(BuiltinModel, GivesTheseBitsOnEveryMachine) {
  const auto model = model_of({"refund", "delivery", "account"});
  const auto scored =
      model->score({"I want my money back", 0},
                   std::vector<std::string>{"Please give me the money back: a refund!",
                                            "account gesperrt, zu sp\xc3\xa4t"});
  EXPECT_EQ(scored[0].labels[0].log_likelihood, -0x1.7dffdcc2b9bap-4);
  EXPECT_EQ(scored[0].labels[1].log_likelihood, -0x1.8e399d78e04e5p+1);
  EXPECT_EQ(scored[1].labels[0].log_likelihood, -0x1.ea7e94dca99fep+0);
  EXPECT_EQ(scored[1].labels[1].log_likelihood, -0x1.0d7510a2dc77bp+1);
}

}  // namespace
}  // namespace caos::text
