#include "caos/io/arrays/embedding_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/io/arrays/npy_bytes.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::io {
namespace {

using test::expect_error;
using test::npy_array;
using test::raw;
using test::TempDir;
using testing::ElementsAre;

template <typename T>
std::vector<T> counted(std::size_t count) {
  std::vector<T> values(count);
  std::iota(values.begin(), values.end(), T{1});
  return values;
}

EmbeddingFile open_bytes(const std::string& bytes) {
  const TempDir dir;
  return EmbeddingFile::open(dir.write("e.npy", bytes));
}

void expect_numbers_one_to_twelve(const EmbeddingFile& file) {
  EXPECT_EQ(file.num_images(), 2U);
  EXPECT_EQ(file.num_patches(), 3U);
  EXPECT_EQ(file.dimension(), 2U);
  const Matrix<float> first = file.image(0);
  EXPECT_THAT(first.row(0), ElementsAre(1, 2));
  EXPECT_THAT(first.row(2), ElementsAre(5, 6));
  const Matrix<float> second = file.image(1);
  EXPECT_THAT(second.row(0), ElementsAre(7, 8));
  EXPECT_THAT(second.row(2), ElementsAre(11, 12));
}

TEST(EmbeddingFile, ReadsImageByImageInBothPrecisions) {
  expect_numbers_one_to_twelve(open_bytes(npy_array("<f4", "2, 3, 2", raw(counted<float>(12)))));
  expect_numbers_one_to_twelve(open_bytes(npy_array("<f8", "2, 3, 2", raw(counted<double>(12)))));
}

TEST(EmbeddingFile, RoundsDoublesToFloats) {
  const EmbeddingFile file =
      open_bytes(npy_array("<f8", "1, 1, 2", raw<double>({0.1, 1 + 0x1p-30})));
  EXPECT_THAT(file.image(0).row(0), ElementsAre(0.1F, 1.0F));
}

TEST(EmbeddingFile, RefusesOtherShapes) {
  const auto refuse = [](const std::string& shape, std::size_t count, const std::string& text) {
    expect_error([&] { (void)open_bytes(npy_array("<f4", shape, raw(counted<float>(count)))); },
                 ErrorKind::invalid_input, {"e.npy: ", text});
  };
  refuse("3, 4", 12, "images x patches x dimension");
  refuse("1, 3, 2, 2", 12, "images x patches x dimension");
  refuse("0, 3, 2", 0, "holds no embeddings (0 x 3 x 2)");
  refuse("2, 0, 2", 0, "holds no embeddings");
  refuse("2, 3, 0", 0, "holds no embeddings");
}

TEST(EmbeddingFile, RefusesOtherElements) {
  expect_error(
      [] {
        (void)open_bytes(npy_array("<i4", "1, 1, 2", raw<std::int32_t>({1, 2})));
      },
      ErrorKind::bad_format, {"e.npy: holds int32; save embeddings as float32"});
}

}  // namespace
}  // namespace caos::io
