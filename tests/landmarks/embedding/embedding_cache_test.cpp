#include "caos/landmarks/embedding/embedding_cache.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "caos/scorers/float16_rows.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos {
namespace {

using test::TempDir;

constexpr auto precise = EmbeddingPrecision::float32;
constexpr auto compact = EmbeddingPrecision::float16;

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

template <typename T>
bool same(const Matrix<T>& a, const Matrix<T>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (std::size_t r = 0; r < a.rows(); ++r) {
    if (!std::ranges::equal(a.row(r), b.row(r))) return false;
  }
  return true;
}

const vision::GrayImage gray = [] {
  vision::GrayImage pixels(2, 3);
  pixels(0, 1) = 7;
  pixels(1, 2) = 255;
  return pixels;
}();

bool equal(const std::optional<CachedImage>& found, const Matrix<float>& expected) {
  return found && same(found->patches, expected) && same(found->gray, gray);
}

const std::string image = "the bytes of an image";

TEST(EmbeddingCache, GivesBackWhatWasStored) {
  const TempDir dir;
  const EmbeddingCache cache(cache_folder(dir / "a/b/cache"), "builtin", precise);
  EXPECT_FALSE(cache.find(bytes(image), "32x32").has_value());
  cache.store(bytes(image), "32x32", filled(3, 5, 0.5F), gray);
  EXPECT_TRUE(equal(cache.find(bytes(image), "32x32"), filled(3, 5, 0.5F)));
  EXPECT_TRUE(equal(EmbeddingCache(cache_folder(dir / "a/b/cache"), "builtin", precise)
                        .find(bytes(image), "32x32"),
                    filled(3, 5, 0.5F)));
  cache.store(bytes(image), "32x32", filled(2, 2, 9.0F), gray);
  EXPECT_TRUE(equal(cache.find(bytes(image), "32x32"), filled(2, 2, 9.0F)));
}

TEST(EmbeddingCache, KeepsImagesAndWaysApart) {
  const TempDir dir;
  const EmbeddingCache cache(cache_folder(dir / "c"), "model 1", precise);
  cache.store(bytes(image), "2x3", filled(1, 1, 1), gray);
  EXPECT_FALSE(cache.find(bytes(image + "!"), "2x3").has_value());
  EXPECT_FALSE(cache.find(bytes(image), "2x4").has_value());
  EXPECT_FALSE(EmbeddingCache(cache_folder(dir / "c"), "model 2", precise)
                   .find(bytes(image), "2x3")
                   .has_value());
}

TEST(EmbeddingCache, KeepsPrecisionsApart) {
  const TempDir dir;
  const CacheFolder folder = cache_folder(dir / "c");
  EmbeddingCache(folder, "model", precise).store(bytes(image), "2x3", filled(1, 1, 1), gray);
  EXPECT_FALSE(EmbeddingCache(folder, "model", compact).find(bytes(image), "2x3").has_value());
  EmbeddingCache(folder, "model", compact).store(bytes(image), "2x3", filled(1, 1, 2), gray);
  EXPECT_TRUE(
      equal(EmbeddingCache(folder, "model", precise).find(bytes(image), "2x3"), filled(1, 1, 1)));
  EXPECT_TRUE(
      equal(EmbeddingCache(folder, "model", compact).find(bytes(image), "2x3"), filled(1, 1, 2)));
}

TEST(EmbeddingCache, HoldsTwoBytesForEachNumberInFloat16) {
  const TempDir dir;
  const auto bytes_in = [&](const std::string& folder, EmbeddingPrecision precision) {
    const EmbeddingCache cache(cache_folder(dir / folder), "builtin", precision);
    const Matrix<float> rows = float16_rows(filled(100, 384, 0.3F));
    cache.store(bytes(image), "2x3", rows, gray);
    EXPECT_TRUE(equal(cache.find(bytes(image), "2x3"), rows));
    std::uintmax_t total = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(dir / folder)) {
      if (entry.is_regular_file()) total += entry.file_size();
    }
    return total;
  };
  EXPECT_LT(bytes_in("compact", compact), 100U * 384 * 2 + 1000);
  EXPECT_GE(bytes_in("precise", precise), 100U * 384 * 4);
}

