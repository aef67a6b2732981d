#include "caos/vision/backbones/onnx_backbone.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <thread>

#include "caos/onnx/onnx_runtime.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/onnx_writer.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/vision/random_image.hpp"

namespace {

using caos::ErrorKind;
using caos::Matrix;
using caos::onnx_runtime_description;
using caos::test::expect_error;
using caos::test::random_image;
using caos::test::TempDir;
using caos::test::TinyModel;
using caos::vision::Backbone;
using caos::vision::Image;
using caos::vision::OnnxConfig;
using caos::vision::OnnxOptions;
using caos::vision::open_onnx_backbone;
using caos::vision::PatchGrid;

/// Pixels as they are, from 0 to 1, so that sums are plain.
constexpr std::array<double, 3> zeros{0, 0, 0};
constexpr std::array<double, 3> ones{1, 1, 1};

/// A pixel as the model sees it; black outside the image.
double pixel(const Image& image, std::size_t x, std::size_t y, std::size_t channel,
             const OnnxConfig& config) {
  const bool inside = x < image.width && y < image.height;
  const double value = inside ? image.rgb[(y * image.width + x) * 3 + channel] : 0;
  return (value / 255 - config.mean[channel]) / config.std_dev[channel];
}

/// What the tiny model says of the patch whose upper left corner is (left, top).
std::vector<double> tiny_embedding(const Image& image, std::size_t left, std::size_t top,
                                   std::size_t side, const OnnxConfig& config) {
  std::vector<double> result(4);
  for (std::size_t i = 0; i < side * side; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      result[c] += pixel(image, left + i % side, top + i / side, c, config);
    }
  }
  result[3] = pixel(image, left, top, 0, config);
  return result;
}

void expect_tiny_embeddings(const Backbone& backbone, const Image& image,
                            const Matrix<float>& found, const OnnxConfig& config,
                            double factor = 1) {
  const PatchGrid grid = backbone.grid_of(image.width, image.height);
  ASSERT_EQ(found.rows(), grid.size());
  ASSERT_EQ(found.cols(), TinyModel::dimension);
  for (std::size_t patch = 0; patch < grid.size(); ++patch) {
    const auto expected =
        tiny_embedding(image, patch % grid.columns * grid.patch_size,
                       patch / grid.columns * grid.patch_size, grid.patch_size, config);
    for (std::size_t d = 0; d < 4; ++d) {
      EXPECT_NEAR(found(patch, d), factor * expected[d], 1e-4) << patch << ' ' << d;
    }
  }
}

class Onnx : public testing::Test {
 protected:
  void SetUp() override {
    const std::string description = onnx_runtime_description();
    if (description.starts_with("without")) GTEST_SKIP() << "NOT TESTED: " << description;
  }

  [[nodiscard]] OnnxOptions options(const TinyModel& model, OnnxConfig config = {}) const {
    return {.model = dir_.write("model.onnx", model.bytes()), .identity = "abc", .config = config};
  }
  [[nodiscard]] std::unique_ptr<Backbone> open(const TinyModel& model,
                                               const OnnxConfig& config = {}) const {
    return open_onnx_backbone(options(model, config));
  }
  void expect_refused(const TinyModel& model, const OnnxConfig& config, ErrorKind kind,
                      std::initializer_list<std::string> parts) const {
    expect_error([&] { (void)open(model, config); }, kind, {"model.onnx"});
    expect_error([&] { (void)open(model, config); }, kind, parts);
  }

  TempDir dir_;
};

using OnnxBackbone = Onnx;
using OnnxErrors = Onnx;

TEST_F(OnnxBackbone, EmbedsEveryPatchAsTheModelDoes) {
  const OnnxConfig config{.mean = {0.485, 0.456, 0.406}, .std_dev = {0.229, 0.224, 0.225}};
  const auto backbone = open({}, config);
  EXPECT_EQ(backbone->patch_size(), 4);
  EXPECT_EQ(backbone->dimension(), 4);
  EXPECT_TRUE(backbone->is_parallel());
  const Image image = random_image(12, 8, 1);
  const auto found = backbone->embed(std::span(&image, 1));
  ASSERT_EQ(found.size(), 1);
  expect_tiny_embeddings(*backbone, image, found[0], config);
}

