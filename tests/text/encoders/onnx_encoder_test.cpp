#include "caos/text/encoders/onnx_encoder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "caos/onnx/onnx_runtime.hpp"
#include "caos/text/encoders/encoder_folder.hpp"
#include "caos/text/encoders/text_encoders.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/text/encoders/tiny_encoder.hpp"

namespace {

using caos::ErrorKind;
using caos::test::expect_error;
using caos::test::TempDir;
using caos::test::TinyEncoder;
using caos::text::EncodedTexts;
using caos::text::encoder_files;
using caos::text::open_onnx_encoder;
using caos::text::Pooling;
using caos::text::read_encoder_folder;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

/// Tokens with vectors of two values: a is (3, 0), b is (0, 4), [CLS] (1, 0), [SEP] (0, 0).
TinyEncoder plain() {
  return {.vocabulary = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b", "##b"},
          .rows = {{9, 9}, {0, -1}, {1, 0}, {0, 0}, {3, 0}, {0, 4}, {0, 2}},
          .dimension = 2};
}

class OnnxEncoder : public testing::Test {
 protected:
  void SetUp() override {
    const std::string description = caos::onnx_runtime_description();
    if (description.starts_with("without")) GTEST_SKIP() << "NOT TESTED: " << description;
  }

  [[nodiscard]] std::string write(const TinyEncoder& encoder) const {
    encoder.write(folder_ / "tiny");
    return folder_ / "tiny";
  }

  void put(const std::string& name, const std::string& content) const {
    const std::filesystem::path path = folder_ / ("tiny/" + name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << content;
  }

  TempDir folder_;
};

TEST_F(OnnxEncoder, GivesTheDirectionOfTheMeanOfTokens) {
  const auto encoder = open_onnx_encoder(write(plain()));
  EXPECT_EQ(encoder->dimension(), 2U);
  const std::vector<std::string> texts = {"a b", "b", "ab", ""};
  const EncodedTexts encoded = encoder->embed(texts);
  // [CLS] a b [SEP]: (4, 4); [CLS] b [SEP]: (1, 4); a ##b: (4, 2); nothing: (1, 0).
  const float half = std::sqrt(0.5F);
  EXPECT_THAT(encoded.vectors.row(0), ElementsAre(half, half));
  EXPECT_THAT(encoded.vectors.row(1), ElementsAre(static_cast<float>(1 / std::sqrt(17.0)),
                                                  static_cast<float>(4 / std::sqrt(17.0))));
  EXPECT_THAT(encoded.vectors.row(2), ElementsAre(static_cast<float>(4 / std::sqrt(20.0)),
                                                  static_cast<float>(2 / std::sqrt(20.0))));
  EXPECT_THAT(encoded.vectors.row(3), ElementsAre(1, 0));
  EXPECT_THAT(encoded.truncated, ElementsAre(false, false, false, false));
}

TEST_F(OnnxEncoder, OrThatOfTheFirstTokenIfItsConfigurationSaysSo) {
  const std::string path = write(plain());
  put("1_Pooling/config.json",
      R"({"word_embedding_dimension": 2, "pooling_mode_cls_token": true,
          "pooling_mode_mean_tokens": false})");
  const auto encoder = open_onnx_encoder(path);
  const std::vector<std::string> texts = {"b b b"};
  EXPECT_THAT(encoder->embed(texts).vectors.row(0), ElementsAre(1, 0));
  EXPECT_THAT(encoder->identity(), HasSubstr("pooling=first-token"));
}

TEST_F(OnnxEncoder, OrWhatTheModelHasPooledItself) {
  TinyEncoder pooled = plain();
  pooled.output = "sentence_embedding";
  const auto encoder = open_onnx_encoder(write(pooled));
  const std::vector<std::string> texts = {"a b"};
  const float half = std::sqrt(0.5F);
  EXPECT_THAT(encoder->embed(texts).vectors.row(0),
              ElementsAre(testing::FloatEq(half), testing::FloatEq(half)));
}

TEST_F(OnnxEncoder, CompanyAndThreadsChangeNothing) {
  const auto encoder = open_onnx_encoder(write(TinyEncoder{}));
  std::vector<std::string> texts;
  for (int i = 0; i < 30; ++i)
    texts.push_back("text " + std::string(static_cast<std::size_t>(i), 'x') + "y");
  const EncodedTexts together = encoder->embed(texts);
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const EncodedTexts alone = encoder->embed(std::span(texts).subspan(t, 1));
    EXPECT_TRUE(std::ranges::equal(alone.vectors.row(0), together.vectors.row(t)));
  }
}

