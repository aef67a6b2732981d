#include "caos/landmarks/embedding/embedding_cache.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "tests/support/temp_dir.hpp"

namespace caos {
namespace {

using test::TempDir;

std::span<const std::byte> bytes(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

Matrix<float> filled(std::size_t rows, std::size_t cols, float first) {
  Matrix<float> result(rows, cols);
  for (std::size_t i = 0; i < rows * cols; ++i) {
    result(i / cols, i % cols) = first + static_cast<float>(i);
  }
  return result;
}

bool equal(const std::optional<Matrix<float>>& found, const Matrix<float>& expected) {
  if (!found || found->rows() != expected.rows() || found->cols() != expected.cols()) return false;
  for (std::size_t r = 0; r < expected.rows(); ++r) {
    if (!std::ranges::equal(found->row(r), expected.row(r))) return false;
  }
  return true;
}

const std::string image = "the bytes of an image";

TEST(EmbeddingCache, GivesBackWhatWasStored) {
  const TempDir dir;
  const EmbeddingCache cache(dir / "a/b/cache", "builtin");
  EXPECT_FALSE(cache.find(bytes(image), "32x32").has_value());
  cache.store(bytes(image), "32x32", filled(3, 5, 0.5F));
  EXPECT_TRUE(equal(cache.find(bytes(image), "32x32"), filled(3, 5, 0.5F)));
  EXPECT_TRUE(equal(EmbeddingCache(dir / "a/b/cache", "builtin").find(bytes(image), "32x32"),
                    filled(3, 5, 0.5F)));
  cache.store(bytes(image), "32x32", filled(2, 2, 9.0F));
  EXPECT_TRUE(equal(cache.find(bytes(image), "32x32"), filled(2, 2, 9.0F)));
}

TEST(EmbeddingCache, KeepsImagesAndWaysApart) {
  const TempDir dir;
  const EmbeddingCache cache(dir / "c", "model 1");
  cache.store(bytes(image), "2x3", filled(1, 1, 1));
  EXPECT_FALSE(cache.find(bytes(image + "!"), "2x3").has_value());
  EXPECT_FALSE(cache.find(bytes(image), "2x4").has_value());
  EXPECT_FALSE(EmbeddingCache(dir / "c", "model 2").find(bytes(image), "2x3").has_value());
}

TEST(EmbeddingCache, KnowsWhereTheIdentityEndsAndTheDetailBegins) {
  const TempDir dir;
  EmbeddingCache(dir / "c", "model 1").store(bytes(image), "2x3", filled(1, 1, 1));
  EXPECT_FALSE(EmbeddingCache(dir / "c", "model 12").find(bytes(image), "x3").has_value());
  EXPECT_FALSE(EmbeddingCache(dir / "c", "model ").find(bytes(image), "12x3").has_value());
}

TEST(EmbeddingCache, KeepsNothingWithoutAFolder) {
  const EmbeddingCache cache("", "builtin");
  cache.store(bytes(image), "2x3", filled(1, 1, 1));
  EXPECT_FALSE(cache.find(bytes(image), "2x3").has_value());
}

TEST(EmbeddingCache, IsTheUsersAloneIfItIsNew) {
  namespace fs = std::filesystem;
  const TempDir dir;
  EmbeddingCache(dir / "new", "builtin").store(bytes(image), "2x3", filled(1, 1, 1));
  EXPECT_EQ(fs::status(dir / "new").permissions(), fs::perms::owner_all);
  const fs::perms shared = fs::perms::owner_all | fs::perms::group_all;
  fs::create_directory(dir / "shared");
  fs::permissions(dir / "shared", shared);
  EmbeddingCache(dir / "shared", "builtin").store(bytes(image), "2x3", filled(1, 1, 1));
  EXPECT_EQ(fs::status(dir / "shared").permissions(), shared);
}

TEST(EmbeddingCache, KeepsEmbeddingsWithoutPatches) {
  const TempDir dir;
  const EmbeddingCache cache(dir / "c", "builtin");
  cache.store(bytes(image), "0x0", Matrix<float>(0, 7));
  EXPECT_TRUE(equal(cache.find(bytes(image), "0x0"), Matrix<float>(0, 7)));
}

TEST(EmbeddingCache, GivesWholeEmbeddingsWhileOthersStore) {
  const TempDir dir;
  const EmbeddingCache cache(dir / "c", "builtin");
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        cache.store(bytes(image), "2x3", filled(40, 30, 1));
        EXPECT_TRUE(equal(cache.find(bytes(image), "2x3"), filled(40, 30, 1)));
      }
    });
  }
}

}  // namespace
}  // namespace caos
