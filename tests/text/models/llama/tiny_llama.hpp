#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "caos/text/models/llama/llama_model.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/text/models/llama/reference_forward.hpp"

namespace caos::test {

/// Tests of models that llama.cpp runs; where it is missing they say so and do nothing.
class TinyLlama : public testing::Test {
 protected:
  void SetUp() override {
    if (text::llama_version().empty()) {
      GTEST_SKIP() << "NOT TESTED: this build has no llama.cpp";
    }
  }

  /// Opens the model that shares work.
  [[nodiscard]] std::unique_ptr<text::LanguageModel> open(
      const text::Question& question, const TinyGguf& model = {},
      const text::LanguageModelOptions& options = {}) const {
    write_tiny_gguf(path(), model);
    return text::make_llama_model(path(), question, options);
  }
  /// Opens the model that evaluates every prompt by itself.
  [[nodiscard]] std::unique_ptr<text::LanguageModel> open_separate(
      const text::Question& question, const TinyGguf& model = {},
      const text::LanguageModelOptions& options = {}) const {
    write_tiny_gguf(path(), model);
    return text::make_separate_llama_model(path(), question, options);
  }
  [[nodiscard]] std::string path() const { return folder_ / "tiny.gguf"; }

  TempDir folder_;
};

inline text::Question asking(std::vector<std::string> labels) {
  return {.labels = text::LabelSpace(std::move(labels))};
}

/// A prompt of few words, for tests with many labels or contexts that are small.
inline text::Question briefly_asking(std::vector<std::string> labels) {
  return {.prompt = text::PromptTemplate::parse("{reference_text}: {reference_label}\n{text}:",
                                                "a brief template"),
          .labels = text::LabelSpace(std::move(labels))};
}

/// A value that float and double round to different short floats moves a likelihood by some parts
/// in ten thousand; nearly all others agree to a millionth.
inline bool close(const LabelLikelihood& a, const LabelLikelihood& b, double tolerance = 1e-3) {
  return a.tokens == b.tokens &&
         std::abs(a.log_likelihood - b.log_likelihood) <= tolerance * std::abs(b.log_likelihood);
}

/// Expects the likelihoods of the plain forward pass.
inline void expect_close(std::span<const LabelLikelihood> actual,
                         std::span<const LabelLikelihood> expected, const std::string& text) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t y = 0; y < actual.size(); ++y) {
    EXPECT_TRUE(close(actual[y], expected[y]))
        << "text '" << text << "', label " << y << ": " << actual[y].log_likelihood << " over "
        << actual[y].tokens << " tokens, expected " << expected[y].log_likelihood << " over "
        << expected[y].tokens;
  }
}

}  // namespace caos::test