TEST_F(OnnxEncoder, CountsWhatItTruncates) {
  TinyEncoder shortest = plain();
  shortest.most_tokens = 4;
  const auto encoder = open_onnx_encoder(write(shortest));
  const std::vector<std::string> texts = {"a b", "a b b"};
  const EncodedTexts encoded = encoder->embed(texts);
  EXPECT_THAT(encoded.truncated, ElementsAre(false, true));
  EXPECT_TRUE(std::ranges::equal(encoded.vectors.row(0), encoded.vectors.row(1)));
}

TEST_F(OnnxEncoder, IdentityIsThatOfContentsAndSettings) {
  const std::string path = write(plain());
  const std::string identity = open_onnx_encoder(path)->identity();
  EXPECT_EQ(open_onnx_encoder(path + "/onnx/model.onnx")->identity(), identity);
  std::filesystem::copy(path, folder_ / "elsewhere", std::filesystem::copy_options::recursive);
  EXPECT_EQ(open_onnx_encoder(folder_ / "elsewhere")->identity(), identity);
  put("sentence_bert_config.json", R"({"max_seq_length": 20})");
  EXPECT_NE(open_onnx_encoder(path)->identity(), identity);
}

TEST_F(OnnxEncoder, AVectorOfZerosIsAnError) {
  TinyEncoder zeros = plain();
  zeros.rows = {{1, 1}, {0, -1}, {0, 0}, {0, 0}, {3, 0}, {-3, 0}, {0, 2}};
  const auto encoder = open_onnx_encoder(write(zeros));
  const std::vector<std::string> texts = {"a b"};
  expect_error([&] { (void)encoder->embed(texts); }, ErrorKind::bad_format,
               {"model.onnx", "a vector of zeros"});
}

TEST_F(OnnxEncoder, AVectorThatIsNotFiniteIsAnError) {
  TinyEncoder infinite = plain();
  infinite.rows[4] = {INFINITY, 0};
  const auto encoder = open_onnx_encoder(write(infinite));
  const std::vector<std::string> texts = {"a"};
  expect_error([&] { (void)encoder->embed(texts); }, ErrorKind::bad_format,
               {"model.onnx", "not finite"});
}

TEST_F(OnnxEncoder, OtherModelsAreRefused) {
  TinyEncoder more = plain();
  more.inputs.emplace_back("pixel_values");
  expect_error([&] { (void)open_onnx_encoder(write(more)); }, ErrorKind::bad_format,
               {"model.onnx", "has an input pixel_values that caos cannot give"});
  TinyEncoder narrow = plain();
  narrow.input_type = 6;  // int32
  expect_error([&] { (void)open_onnx_encoder(write(narrow)); }, ErrorKind::bad_format,
               {"model.onnx", "of int64"});
  TinyEncoder other = plain();
  other.output = "logits";
  expect_error([&] { (void)open_onnx_encoder(write(other)); }, ErrorKind::bad_format,
               {"model.onnx", "has no output last_hidden_state"});
}

TEST(EncoderFolder, FindsTheModel) {
  const TempDir folder;
  expect_error([&] { (void)read_encoder_folder(folder / "none"); }, ErrorKind::not_found,
               {"none: is not a folder", "tools/get_model minilm"});
  expect_error([&] { (void)read_encoder_folder(folder / "none.onnx"); }, ErrorKind::not_found,
               {"none.onnx: no such file"});
  TinyEncoder{}.write(folder / "tiny");
  const std::filesystem::path tiny = folder / "tiny";
  EXPECT_EQ(read_encoder_folder(tiny.string()).name, "tiny");
  EXPECT_EQ(read_encoder_folder(tiny.string() + "/").name, "tiny");
  EXPECT_THAT(read_encoder_folder(tiny.string()).model, EndsWith("onnx/model.onnx"));
  std::filesystem::rename(tiny / "onnx/model.onnx", tiny / "onnx/model_q4.onnx");
  EXPECT_THAT(read_encoder_folder(tiny.string()).model, EndsWith("onnx/model_q4.onnx"));
  std::filesystem::copy(tiny / "onnx/model_q4.onnx", tiny / "onnx/model_q8.onnx");
  expect_error([&] { (void)read_encoder_folder(tiny.string()); }, ErrorKind::invalid_input,
               {"has 2 models; name one: encoder:", "model_q4.onnx"});
  EXPECT_THAT(read_encoder_folder((tiny / "onnx/model_q8.onnx").string()).model,
              EndsWith("onnx/model_q8.onnx"));
  std::filesystem::remove_all(tiny / "onnx");
  expect_error([&] { (void)read_encoder_folder(tiny.string()); }, ErrorKind::not_found,
               {"has no .onnx file"});
  TinyEncoder{}.write(tiny);
  std::filesystem::remove(tiny / "tokenizer.json");
  expect_error([&] { (void)read_encoder_folder(tiny.string()); }, ErrorKind::not_found,
               {"tokenizer.json: no such file"});
}