TEST_F(OnnxBackbone, PadsWithBlackToWholePatchesWhereAnySizeGoes) {
  const auto backbone = open({});
  EXPECT_EQ(backbone->grid_of(10, 5), (PatchGrid{.patch_size = 4, .columns = 3, .rows = 2}));
  const Image image = random_image(10, 5, 2);
  expect_tiny_embeddings(*backbone, image, backbone->embed(std::span(&image, 1))[0], {});
}

TEST_F(OnnxBackbone, DropsPrefixTokensItWasToldOfOrFound) {
  for (const std::size_t prefix : {1UL, 5UL}) {
    for (const OnnxConfig& config :
         {OnnxConfig{}, OnnxConfig{.patch_size = 4}, OnnxConfig{.prefix_tokens = prefix},
          OnnxConfig{.patch_size = 4, .prefix_tokens = prefix}}) {
      const auto backbone = open({.prefix_tokens = prefix}, config);
      const Image image = random_image(9, 9, 3);
      expect_tiny_embeddings(*backbone, image, backbone->embed(std::span(&image, 1))[0], config);
    }
  }
}

TEST_F(OnnxBackbone, PadsToTheSizeOfAFixedModelAndKeepsTheImagesOwnGrid) {
  for (const std::size_t prefix : {0UL, 1UL}) {
    const auto backbone = open({.prefix_tokens = prefix, .height = 12, .width = 16});
    EXPECT_EQ(backbone->grid_of(16, 12), (PatchGrid{.patch_size = 4, .columns = 4, .rows = 3}));
    EXPECT_EQ(backbone->grid_of(9, 5), (PatchGrid{.patch_size = 4, .columns = 3, .rows = 2}));
    for (const auto& [width, height] : {std::pair(16, 12), {15, 11}, {9, 5}, {1, 1}}) {
      const Image image =
          random_image(static_cast<std::size_t>(width), static_cast<std::size_t>(height), 4);
      expect_tiny_embeddings(*backbone, image, backbone->embed(std::span(&image, 1))[0], {});
    }
  }
}

TEST_F(OnnxBackbone, TakesOneFixedSideAndOneFree) {
  const auto backbone = open({.height = 8});
  const Image image = random_image(21, 7, 5);
  expect_tiny_embeddings(*backbone, image, backbone->embed(std::span(&image, 1))[0], {});
}

TEST_F(OnnxBackbone, RunsBatchesAndRemaindersOfThem) {
  for (const std::int64_t batch : {-1, 1}) {
    OnnxOptions wanted = options({.prefix_tokens = 1, .batch = batch});
    wanted.batch_size = 3;
    const auto backbone = open_onnx_backbone(wanted);
    EXPECT_EQ(backbone->batch_size(), batch == 1 ? 1 : 3);
    std::vector<Image> images;
    // One grid, though not one size.
    for (std::size_t i = 0; i < 8; ++i) images.push_back(random_image(9 + i % 4, 5 + i % 3, i));
    const auto found = backbone->embed(images);
    ASSERT_EQ(found.size(), images.size());
    for (std::size_t i = 0; i < 8; ++i) expect_tiny_embeddings(*backbone, images[i], found[i], {});
  }
}

TEST_F(OnnxBackbone, EmbedsNoImagesAsNothing) { EXPECT_TRUE(open({})->embed({}).empty()); }

TEST_F(OnnxBackbone, TakesTheOutputThatIsAskedFor) {
  const TinyModel model{.output = "patch_tokens", .doubled = "keys", .map = "map"};
  const Image image = random_image(8, 8, 6);
  const auto chosen = open(model);
  expect_tiny_embeddings(*chosen, image, chosen->embed(std::span(&image, 1))[0], {});
  const OnnxConfig config{.output = "keys"};
  const auto asked = open(model, config);
  expect_tiny_embeddings(*asked, image, asked->embed(std::span(&image, 1))[0], config, 2);
}

