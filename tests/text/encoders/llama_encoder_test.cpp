#include "caos/text/encoders/llama_encoder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "caos/text/models/llama/llama_model.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/text/models/llama/reference_forward.hpp"
#include "tests/text/models/llama/tiny_bert.hpp"
#include "tests/text/models/llama/tiny_gguf.hpp"

namespace caos::text {
namespace {

using test::expect_error;
using test::TempDir;
using test::TinyBert;
using test::TinyGguf;

class LlamaEncoder : public testing::Test {
 protected:
  void SetUp() override {
    if (llama_version().empty()) GTEST_SKIP() << "NOT TESTED: built without llama.cpp";
  }

  std::string written(const TinyBert& model) const {
    model.write(folder_ / "bert.gguf");
    return folder_ / "bert.gguf";
  }
  std::string written(const TinyGguf& model) const {
    test::write_tiny_gguf(folder_ / "decoder.gguf", model);
    return folder_ / "decoder.gguf";
  }

  TempDir folder_;
};

void expect_vector(std::span<const float> found, const std::vector<double>& expected,
                   double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  double squares = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], tolerance);
    squares += double{found[i]} * double{found[i]};
  }
  EXPECT_NEAR(squares, 1, 1e-6);
}

std::vector<double> direction(std::vector<double> vector) {
  const double squares = std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0);
  for (double& value : vector) value /= std::sqrt(squares);
  return vector;
}

/// llama.cpp has its activation function in a table of 16-bit numbers.
constexpr double table_error = 5e-3;

TEST_F(LlamaEncoder, RunsModelsThatLookAtATextAsAWhole) {
  const std::vector<std::string> texts = {"red dogs", "", "a cat b", "dog", "z z z cats"};
  for (const auto pooling : {TinyBert::Pooling::mean, TinyBert::Pooling::cls}) {
    const TinyBert model(pooling);
    const auto encoder = open_llama_encoder(written(model), 0);
    EXPECT_EQ(encoder->dimension(), TinyBert::width);
    const EncodedTexts encoded = encoder->embed(texts);
    for (std::size_t t = 0; t < texts.size(); ++t) {
      expect_vector(encoded.vectors.row(t), model.vector(TinyBert::tokens(texts[t])), table_error);
      EXPECT_FALSE(encoded.truncated[t]);
    }
  }
}

TEST_F(LlamaEncoder, RunsModelsThatContinueTexts) {
  const std::vector<std::string> texts = {"I lost my bank card", "", "payment é", "the the the"};
  for (const std::size_t pooling : {1U, 3U}) {
    const TinyGguf tiny{.pooling = pooling};
    const test::ReferenceForward model(tiny);
    const auto encoder = open_llama_encoder(written(tiny), 0);
    const EncodedTexts encoded = encoder->embed(texts);
    for (std::size_t t = 0; t < texts.size(); ++t) {
      const auto states = model.states(model.tokens(texts[t]));
      std::vector<double> expected = states.back();
      for (std::size_t s = 0; pooling == 1 && s + 1 < states.size(); ++s) {
        for (std::size_t d = 0; d < expected.size(); ++d) expected[d] += states[s][d];
      }
      expect_vector(encoded.vectors.row(t), direction(expected), 1e-4);
    }
  }
}

TEST_F(LlamaEncoder, GivesATextTheSameWhateverElseIsAsked) {
  const auto encoder = open_llama_encoder(written(TinyBert()), 0);
  const std::vector<std::string> texts = {"red dogs", "a cat b", "dog", "", "c d e f", "cats"};
  const EncodedTexts together = encoder->embed(texts);
  for (std::size_t t = texts.size(); t-- > 0;) {
    const EncodedTexts alone = encoder->embed(std::span(texts).subspan(t, 1));
    EXPECT_TRUE(std::ranges::equal(alone.vectors.row(0), together.vectors.row(t)));
  }
  EXPECT_EQ(encoder->embed({}).vectors.rows(), 0U);
}

TEST_F(LlamaEncoder, LeavesOutTheEndOfTextsThatAreTooLong) {
  const TinyBert model;
  const auto encoder = open_llama_encoder(written(model), 6);
  const std::vector<std::string> texts = {"a b c d", "a b c d e", "a b c d cats dog"};
  const EncodedTexts encoded = encoder->embed(texts);
  EXPECT_EQ(encoded.truncated, (std::vector<bool>{false, true, true}));
  for (std::size_t t = 0; t < texts.size(); ++t) {
    expect_vector(encoded.vectors.row(t), model.vector(TinyBert::tokens("a b c d")), table_error);
  }
}

TEST_F(LlamaEncoder, IsKnownByItsContent) {
  const auto mean = open_llama_encoder(written(TinyBert()), 0);
  const auto cls = open_llama_encoder(written(TinyBert(TinyBert::Pooling::cls)), 0);
  EXPECT_NE(mean->identity(), cls->identity());
  EXPECT_NE(mean->identity(), open_llama_encoder(written(TinyBert()), 8)->identity());
  EXPECT_EQ(mean->identity(), open_llama_encoder(written(TinyBert()), 0)->identity());
  EXPECT_EQ(mean->description(), "embed:bert.gguf, 16 dimensions, pooling mean, at most 16 tokens");
}

TEST_F(LlamaEncoder, RefusesModelsThatAreNotEmbeddingModels) {
  expect_error([&] { (void)open_llama_encoder(written(TinyGguf{}), 0); }, ErrorKind::invalid_input,
               {"decoder.gguf", "not an embedding model"});
  expect_error([&] { (void)open_llama_encoder(written(TinyBert(TinyBert::Pooling::none)), 0); },
               ErrorKind::invalid_input, {"bert.gguf", "not an embedding model"});
  expect_error([&] { (void)open_llama_encoder(folder_.write("x.gguf", "text"), 0); },
               ErrorKind::bad_format, {"x.gguf", "not a GGUF file"});
  expect_error([&] { (void)open_llama_encoder(folder_ / "missing.gguf", 0); }, ErrorKind::not_found,
               {"missing.gguf"});
  expect_error([&] { (void)open_llama_encoder(written(TinyBert()), 17); }, ErrorKind::invalid_input,
               {"context 17", "trained with 16"});
  expect_error([&] { (void)open_llama_encoder(written(TinyBert()), 2); }, ErrorKind::invalid_input,
               {"context 2", "2 tokens around"});
}

}  // namespace
}  // namespace caos::text
