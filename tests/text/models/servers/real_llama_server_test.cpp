#include "tests/text/models/servers/real_llama_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "caos/text/models/llama/llama_model.hpp"
#include "caos/text/models/servers/chat_server.hpp"
#include "caos/text/models/servers/server_model.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/support/test_folders.hpp"
#include "tests/text/models/llama/tiny_gguf.hpp"
#include "tests/text/models/servers/server_question.hpp"

// llama.cpp's own server against the same model within this program.

namespace {

using caos::test::llama_server_program;
using caos::test::quick_options;
using caos::test::RealLlamaServer;
using caos::test::server_question;
using caos::test::server_reference;
using caos::test::server_texts;
using caos::test::TempDir;
using caos::test::Texts;
using caos::text::LabeledText;
using caos::text::LabelSpace;
using caos::text::LanguageModelOptions;
using caos::text::make_chat_server;
using caos::text::make_llama_model;
using caos::text::make_server_model;
using caos::text::Question;
using caos::text::ScoredText;

class RealServer : public testing::Test {
 protected:
  void SetUp() override {
    if (caos::text::llama_version().empty()) {
      GTEST_SKIP() << "NOT TESTED: built without llama.cpp";
    }
    if (llama_server_program().empty()) {
      GTEST_SKIP() << "NOT TESTED: there is no llama-server; tools/fetch-llama-server fetches it";
    }
  }

  /// A model that others have trained, where there is one.
  static std::string story_model(const std::string& name) {
    return (caos::test::shared_folder() / "models" / name).string();
  }

  TempDir folder_;
};

void expect_close(const std::vector<ScoredText>& by_server, const std::vector<ScoredText>& here,
                  double tolerance) {
  ASSERT_EQ(by_server.size(), here.size());
  for (std::size_t t = 0; t < here.size(); ++t) {
    ASSERT_EQ(by_server[t].labels.size(), here[t].labels.size());
    EXPECT_EQ(by_server[t].shortened, here[t].shortened);
    for (caos::Label y = 0; y < here[t].labels.size(); ++y) {
      const auto& label = here[t].labels[y];
      EXPECT_EQ(by_server[t].labels[y].tokens, label.tokens);
      // Per token, which is what a score is by default.
      EXPECT_NEAR(by_server[t].labels[y].log_likelihood / label.tokens,
                  label.log_likelihood / label.tokens, tolerance)
          << "text " << t << ", label " << y;
    }
  }
}

/// How `llama:` keeps what it has seen. By default the server rounds it in another way.
const std::vector<std::string> memory_of_llama = {"--flash-attn",   "on",  "--cache-type-k", "f16",
                                                  "--cache-type-v", "bf16"};

void expect_same_scores(const std::string& model, const Question& question,
                        const LabeledText& reference, const Texts& texts) {
  const RealLlamaServer server(model, memory_of_llama);
  LanguageModelOptions options = quick_options();
  options.timeout_seconds = 60;
  const auto there = make_server_model(server.url(), question, options);
  EXPECT_THAT(there->description(), testing::HasSubstr("llama-server"));
  const auto here = make_llama_model(model, question, {});
  expect_close(there->score(reference, texts), here->score(reference, texts), 1e-3);
}

TEST_F(RealServer, GivesTheScoresOfTheSameModelHere) {
  const std::string path = folder_ / "tiny.gguf";
  caos::test::write_tiny_gguf(path);
  expect_same_scores(path, server_question(), server_reference, server_texts);
}

TEST_F(RealServer, GivesTheScoresOfATrainedModel) {
  const Question question{.prompt = server_question().prompt,
                          .labels = LabelSpace({"happy", "sad", "not happy", "about a dog"})};
  const Texts texts = {"He smiled and laughed.", "", "The boy cried because his toy was lost.",
                       "The big red dog ran to the park. \xE2\x82\xAC"};
  std::size_t found = 0;
  for (const std::string name : {"stories260K.gguf", "stories15M-q8_0.gguf"}) {
    if (!std::filesystem::exists(story_model(name))) continue;
    expect_same_scores(story_model(name), question, {"The girl went to the park.", 0}, texts);
    ++found;
  }
  if (found == 0) GTEST_SKIP() << "NOT TESTED: there are no " << story_model("stories*.gguf");
}

TEST_F(RealServer, GivesLettersInItsChat) {
  const std::string path = story_model("stories15M-q8_0.gguf");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "NOT TESTED: there is no " << path;
  const RealLlamaServer server(path);
  const Question question{.labels = LabelSpace({"happy", "sad"})};
  const auto model = make_chat_server(server.url(), question, quick_options());
  const Texts texts = {"He smiled.", "She cried."};
  const auto scored = model->score({"Tom was glad.", 0}, texts);
  for (const ScoredText& text : scored) {
    EXPECT_GT(text.tokens, 0U);
    double sum = 0;
    for (const auto& label : text.labels) {
      EXPECT_LT(label.log_likelihood, 0);
      sum += std::exp(label.log_likelihood);
    }
    EXPECT_LE(sum, 1 + 1e-5);
  }
  EXPECT_NE(scored[0].labels, scored[1].labels);
}

}  // namespace
