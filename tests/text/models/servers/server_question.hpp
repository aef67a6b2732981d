#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

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
    Server& server, const text::LanguageModelOptions& options = quick_options()) {
  return text::make_server_model(server.local().url(), server_question(), options);
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

/// The requests after the first `opening` ones.
inline std::vector<SeenRequest> requests_since(const LocalServer& server, std::size_t opening) {
  std::vector<SeenRequest> seen = server.seen();
  seen.erase(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(opening));
  return seen;
}

}  // namespace caos::test