TEST_F(OnnxBackbone, FindsWeightsInAFileBesideTheModel) {
  const TinyModel model{.external = "weights.bin"};
  (void)dir_.write("weights.bin", caos::test::onnx::raw(model.weights()));
  const auto backbone = open(model);
  const Image image = random_image(8, 8, 7);
  expect_tiny_embeddings(*backbone, image, backbone->embed(std::span(&image, 1))[0], {});
}

TEST_F(OnnxBackbone, HasAnIdentityThatTellsApartWhateverChangesEmbeddings) {
  const TinyModel model{.doubled = "other"};
  std::vector<std::string> found{open(model)->identity()};
  EXPECT_EQ(found[0], open(model)->identity());
  EXPECT_EQ(found[0], open(model, {.patch_size = 4})->identity()) << "said or found out";
  found.push_back(open(model, {.output = "tokens"})->identity());
  found.push_back(open(model, {.mean = zeros})->identity());
  found.push_back(open(model, {.std_dev = ones})->identity());
  OnnxOptions other = options(model);
  other.identity = "def";
  found.push_back(open_onnx_backbone(other)->identity());
  std::ranges::sort(found);
  EXPECT_EQ(std::ranges::adjacent_find(found), found.end());
}

TEST_F(OnnxBackbone, ServesManyThreadsAtOnce) {
  const auto backbone = open({.prefix_tokens = 1});
  const Image image = random_image(40, 40, 8);
  const auto expected = backbone->embed(std::span(&image, 1));
  std::vector<int> equal(4);
  std::vector<std::thread> threads;
  for (int& result : equal) {
    threads.emplace_back([&] {
      const auto found = backbone->embed(std::span(&image, 1));
      result = std::equal(found[0].view().data(), found[0].view().data() + 400,
                          expected[0].view().data());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(equal, testing::Each(1));
}

TEST_F(OnnxErrors, NameTheWorkingSizeForAnImageThatIsTooLarge) {
  const auto backbone = open({.height = 12, .width = 16});
  for (const auto& [width, height] : {std::pair<std::size_t, std::size_t>{17, 12}, {16, 13}}) {
    expect_error([&] { (void)backbone->grid_of(width, height); }, ErrorKind::invalid_input,
                 {"model.onnx", "up to 16x12", "working size of 16x12",
                  std::to_string(width) + "x" + std::to_string(height)});
  }
}

TEST_F(OnnxErrors, RefuseImagesThatDoNotFitTogetherOrAreNone) {
  const auto backbone = open({});
  std::vector<Image> images{random_image(8, 8, 1), random_image(9, 8, 1)};
  expect_error([&] { (void)backbone->embed(images); }, ErrorKind::invalid_input, {"one grid"});
  images = {random_image(8, 8, 1)};
  images[0].rgb.pop_back();
  expect_error([&] { (void)backbone->embed(images); }, ErrorKind::invalid_input, {"191 bytes"});
  images = {Image{}};
  expect_error([&] { (void)backbone->embed(images); }, ErrorKind::invalid_input, {"empty"});
}

TEST_F(OnnxErrors, SayBothNumbersWhenTokensAndPatchesDisagree) {
  const TinyModel model{.prefix_tokens = 1};
  expect_refused(model, {.patch_size = 4, .prefix_tokens = 5}, ErrorKind::invalid_input,
                 {"97 tokens", "48x32", "patch_size 4", "prefix_tokens 5", "model.json"});
  expect_refused(model, {.patch_size = 7}, ErrorKind::invalid_input,
                 {"295 tokens", "84x56", "patch_size 7", "prefix_tokens unknown"});
  expect_refused({.prefix_tokens = 20, .height = 12, .width = 16}, {}, ErrorKind::invalid_input,
                 {"32 tokens", "16x12", "patch_size unknown"});
}

TEST_F(OnnxErrors, RefusePatchSizeZero) {
  expect_refused({}, {.patch_size = 0}, ErrorKind::invalid_input, {"patch_size"});
}

TEST_F(OnnxErrors, ListTheOutputsWhenTheOneAskedForIsNotThere) {
  expect_refused({.doubled = "keys", .map = "map"}, {.output = "values"}, ErrorKind::invalid_input,
                 {"'values'", "keys", "tokens [any, any, 4]", "map [any, 4, any, any]"});
}

TEST_F(OnnxErrors, RefuseOutputsOfTheWrongRank) {
  expect_refused({.map = "map"}, {.output = "map"}, ErrorKind::invalid_input,
                 {"'map'", "[images, tokens, dimension]"});
}

TEST_F(OnnxErrors, RefuseInputsThatAreNoColorImages) {
  expect_refused({.channels = 1}, {}, ErrorKind::bad_format, {"pixel_values [any, 1, any, any]"});
  expect_refused({.batch = 4}, {}, ErrorKind::bad_format, {"pixel_values [4, 3, any, any]"});
}

TEST_F(OnnxErrors, AreClearAboutFilesThatAreNoModels) {
  const auto open_file = [&](const std::string& file) {
    (void)open_onnx_backbone({.model = file});
  };
  expect_error([&] { open_file(dir_ / "missing.onnx"); }, ErrorKind::not_found,
               {"missing.onnx", "no such file"});
  expect_error([&] { open_file(dir_.write("text.onnx", "This is not a model.")); },
               ErrorKind::bad_format, {"text.onnx", "cannot be loaded as an ONNX model"});
  expect_error([&] { open_file(dir_.write("empty.onnx", "")); }, ErrorKind::bad_format,
               {"empty.onnx"});
  const std::string whole = TinyModel{}.bytes();
  expect_error([&] { open_file(dir_.write("cut.onnx", whole.substr(0, whole.size() / 2))); },
               ErrorKind::bad_format, {"cut.onnx"});
}

TEST_F(OnnxErrors, NameTheFileOfWeightsThatIsMissing) {
  expect_error([&] { (void)open({.external = "weights.bin"}); }, ErrorKind::backend,
               {"model.onnx", "weights.bin"});
}

TEST_F(OnnxErrors, HoldWhatTheRuntimeSaidWhenARunFails) {
  // A model that claims float64 inputs: the types inside do not match.
  expect_error([&] { (void)open({.element_type = 11}); }, ErrorKind::backend,
               {"model.onnx", "ONNX Runtime says"});
}

TEST_F(OnnxErrors, SayWhichLibraryIsMissingAndHowToGetIt) {
  OnnxOptions wanted = options({});
  wanted.library = dir_ / "libnothing.so";
  expect_error([&] { (void)open_onnx_backbone(wanted); }, ErrorKind::backend,
               {"libnothing.so", "tools/fetch-npm"});
  EXPECT_THAT(onnx_runtime_description(wanted.library),
              testing::AllOf(testing::StartsWith("without ONNX Runtime: "),
                             testing::HasSubstr("libnothing.so")));
}

TEST_F(OnnxErrors, RefuseALibraryThatIsNotOnnxRuntime) {
  OnnxOptions wanted = options({});
  wanted.library = "libm.so.6";
  expect_error([&] { (void)open_onnx_backbone(wanted); }, ErrorKind::backend,
               {"libm.so.6 is not ONNX Runtime"});
}

TEST_F(OnnxErrors, LeaveStandardErrorAlone) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  for (const char* content : {"", "no model", "\x08\x08"}) {
    EXPECT_THROW((void)open_onnx_backbone({.model = dir_.write("bad.onnx", content)}), caos::Error);
  }
  EXPECT_THROW((void)open({.external = "weights.bin"}), caos::Error);
  EXPECT_THROW((void)open({}, {.output = "values"}), caos::Error);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(OnnxRuntime, DescribesItselfOrSaysHowToGetIt) {
  const std::string description = onnx_runtime_description();
  EXPECT_THAT(description, testing::AnyOf(testing::MatchesRegex("ONNX Runtime 1\\.[0-9]+\\..*"),
                                          testing::HasSubstr("tools/")));
}

}  // namespace
