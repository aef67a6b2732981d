#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "caos/text/models/servers/chat_server.hpp"
#include "caos/text/models/servers/server_model.hpp"
#include "tests/text/models/servers/model_server.hpp"

/// What the tests of models behind servers ask.
namespace caos::test {

using Texts = std::vector<std::string>;

/// Some labels share tokens, one is the beginning of another, two change how the prompt is cut.
inline text::Question server_question() {
  return {.prompt = text::PromptTemplate::parse("Text: {reference_text}\nLabel: {reference_label}\n"
                                                "Text: {text}\nLabel:",
                                                "test"),
          .labels = text::LabelSpace({"yes", "no", "not", "card", "cards", "a card", "zero é"})};
}

inline const text::LabeledText server_reference = {"I lost my bank card", 3};
inline const Texts server_texts = {"pay late", "", "z é 中 😀 \u2581 <s> \"quoted\"\n\nlabel: z",
                                   "money"};

/// One retry, and time enough on a busy machine.
inline text::LanguageModelOptions quick_options() { return {.timeout_seconds = 10, .retries = 1}; }

template <typename Server>
std::unique_ptr<text::LanguageModel> open_server(
    Server& server, const text::LanguageModelOptions& options = quick_options(),
    const text::Question& question = server_question()) {
  if constexpr (std::is_same_v<Server, ChatTestServer>) {
    return text::make_chat_server(server.local().url(), question, options);
  } else {
    return text::make_server_model(server.local().url(), question, options);
  }
}

/// Expects what the plain forward pass says of all texts.
inline void expect_scores(const ReferenceForward& model,
                          const std::vector<text::ScoredText>& scored) {
  const text::Question asked = server_question();
  ASSERT_EQ(scored.size(), server_texts.size());
  for (std::size_t t = 0; t < scored.size(); ++t) {
    const std::string prompt = asked.prompt.prompt(
        server_reference.text, asked.labels[server_reference.label], server_texts[t]);
    ASSERT_EQ(scored[t].labels.size(), asked.labels.size());
    EXPECT_FALSE(scored[t].shortened);
    EXPECT_GT(scored[t].tokens, 0U);
    for (Label y = 0; y < asked.labels.size(); ++y) {
      const Continuation expected = model.continuation(prompt, " " + asked.labels[y]);
      EXPECT_NEAR(scored[t].labels[y].log_likelihood, expected.log_likelihood(), 1e-6)
          << server_texts[t] << ", " << asked.labels[y];
      EXPECT_EQ(scored[t].labels[y].tokens, expected.log_probabilities.size());
    }
  }
}

inline void expect_scores(const CompletionsTestServer& server,
                          const std::vector<text::ScoredText>& scored) {
  expect_scores(server.model(), scored);
}
inline void expect_scores(const LlamaTestServer& server,
                          const std::vector<text::ScoredText>& scored) {
  expect_scores(server.model(), scored);
}

/// The message that a chat server gets for a text: labels with letters, then the prompt.
inline std::string chat_message(const std::string& text) {
  const text::Question asked = server_question();
  std::string message = "These are the labels:\n";
  for (Label y = 0; y < asked.labels.size(); ++y) {
    message += std::string(1, "ABCDEFG"[y]) + ": " + asked.labels[y] + "\n";
  }
  const std::string letter(1, "ABCDEFG"[server_reference.label]);
  return message + "\nAnswer with the letter of the label alone.\n\n" +
         asked.prompt.prompt(server_reference.text, letter, text);
}

/// A letter among the 20 likeliest tokens has its own log-probability; another one that of the last
/// of these, or of what all 20 leave, if that is less.
inline void expect_scores(const ChatTestServer& server,
                          const std::vector<text::ScoredText>& scored) {
  ASSERT_EQ(scored.size(), server_texts.size());
  std::size_t listed = 0;
  for (std::size_t t = 0; t < scored.size(); ++t) {
    const std::vector<double> all = server.log_probabilities(chat_message(server_texts[t]));
    std::vector<double> sorted = all;
    std::sort(sorted.begin(), sorted.end(), std::greater());
    double rest = 1;
    for (std::size_t i = 0; i < 20; ++i) rest -= std::exp(sorted[i]);
    ASSERT_EQ(scored[t].labels.size(), server_question().labels.size());
    EXPECT_FALSE(scored[t].shortened);
    EXPECT_GT(scored[t].tokens, 0U);
    for (Label y = 0; y < scored[t].labels.size(); ++y) {
      const Token letter = reference_tokens(std::string(1, "ABCDEFG"[y])).back();
      const double own = all[static_cast<std::size_t>(letter)];
      const bool is_listed = own >= sorted[19];
      listed += is_listed ? 1U : 0U;
      EXPECT_NEAR(scored[t].labels[y].log_likelihood,
                  is_listed ? own : std::min(sorted[19], std::log(rest + 1e-6)), 1e-9);
      EXPECT_EQ(scored[t].labels[y].tokens, 1U);
    }
  }
  EXPECT_GT(listed, 0U);
  EXPECT_LT(listed, scored.size() * server_question().labels.size());
}

/// The requests after the first `opening` ones.
inline std::vector<SeenRequest> requests_since(const LocalServer& server, std::size_t opening) {
  std::vector<SeenRequest> seen = server.seen();
  seen.erase(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(opening));
  return seen;
}

}  // namespace caos::test
