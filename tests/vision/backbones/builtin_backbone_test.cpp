#include "caos/vision/backbones/builtin_backbone.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "caos/rng.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/vision/backbones/slow_descriptor.hpp"

namespace caos::vision {
namespace {

using test::expect_error;

/// Noise in blocks, so that there are edges and flat parts.
Image noise(std::size_t width, std::size_t height, std::size_t block, std::uint64_t seed) {
  Image image{.width = width, .height = height};
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      Rng rng = Rng::stream(seed, y / block * width + x / block);
      for (int c = 0; c < 3; ++c) image.rgb.push_back(static_cast<std::uint8_t>(rng.below(256)));
    }
  }
  return image;
}

Matrix<float> embed(const Image& image) { return BuiltinBackbone().embed({&image, 1})[0]; }

void check_against_recipe(const Image& image) {
  const Matrix<float> actual = embed(image);
  const auto expected = slow::describe(image);
  ASSERT_EQ(actual.rows(), expected.size());
  for (std::size_t p = 0; p < expected.size(); ++p) {
    ASSERT_EQ(actual.cols(), expected[p].size());
    for (std::size_t i = 0; i < expected[p].size(); ++i) {
      ASSERT_NEAR(actual(p, i), expected[p][i], 1e-4) << "patch " << p << ", value " << i;
    }
  }
}

// The recipe is slow, hence some images and not a thousand.
TEST(BuiltinBackbone, FollowsItsRecipe) {
  Rng rng(7);
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    check_against_recipe(noise(1 + rng.below(50), 1 + rng.below(50), 1 + rng.below(9), seed));
  }
  check_against_recipe(noise(32, 48, 100, 5));  // flat: only the offset remains
}

TEST(BuiltinBackbone, DescribesItself) {
  const BuiltinBackbone backbone;
  EXPECT_EQ(backbone.identity(), "builtin:1");
  EXPECT_EQ(backbone.dimension(), 384U);
  EXPECT_EQ(backbone.patch_size(), 16U);
  EXPECT_FALSE(backbone.is_parallel());
  EXPECT_EQ(backbone.grid_of(178, 218).size(), 168U);
}

TEST(BuiltinBackbone, GivesVectorsOfLengthOne) {
  const Matrix<float> embeddings = embed(noise(50, 70, 3, 6));
  for (std::size_t p = 0; p < embeddings.rows(); ++p) {
    double sum = 0;
    for (const float value : embeddings.row(p)) sum += double{value} * double{value};
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

TEST(BuiltinBackbone, DoesNotDependOnWhatElseIsEmbedded) {
  const std::vector<Image> images = {noise(50, 70, 3, 6), noise(49, 65, 4, 7)};
  const auto together = BuiltinBackbone().embed(images);
  for (std::size_t i = 0; i < images.size(); ++i) {
    const Matrix<float> alone = embed(images[i]);
    for (std::size_t p = 0; p < alone.rows(); ++p) {
      EXPECT_TRUE(std::ranges::equal(alone.row(p), together[i].row(p)));
    }
  }
  EXPECT_TRUE(BuiltinBackbone().embed({}).empty());
}

TEST(BuiltinBackbone, GivesTheSameBitsOnEveryMachine) {
  const Matrix<float> embeddings = embed(noise(178, 218, 6, 8));
  std::uint64_t digest = 0xcbf29ce484222325ULL;  // FNV-1a over the bits of all values
  for (std::size_t p = 0; p < embeddings.rows(); ++p) {
    for (const float value : embeddings.row(p)) {
      digest = (digest ^ std::bit_cast<std::uint32_t>(value)) * 0x100000001b3ULL;
    }
  }
  EXPECT_EQ(digest, 17949966547829190249ULL);
}

TEST(BuiltinBackbone, RefusesImagesOfDifferentGrids) {
  const std::vector<Image> images = {noise(16, 16, 3, 6), noise(17, 16, 3, 6)};
  expect_error([&] { (void)BuiltinBackbone().embed(images); }, ErrorKind::invalid_input,
               {"must have the same patch grid"});
}

}  // namespace
}  // namespace caos::vision
