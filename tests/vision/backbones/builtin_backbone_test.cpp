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

using Version = BuiltinBackbone::Version;

Matrix<float> embed(const Image& image, Version version = Version::one) {
  return BuiltinBackbone(version).embed({&image, 1})[0];
}

void compare(const Matrix<float>& actual, const std::vector<std::vector<double>>& expected) {
  ASSERT_EQ(actual.rows(), expected.size());
  for (std::size_t p = 0; p < expected.size(); ++p) {
    ASSERT_EQ(actual.cols(), expected[p].size());
    for (std::size_t i = 0; i < expected[p].size(); ++i) {
      ASSERT_NEAR(actual(p, i), expected[p][i], 1e-4) << "patch " << p << ", value " << i;
    }
  }
}

void check_against_recipe(const Image& image) {
  compare(embed(image), slow::describe(image));
  compare(embed(image, Version::two), slow::describe_2(image));
}

double similarity(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
  return sum;
}

/// Gray noise of standard deviation `level` about 128: sums of 12 uniform numbers.
Image gray_noise(std::size_t side, double level, std::uint64_t seed) {
  Image image{.width = side, .height = side};
  Rng rng(seed);
  for (std::size_t i = 0; i < side * side; ++i) {
    double value = 128.5;
    for (int j = 0; j < 12; ++j) {
      value += level * (static_cast<double>(rng.below(1U << 20U)) / (1U << 20U) - 0.5);
    }
    image.rgb.insert(image.rgb.end(), 3, static_cast<std::uint8_t>(value));
  }
  return image;
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
  EXPECT_EQ(BuiltinBackbone(Version::two).identity(), "builtin:2");
  EXPECT_EQ(BuiltinBackbone(Version::two).dimension(), 387U);
}

TEST(BuiltinBackbone, GivesVectorsOfLengthOne) {
  for (const Version version : {Version::one, Version::two}) {
    for (const std::size_t block : {3U, 100U}) {  // with texture, and flat
      const Matrix<float> embeddings = embed(noise(50, 70, block, 6), version);
      for (std::size_t p = 0; p < embeddings.rows(); ++p) {
        EXPECT_NEAR(similarity(embeddings.row(p), embeddings.row(p)), 1, 1e-6);
      }
    }
  }
}

/// The constant of the second descriptor is what white noise of one gray level gives.
TEST(BuiltinBackbone, TakesNoiseOfOneGrayLevelForHalfOfAPatch) {
  const Matrix<float> embeddings = embed(gray_noise(160, 1, 3), Version::two);
  double rest = 0;
  for (std::size_t p = 0; p < embeddings.rows(); ++p) {
    for (std::size_t s = 384; s < 387; ++s) rest += embeddings(p, s) * embeddings(p, s);
  }
  EXPECT_NEAR(rest / static_cast<double>(embeddings.rows()), 0.5, 0.05);
}

TEST(BuiltinBackbone, SetsFlatPatchesApartInItsSecondVersion) {
  const Image texture = noise(160, 160, 5, 9);
  const Image flat = noise(160, 160, 1000, 9);
  const Image other_flat = gray_noise(160, 0.4, 4);
  const auto between = [](const Image& a, const Image& b, Version version) {
    return similarity(embed(a, version).row(55), embed(b, version).row(55));
  };
  EXPECT_GT(between(texture, flat, Version::one), 0.8);
  EXPECT_LT(between(texture, flat, Version::two), 0.2);
  // Noise of 0.4 gray levels and what rounding adds is a third of a patch.
  EXPECT_LT(between(texture, other_flat, Version::two), 0.65);
  EXPECT_GT(between(texture, other_flat, Version::one), 0.8);
  EXPECT_GT(between(flat, other_flat, Version::two), 0.8);
  EXPECT_NEAR(between(texture, texture, Version::two), 1, 1e-6);
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

/// FNV-1a over the bits of all values.
std::uint64_t digest_of(const Matrix<float>& embeddings) {
  std::uint64_t digest = 0xcbf29ce484222325ULL;
  for (std::size_t p = 0; p < embeddings.rows(); ++p) {
    for (const float value : embeddings.row(p)) {
      digest = (digest ^ std::bit_cast<std::uint32_t>(value)) * 0x100000001b3ULL;
    }
  }
  return digest;
}

TEST(BuiltinBackbone, GivesTheSameBitsOnEveryMachine) {
  const Image image = noise(178, 218, 6, 8);
  EXPECT_EQ(digest_of(embed(image)), 17949966547829190249ULL);
  EXPECT_EQ(digest_of(embed(image, Version::two)), 6311034090045086580ULL);
}

TEST(BuiltinBackbone, RefusesImagesOfDifferentGrids) {
  const std::vector<Image> images = {noise(16, 16, 3, 6), noise(17, 16, 3, 6)};
  expect_error([&] { (void)BuiltinBackbone().embed(images); }, ErrorKind::invalid_input,
               {"must have the same patch grid"});
}

}  // namespace
}  // namespace caos::vision
