#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "caos/onnx/onnx_runtime.hpp"
#include "caos/text/encoders/encoder_folder.hpp"
#include "caos/text/encoders/onnx_encoder.hpp"
#include "tests/support/test_folders.hpp"

namespace {

using caos::text::EncodedTexts;
using caos::text::encoder_files;
using caos::text::open_onnx_encoder;
using caos::text::read_encoder_folder;
using caos::text::TokenId;
using testing::ElementsAre;

/// all-MiniLM-L6-v2, which `tools/get_model minilm` fetches.
class RealEncoder : public testing::Test {
 protected:
  void SetUp() override {
    const std::string description = caos::onnx_runtime_description();
    if (description.starts_with("without")) GTEST_SKIP() << "NOT TESTED: " << description;
    if (!std::filesystem::exists(path_)) {
      GTEST_SKIP() << "NOT TESTED: no " << path_ << "; run 'tools/get_model minilm'";
    }
  }

  [[nodiscard]] std::vector<TokenId> ids(const std::string& text) const {
    std::vector<TokenId> all = read_encoder_folder(path_).tokenizer.tokenize(text, 128).ids;
    EXPECT_EQ(all.front(), 101);
    EXPECT_EQ(all.back(), 102);
    return {all.begin() + 1, all.end() - 1};
  }

  std::string path_ = caos::test::source_folder() + "/models/all-MiniLM-L6-v2";
};

// Ids are lines of BERT's vocabulary, from 0.
TEST_F(RealEncoder, TokensAreThoseOfBert) {
  EXPECT_THAT(ids("Hello, world!"), ElementsAre(7592, 1010, 2088, 999));
  EXPECT_THAT(ids("unaffable"), ElementsAre(14477, 20961, 3468));  // una ##ffa ##ble
  EXPECT_THAT(ids("Café RÉSUMÉ"), ElementsAre(7668, 13746));       // cafe resume
  EXPECT_THAT(ids("don't"), ElementsAre(2123, 1005, 1056));
  EXPECT_THAT(ids("中国"), ElementsAre(1746, 1799));
  EXPECT_THAT(ids("\U0001f600"), ElementsAre(100));  // a smiley is unknown
  EXPECT_THAT(ids("[MASK]"), ElementsAre(103));
  EXPECT_THAT(ids(""), ElementsAre());
}

TEST_F(RealEncoder, TakesTextsOf128Tokens) {
  EXPECT_EQ(read_encoder_folder(path_).most_tokens, 128U);
  const auto encoder = open_onnx_encoder(path_);
  EXPECT_EQ(encoder->dimension(), 384U);
  std::string words;
  for (int i = 0; i < 126; ++i) words += "word ";
  const std::vector<std::string> texts = {words, words + "more"};
  const EncodedTexts encoded = encoder->embed(texts);
  EXPECT_THAT(encoded.truncated, ElementsAre(false, true));
  EXPECT_TRUE(std::ranges::equal(encoded.vectors.row(0), encoded.vectors.row(1)));
}

/// The table of similarities that the model's page shows; here weights have 4 bits.
TEST_F(RealEncoder, SimilarTextsHaveSimilarVectors) {
  const std::vector<std::string> texts = {"That is a happy person", "That is a very happy person",
                                          "That is a happy dog", "Today is a sunny day"};
  const EncodedTexts encoded = open_onnx_encoder(path_)->embed(texts);
  const auto similarity = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t d = 0; d < encoded.vectors.cols(); ++d) {
      sum += double{encoded.vectors(a, d)} * double{encoded.vectors(b, d)};
    }
    return sum;
  };
  EXPECT_NEAR(similarity(0, 1), 0.943, 0.03);
  EXPECT_NEAR(similarity(0, 2), 0.695, 0.06);
  EXPECT_NEAR(similarity(0, 3), 0.257, 0.06);
}

}  // namespace