TEST(EmbeddingCache, DeletesWhatWasUsedLongestAgo) {
  const TempDir dir;
  const CacheFolder folder = cache_folder(dir / "c", 100'000);
  const EmbeddingCache cache(folder, "builtin", compact);
  const Matrix<float> rows(30, 300, 1.0F);  // 18 kB
  const auto name = [](int i) { return "image " + std::to_string(i); };
  const auto store = [&](int i) { cache.store(bytes(name(i)), "2x3", rows, gray); };
  const auto has = [&](int i) { return cache.find(bytes(name(i)), "2x3").has_value(); };
  for (int i = 0; i < 5; ++i) store(i);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(has(i)) << i;
  EXPECT_TRUE(has(0));  // so that it is the latest
  store(5);
  EXPECT_TRUE(has(0));
  EXPECT_FALSE(has(1));
  EXPECT_TRUE(has(5));
}

TEST(EmbeddingCache, DoesNotKeepWhatIsLargerThanTheWhole) {
  const TempDir dir;
  const EmbeddingCache cache(cache_folder(dir / "c", 1000), "builtin", compact);
  cache.store(bytes(image), "2x3", filled(2, 2, 1), gray);
  cache.store(bytes("large"), "2x3", Matrix<float>(30, 300, 1.0F), gray);
  EXPECT_TRUE(cache.find(bytes(image), "2x3").has_value());
  EXPECT_FALSE(cache.find(bytes("large"), "2x3").has_value());
}

TEST(EmbeddingCache, KnowsWhereTheIdentityEndsAndTheDetailBegins) {
  const TempDir dir;
  EmbeddingCache(cache_folder(dir / "c"), "model 1", precise)
      .store(bytes(image), "2x3", filled(1, 1, 1), gray);
  EXPECT_FALSE(EmbeddingCache(cache_folder(dir / "c"), "model 12", precise)
                   .find(bytes(image), "x3")
                   .has_value());
  EXPECT_FALSE(EmbeddingCache(cache_folder(dir / "c"), "model ", precise)
                   .find(bytes(image), "12x3")
                   .has_value());
}

TEST(EmbeddingCache, KeepsNothingWithoutAFolder) {
  const EmbeddingCache cache(cache_folder(""), "builtin", precise);
  cache.store(bytes(image), "2x3", filled(1, 1, 1), gray);
  EXPECT_FALSE(cache.find(bytes(image), "2x3").has_value());
}

TEST(EmbeddingCache, IsTheUsersAloneIfItIsNew) {
  namespace fs = std::filesystem;
  const TempDir dir;
  EmbeddingCache(cache_folder(dir / "new"), "builtin", precise)
      .store(bytes(image), "2x3", filled(1, 1, 1), gray);
  EXPECT_EQ(fs::status(dir / "new").permissions(), fs::perms::owner_all);
  const fs::perms shared = fs::perms::owner_all | fs::perms::group_all;
  fs::create_directory(dir / "shared");
  fs::permissions(dir / "shared", shared);
  EmbeddingCache(cache_folder(dir / "shared"), "builtin", precise)
      .store(bytes(image), "2x3", filled(1, 1, 1), gray);
  EXPECT_EQ(fs::status(dir / "shared").permissions(), shared);
}

TEST(EmbeddingCache, KeepsEmbeddingsWithoutPatches) {
  const TempDir dir;
  const EmbeddingCache cache(cache_folder(dir / "c"), "builtin", precise);
  cache.store(bytes(image), "0x0", Matrix<float>(0, 7), gray);
  EXPECT_TRUE(equal(cache.find(bytes(image), "0x0"), Matrix<float>(0, 7)));
}

TEST(EmbeddingCache, GivesWholeEmbeddingsWhileOthersStore) {
  const TempDir dir;
  const EmbeddingCache cache(cache_folder(dir / "c"), "builtin", precise);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        cache.store(bytes(image), "2x3", filled(40, 30, 1), gray);
        EXPECT_TRUE(equal(cache.find(bytes(image), "2x3"), filled(40, 30, 1)));
      }
    });
  }
}

}  // namespace
}  // namespace caos