TEST(EncoderFolder, WeightsBesideTheModelBelongToIt) {
  const TempDir folder;
  TinyEncoder{}.write(folder / "tiny");
  const std::string tiny = folder / "tiny";
  std::ofstream(tiny + "/onnx/model.onnx_data") << "weights";
  std::ofstream(tiny + "/onnx/other.bin") << "something else";
  EXPECT_THAT(encoder_files(tiny), ElementsAre(EndsWith("model.onnx"), EndsWith("model.onnx_data"),
                                               EndsWith("tokenizer.json")));
}

/// A folder with some configuration.
class EncoderConfiguration : public testing::Test {
 protected:
  EncoderConfiguration() { TinyEncoder{}.write(folder_ / "tiny"); }

  [[nodiscard]] caos::text::EncoderFolder with(const std::string& name,
                                               const std::string& content) const {
    const std::filesystem::path path = folder_ / ("tiny/" + name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << content;
    return read_encoder_folder(folder_ / "tiny");
  }

  void put_pooling(const std::string& name) const {
    const std::filesystem::path path = folder_ / ("tiny/" + name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << R"({"pooling_mode_cls_token": true})";
  }

  TempDir folder_;
};

TEST_F(EncoderConfiguration, LimitsTexts) {
  EXPECT_EQ(read_encoder_folder(folder_ / "tiny").most_tokens, 64U);  // tokenizer.json's
  EXPECT_EQ(with("sentence_bert_config.json", R"({"max_seq_length": 256})").most_tokens, 256U);
  EXPECT_EQ(with("config.json", R"({"max_position_embeddings": 130})").most_tokens, 130U);
  expect_error([&] { (void)with("config.json", R"({"max_position_embeddings": "many"})"); },
               ErrorKind::bad_format, {"config.json", "'max_position_embeddings'"});
}

TEST_F(EncoderConfiguration, NamesItsModules) {
  const auto module = [](const char* type, const char* path) {
    return std::string(R"({"type": "sentence_transformers.models.)") + type + R"(", "path": ")" +
           path + "\"}";
  };
  put_pooling("2_Pooling/config.json");
  EXPECT_EQ(
      with("modules.json", "[" + module("Transformer", "") + "," + module("Pooling", "2_Pooling") +
                               "," + module("Normalize", "3_Normalize") + "]")
          .pooling,
      Pooling::first_token);
  expect_error([&] { (void)with("modules.json", "[" + module("Dense", "2_Dense") + "]"); },
               ErrorKind::bad_format, {"modules.json", "Dense'", "which caos does not run"});
}

TEST_F(EncoderConfiguration, PoolsInOneOfTwoWays) {
  const auto pooling = [&](const std::string& modes) {
    return with("1_Pooling/config.json", "{" + modes + "}").pooling;
  };
  EXPECT_EQ(read_encoder_folder(folder_ / "tiny").pooling, Pooling::mean);  // by default
  EXPECT_EQ(pooling(R"("pooling_mode_cls_token": true)"), Pooling::first_token);
  EXPECT_EQ(pooling(R"("pooling_mode_mean_tokens": true)"), Pooling::mean);
  EXPECT_EQ(pooling(R"("pooling_mode_mean_sqrt_len_tokens": true)"), Pooling::mean);
  for (const char* other :
       {R"("pooling_mode_max_tokens": true)", R"("pooling_mode_cls_token": false)",
        R"("pooling_mode_mean_tokens": true, "pooling_mode_max_tokens": true)"}) {
    expect_error([&] { (void)pooling(other); }, ErrorKind::bad_format,
                 {"config.json", "caos runs one of"});
  }
}

TEST_F(EncoderConfiguration, MayPrecedeEveryTextByAPrompt) {
  EXPECT_EQ(with("config_sentence_transformers.json",
                 R"({"prompts": {"query": "query: "}, "default_prompt_name": "query"})")
                .prompt,
            "query: ");
  EXPECT_EQ(with("config_sentence_transformers.json",
                 R"({"prompts": {"query": "query: "}, "default_prompt_name": null})")
                .prompt,
            "");
  expect_error(
      [&] {
        (void)with("config_sentence_transformers.json", R"({"default_prompt_name": "query"})");
      },
      ErrorKind::bad_format, {"'default_prompt_name' names no prompt"});
}

TEST(TextEncoders, AreNamedBySchemes) {
  EXPECT_TRUE(caos::text::is_encoder("encoder:DIR"));
  EXPECT_FALSE(caos::text::is_encoder("builtin"));
  expect_error([] { (void)caos::text::open_text_encoder("encoder:"); }, ErrorKind::invalid_input,
               {"'encoder:' is not an encoder"});
}

}  // namespace
