#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "caos/onnx/onnx_runtime.hpp"
#include "caos/vision/backbones/onnx_backbone.hpp"
#include "tests/support/test_folders.hpp"
#include "tests/vision/random_image.hpp"

namespace {

using caos::Matrix;
using caos::onnx_runtime_description;
using caos::test::random_image;
using caos::vision::Backbone;
using caos::vision::Image;
using caos::vision::OnnxOptions;
using caos::vision::open_onnx_backbone;
using caos::vision::PatchGrid;

/// A real vision transformer, which is not part of the project.
class RealModel : public testing::Test {
 protected:
  void SetUp() override {
    const std::string description = onnx_runtime_description();
    if (description.starts_with("without")) GTEST_SKIP() << "NOT TESTED: " << description;
    model_ = (caos::test::shared_folder() / "models/vit_tiny_patch16_192x224.onnx").string();
    if (!std::filesystem::exists(model_))
      GTEST_SKIP() << "NOT TESTED: no " << model_ << "; set CAOS_SHARED";
  }

  [[nodiscard]] std::unique_ptr<Backbone> open_real(std::size_t batch_size, std::size_t threads,
                                                    const std::string& output = {}) const {
    OnnxOptions wanted{.model = model_, .threads = threads, .batch_size = batch_size};
    wanted.config.output = output;
    return open_onnx_backbone(wanted);
  }

  std::string model_;
};

/// The largest difference between two lists of embeddings of one shape.
double distance(const std::vector<Matrix<float>>& a, const std::vector<Matrix<float>>& b) {
  double largest = a.size() == b.size() ? 0 : HUGE_VAL;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    for (std::size_t r = 0; r < a[i].rows(); ++r) {
      for (std::size_t d = 0; d < a[i].cols(); ++d) {
        largest = std::max(largest, std::abs(double{a[i](r, d)} - b[i](r, d)));
      }
    }
  }
  return largest;
}

TEST_F(RealModel, GivesAGridOf12By14Tokens) {
  const auto backbone = open_real(4, 0);
  EXPECT_EQ(backbone->grid_of(178, 218), (PatchGrid{.patch_size = 16, .columns = 12, .rows = 14}));
  EXPECT_EQ(backbone->dimension(), 192);
  EXPECT_THAT(backbone->identity(), testing::HasSubstr("patch_tokens"));
  EXPECT_THAT(open_real(4, 0, "block1_keys")->identity(), testing::HasSubstr("block1_keys"));
}

TEST_F(RealModel, EmbedsAlikeInBatchesOfAnySizeOnAnyNumberOfThreads) {
  std::vector<Image> images;
  for (std::uint64_t seed = 0; seed < 5; ++seed) images.push_back(random_image(178, 218, seed));
  const auto expected = open_real(1, 1)->embed(images);
  ASSERT_EQ(expected.size(), 5);
  EXPECT_EQ(expected[4].rows(), 168);
  for (const std::size_t batch_size : {1UL, 2UL, 4UL, 8UL}) {
    for (const std::size_t threads : {0UL, 1UL, 2UL}) {
      EXPECT_LE(distance(open_real(batch_size, threads)->embed(images), expected), 1e-4)
          << batch_size << ' ' << threads;
    }
  }
}

TEST_F(RealModel, SeesThePaddingAsBlackPixels) {
  const Image image = random_image(178, 218, 1);
  Image padded{.width = 192, .height = 224, .rgb = std::vector<std::uint8_t>(192UL * 224 * 3)};
  for (std::size_t y = 0; y < image.height; ++y) {
    std::copy_n(image.rgb.data() + y * 178 * 3, 178 * 3, padded.rgb.data() + y * 192 * 3);
  }
  const auto backbone = open_real(1, 0);
  EXPECT_EQ(distance(backbone->embed(std::span(&image, 1)), backbone->embed(std::span(&padded, 1))),
            0);
}

}  // namespace
