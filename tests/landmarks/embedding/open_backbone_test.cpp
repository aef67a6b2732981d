#include "caos/landmarks/embedding/open_backbone.hpp"

#include <gtest/gtest.h>

#include "caos/onnx/onnx_runtime.hpp"
#include "caos/vision/backbones/onnx_config.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/onnx_writer.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos {
namespace {

using test::expect_error;
using test::TempDir;
using test::TinyModel;

TEST(Backbones, OpensTheBuiltinDescriptor) {
  EXPECT_EQ(open_backbone("builtin")->identity(), "builtin:1");
  EXPECT_EQ(open_backbone("builtin-2")->identity(), "builtin:2");
  EXPECT_EQ(open_backbone(default_backbone)->identity(), "builtin:2");
}

TEST(ChooseScore, KnowsTheParametersOfEachBackbone) {
  EXPECT_EQ(choose_score("margin", "builtin").score.parameter, 3);
  EXPECT_EQ(choose_score("margin", "onnx:a.onnx").score.parameter, 10);
  EXPECT_FALSE(choose_score("margin", "builtin").own_parameter);
  EXPECT_FALSE(choose_score("margin:3", "builtin").own_parameter);
  EXPECT_TRUE(choose_score("margin:10", "builtin").own_parameter);
  EXPECT_FALSE(choose_score("cosine", "builtin").own_parameter);
  expect_error([] { (void)choose_score("euclid", "builtin"); }, ErrorKind::invalid_input,
               {"unknown score 'euclid'"});
}

TEST(Backbones, RefusesOtherTexts) {
  for (const std::string text : {"", "Builtin", "builtin:", "hog", "embeddings:a.npy"}) {
    expect_error([&] { (void)open_backbone(text); }, ErrorKind::invalid_input,
                 {"unknown backbone '" + text + "'", "builtin-2, builtin, onnx:FILE"});
  }
}

TEST(Backbones, SaysWhichModelIsMissing) {
  expect_error([] { (void)open_backbone("onnx:/no/such/model.onnx"); }, ErrorKind::not_found,
               {"/no/such/model.onnx"});
}

TEST(Backbones, HaveScoresThatSuitThem) {
  EXPECT_EQ(score_defaults("builtin").margin_weight, 3);
  EXPECT_EQ(score_defaults("builtin").temperature, 0.02);
  EXPECT_EQ(score_defaults("onnx:model.onnx").margin_weight, 10);
  EXPECT_EQ(score_defaults("onnx:model.onnx").temperature, 0.05);
}

class OnnxBackbones : public testing::Test {
 protected:
  void SetUp() override {
    const std::string description = onnx_runtime_description();
    if (description.starts_with("without")) GTEST_SKIP() << "NOT TESTED: " << description;
  }

  TempDir dir_;
};

TEST_F(OnnxBackbones, AreKnownByTheContentOfTheirFiles) {
  const auto identity = [&](const char* name, const TinyModel& model) {
    return open_backbone("onnx:" + dir_.write(name, model.bytes()))->identity();
  };
  const std::string first = identity("a.onnx", {});
  EXPECT_EQ(identity("b.onnx", {}), first);
  EXPECT_NE(identity("c.onnx", {.patch_size = 8}), first);
}

TEST_F(OnnxBackbones, TakeTheOutputThatWasAskedFor) {
  const std::string model = "onnx:" + dir_.write("a.onnx", TinyModel{.doubled = "twice"}.bytes());
  const vision::Image image{.width = 4, .height = 4, .rgb = std::vector<std::uint8_t>(48, 200)};
  const auto embed = [&](const std::string& output) {
    return open_backbone(model, {.output = output})->embed({&image, 1})[0];
  };
  EXPECT_FLOAT_EQ(embed("twice")(0, 0), 2 * embed("tokens")(0, 0));
  EXPECT_NE(open_backbone(model, {.output = "twice"})->identity(),
            open_backbone(model, {.output = "tokens"})->identity());
}

TEST_F(OnnxBackbones, RefuseAPresetThatIsNone) {
  const std::string model = "onnx:" + dir_.write("a.onnx", TinyModel{}.bytes());
  expect_error([&] { (void)open_backbone(model, {.preset = "dinov9"}); }, ErrorKind::invalid_input,
               {"dinov9"});
}

TEST_F(OnnxBackbones, ReadTheDescriptionBesideTheModel) {
  const std::string model = "onnx:" + dir_.write("a.onnx", TinyModel{}.bytes());
  const std::string beside = vision::onnx_config_file(dir_ / "a.onnx");
  dir_.write(std::filesystem::path(beside).filename().string(), "{\"patch_size\": 5, ");
  expect_error([&] { (void)open_backbone(model); }, ErrorKind::bad_format, {beside});
}

}  // namespace
}  // namespace caos
