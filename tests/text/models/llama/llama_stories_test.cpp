#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "caos/text/models/llama/llama_model.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/support/test_folders.hpp"

namespace caos::text {
namespace {

Question two_labels() { return {.labels = LabelSpace({"happy", "not happy"})}; }

/// Labels that share tokens, begin one another and are of many lengths.
Question many_labels() {
  std::vector<std::string> names{"card", "card_payment"};
  for (int i = 0; names.size() < 77; ++i) {
    names.push_back(fmt::format("{}_{}", i % 3 == 0 ? "card_payment" : "the big red dog", i));
  }
  return {.labels = LabelSpace(names)};
}

const LabeledText reference{.text = "The girl went to the park.", .label = 1};
const std::vector<std::string> texts = {"He smiled.",
                                        "",
                                        "It was a sad day and the boy cried.",
                                        "\xF0\x9F\x98\x80 caf\xC3\xA9 \xE2\x82\xAC",
                                        "<s> </s> [x]",
                                        "Tom had a ball. He liked to play with the ball.",
                                        " \n\t"};

TEST(LlamaRuntime, SaysHowToGetWhatIsNotBuiltIn) {
  if (!llama_version().empty()) GTEST_SKIP() << "NOT TESTED: built with llama.cpp";
  test::expect_error([] { (void)make_llama_model("x.gguf", two_labels(), {}); }, ErrorKind::backend,
                     {"built without llama.cpp", "tools/setup"});
}

/// On a real model, where there is one.
class Stories : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = (test::shared_folder() / "models/stories15M-q8_0.gguf").string();
    if (llama_version().empty()) GTEST_SKIP() << "NOT TESTED: built without llama.cpp";
    if (!std::filesystem::exists(path_))
      GTEST_SKIP() << "NOT TESTED: there is no " << path_ << "; set CAOS_SHARED";
  }

  static void expect_close(const std::vector<ScoredText>& shared,
                           const std::vector<ScoredText>& separate) {
    ASSERT_EQ(shared.size(), separate.size());
    for (std::size_t i = 0; i < shared.size(); ++i) {
      for (std::size_t y = 0; y < shared[i].labels.size(); ++y) {
        const auto& ours = shared[i].labels[y];
        const auto& plain = separate[i].labels[y];
        EXPECT_NEAR(ours.log_likelihood, plain.log_likelihood,
                    1e-4 * std::abs(plain.log_likelihood))
            << i << ", " << y;
        EXPECT_EQ(ours.tokens, plain.tokens);
        EXPECT_LT(ours.log_likelihood, 0);
      }
    }
  }

  std::string path_;
};

TEST_F(Stories, SharedWorkGivesTheLikelihoodsOfSeparatePrompts) {
  for (const Question& question : {two_labels(), many_labels()}) {
    const auto shared = make_llama_model(path_, question, {});
    const auto separate = make_separate_llama_model(path_, question, {});
    const std::vector<std::string> some(texts.begin(),
                                        texts.begin() + (question.labels.size() == 2 ? 7 : 2));
    expect_close(shared->score(reference, some), separate->score(reference, some));
  }
}

TEST_F(Stories, ATextIsScoredAloneAsInAnyCompany) {
  for (const Question& question : {two_labels(), many_labels()}) {
    const auto model = make_llama_model(path_, question, {});
    const auto all = model->score(reference, texts);
    std::vector<std::string> reversed(texts.rbegin(), texts.rend());
    const auto backwards = model->score(reference, reversed);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      EXPECT_EQ(all[i].labels, backwards[texts.size() - 1 - i].labels) << i;
      EXPECT_EQ(all[i].labels, model->score(reference, {&texts[i], 1})[0].labels) << i;
    }
  }
}

TEST_F(Stories, ThreadsChangeNothing) {
  const auto model = make_llama_model(path_, two_labels(), {});
  const auto expected = model->score(reference, texts);
  std::vector<std::vector<ScoredText>> found(3);
  {
    std::vector<std::jthread> threads;
    for (auto& one : found) {
      threads.emplace_back([&] { one = model->score(reference, texts); });
    }
  }
  for (const auto& one : found) EXPECT_EQ(one, expected);
}

TEST_F(Stories, CostIsWhatScoringTakes) {
  const auto shared = make_llama_model(path_, many_labels(), {});
  const auto separate = make_separate_llama_model(path_, two_labels(), {});
  const auto cost = shared->cost(reference, texts);
  std::uint64_t tokens = 0;
  for (const ScoredText& text : shared->score(reference, texts)) tokens += text.tokens;
  EXPECT_EQ(cost.tokens, tokens);
  EXPECT_LT(cost.tokens * 8, cost.separate_tokens);
  const auto plain = separate->cost(reference, texts);
  EXPECT_EQ(plain.tokens, plain.separate_tokens);
}

TEST_F(Stories, LongTextsAreCutAndSaySo) {
  const auto model = make_llama_model(path_, two_labels(), {});
  std::string text;
  for (int i = 0; i < 100; ++i) text += "Once upon a time. ";
  const auto scored = model->score(reference, std::vector<std::string>{text, "short"});
  EXPECT_TRUE(scored[0].shortened);
  EXPECT_FALSE(scored[1].shortened);
  EXPECT_EQ(model->cost(reference, std::vector<std::string>{text, "short"}).shortened, 1U);
}

TEST_F(Stories, AContextWithoutRoomForTextsIsRefused) {
  test::expect_error([&] { (void)make_llama_model(path_, two_labels(), {.context = 50}); },
                     ErrorKind::invalid_input, {"context of 50", "shorter template"});
}

TEST_F(Stories, AModelWithoutAChatTemplateIsToldSo) {
  test::expect_error([&] { (void)make_llama_model(path_, two_labels(), {.chat = true}); },
                     ErrorKind::invalid_input, {"chat template"});
}

TEST_F(Stories, IdentityNamesTheContentNotThePath) {
  const auto model = make_llama_model(path_, two_labels(), {});
  EXPECT_EQ(model->identity().find("stories"), std::string::npos);
  EXPECT_NE(model->description().find("stories15M"), std::string::npos);
  const auto other = make_llama_model(path_, two_labels(), {.context = 100});
  EXPECT_NE(model->identity(), other->identity());
}

}  // namespace
}  // namespace caos::text
