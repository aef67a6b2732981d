#include "caos/landmarks/embedding/embed_images.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

#include "caos/scorers/float16_rows.hpp"
#include "caos/scorers/unit_rows.hpp"
#include "caos/vision/codecs/encode.hpp"
#include "caos/vision/drawing/synthetic_face.hpp"
#include "tests/landmarks/embedding/counting_backbone.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos {
namespace {

using test::CountingBackbone;
using test::expect_error;
using test::TempDir;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

vision::Image face(std::uint64_t index) { return vision::draw_face(5, index).image; }

/// A gray image of this size.
vision::Image plain(std::size_t width, std::size_t height, std::uint8_t value = 90) {
  return {.width = width, .height = height, .rgb = std::vector(width * height * 3, value)};
}

std::string png(const vision::Image& image) { return text_of(vision::encode_png(image)); }
std::string jpeg(const vision::Image& image) { return text_of(vision::encode_jpeg(image)); }

Matrix<float> expected_patches(const vision::Image& image) {
  return unit_rows(CountingBackbone::describe(image).view(), "expected");
}

void expect_equal(const Matrix<float>& a, const Matrix<float>& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  for (std::size_t r = 0; r < a.rows(); ++r) {
    ASSERT_TRUE(std::ranges::equal(a.row(r), b.row(r))) << "row " << r;
  }
}

struct Embedded {
  std::vector<EmbeddedImage> images{};
  std::vector<FailedImage> failed{};
};

Embedded run(const vision::Backbone& backbone, const std::vector<std::string>& files,
             const EmbedOptions& options = {}) {
  Embedded result;
  result.failed = stream_images(backbone, files, options, in_order([&](EmbeddedImage&& image) {
                                  result.images.push_back(std::move(image));
                                }));
  return result;
}

std::vector<std::size_t> indices(const Embedded& embedded) {
  std::vector<std::size_t> result;
  for (const EmbeddedImage& image : embedded.images) result.push_back(image.index);
  return result;
}

class EmbedImages : public testing::Test {
 protected:
  /// Faces as PNG files.
  [[nodiscard]] std::vector<std::string> write_faces(std::size_t count) const {
    std::vector<std::string> files;
    for (std::size_t i = 0; i < count; ++i) {
      files.push_back(dir_.write("face" + std::to_string(100 + i) + ".png", png(face(i))));
    }
    return files;
  }

  /// The files of the cache.
  [[nodiscard]] std::vector<std::string> cached() const {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_ / "cache")) {
      if (entry.is_regular_file()) files.push_back(entry.path().string());
    }
    return files;
  }

  [[nodiscard]] EmbedOptions with_cache() const { return {.cache = cache_folder(dir_ / "cache")}; }

  TempDir dir_;
};

using EmbedWithCache = EmbedImages;
using ImageFiles = EmbedImages;

TEST_F(EmbedImages, GivesUnitRowsOfEveryPatchInTheOrderOfTheFiles) {
  const auto files = write_faces(9);
  for (const CountingBackbone::Options& way :
       {CountingBackbone::Options{}, {.batch_size = 4, .is_parallel = true}}) {
    for (const std::size_t threads : {1U, 3U}) {
      const CountingBackbone backbone(way);
      const Embedded result = run(backbone, files, {.threads = threads});
      EXPECT_TRUE(result.failed.empty());
      EXPECT_EQ(backbone.num_images(), 9U);
      ASSERT_EQ(result.images.size(), 9U);
      for (std::size_t i = 0; i < 9; ++i) {
        EXPECT_EQ(result.images[i].index, i);
        EXPECT_EQ(result.images[i].frame.width, 178U);
        EXPECT_EQ(result.images[i].frame.grid, vision::grid_over(178, 218, 16));
        expect_equal(result.images[i].patches, expected_patches(face(i)));
      }
    }
  }
}

TEST_F(EmbedImages, LeavesOutFilesThatAreNotImagesAndSaysWhy) {
  const std::string whole = jpeg(face(1));
  std::string corrupt = png(face(2));
  for (std::size_t i = 200; i < 400; ++i) corrupt[i] = 'x';
  const std::vector<std::string> files = {
      dir_.write("a.jpg", whole),
      dir_.write("corrupt.png", corrupt),
      dir_.write("truncated.jpg", whole.substr(0, whole.size() / 2)),
      dir_.write("b.png", png(face(3))),
      dir_.write("text.jpg", "This is not an image, whatever its name.\n"),
      dir_.write("empty.jpg", ""),
      dir_ / "missing.jpg",
      dir_.write("narrow.png", png(plain(9, 40))),
      dir_.write("c.png", png(face(4)))};
  for (const bool parallel : {false, true}) {
    const CountingBackbone backbone({.batch_size = 3, .is_parallel = parallel});
    const Embedded result = run(backbone, files);
    EXPECT_THAT(indices(result), ElementsAre(0U, 3U, 8U));
    std::vector<std::size_t> failed;
    for (const FailedImage& image : result.failed) failed.push_back(image.index);
    EXPECT_THAT(failed, ElementsAre(1U, 2U, 4U, 5U, 6U, 7U));
    for (const FailedImage& image : result.failed) {
      EXPECT_THAT(image.reason, StartsWith(files[image.index] + ": "));
    }
    EXPECT_THAT(result.failed[5].reason, HasSubstr("16 pixels wide"));
    expect_equal(result.images[1].patches, expected_patches(face(3)));
  }
}

TEST_F(EmbedImages, LeavesOutAnImageWithoutDirection) {
  /// Describes every patch by zeros.
  class Blind final : public vision::Backbone {
   public:
    [[nodiscard]] std::string identity() const override { return "blind"; }
    [[nodiscard]] std::size_t patch_size() const override { return 16; }
    [[nodiscard]] std::size_t dimension() const override { return 2; }
    [[nodiscard]] std::size_t batch_size() const override { return 1; }
    [[nodiscard]] bool is_parallel() const override { return false; }
    [[nodiscard]] vision::PatchGrid grid_of(std::size_t w, std::size_t h) const override {
      return vision::grid_over(w, h, 16);
    }
    [[nodiscard]] std::vector<Matrix<float>> embed(
        std::span<const vision::Image> images) const override {
      return std::vector(images.size(), Matrix<float>(168, 2));
    }
  };
  const auto files = write_faces(1);
  const Embedded result = run(Blind(), files);
  ASSERT_EQ(result.failed.size(), 1U);
  EXPECT_THAT(result.failed[0].reason, HasSubstr(files[0] + ": the embedding of patch 0"));
}

TEST_F(EmbedImages, ThrowsWhatTheBackboneItselfFailsAt) {
  for (const bool parallel : {false, true}) {
    const CountingBackbone backbone({.is_parallel = parallel, .fails = true});
    expect_error([&] { (void)run(backbone, write_faces(2)); }, ErrorKind::backend,
                 {"out of memory"});
  }
}

TEST_F(EmbedImages, HandsOutImagesAsTheyComeAndReportsProgress) {
  const auto files = write_faces(11);
  std::vector<std::size_t> done;
  EmbedOptions options{.threads = 1};
  options.progress = [&](std::size_t count, std::size_t total) {
    EXPECT_EQ(total, 11U);
    done.push_back(count);
  };
  const Embedded result = run(CountingBackbone({}), files, options);
  EXPECT_EQ(result.images.size(), 11U);
  std::vector<std::size_t> all(11);
  std::iota(all.begin(), all.end(), 0U);
  EXPECT_EQ(indices(result), all);
  for (std::size_t& count : all) ++count;
  EXPECT_EQ(done, all);
}

TEST_F(EmbedImages, BatchesImagesOfTheSameGridOnly) {
  std::vector<std::string> files;
  for (const std::size_t width : {32U, 32U, 20U, 48U, 48U, 48U, 48U, 32U}) {
    const auto value = static_cast<std::uint8_t>(files.size() + 1);
    files.push_back(
        dir_.write(std::to_string(files.size()) + ".png", png(plain(width, 32, value))));
  }
  files.insert(files.begin() + 4, dir_.write("bad.png", "bad"));
  const CountingBackbone backbone({.batch_size = 3, .is_parallel = true});
  const Embedded result = run(backbone, files, {.threads = 2});
  EXPECT_EQ(backbone.num_images(), 8U);
  for (const auto& batch : backbone.batches()) {
    EXPECT_LE(batch.size(), 3U);
    for (const vision::PatchGrid& grid : batch) EXPECT_EQ(grid, batch[0]);
  }
  EXPECT_LT(backbone.batches().size(), 8U);
  ASSERT_EQ(result.images.size(), 8U);
  for (const EmbeddedImage& image : result.images) {
    const std::size_t i = image.index < 4 ? image.index : image.index - 1;
    const auto value = static_cast<std::uint8_t>(i + 1);
    expect_equal(image.patches, expected_patches(plain(image.frame.width, 32, value)));
  }
}

TEST_F(EmbedImages, AppendsTheLocationOfPatches) {
  const auto files = write_faces(1);
  const Embedded result = run(CountingBackbone({}), files, {.location = vision::LocationPrior{}});
  const Matrix<float> expected = vision::with_location(CountingBackbone::describe(face(0)),
                                                       vision::grid_over(178, 218, 16), {});
  expect_equal(result.images[0].patches, unit_rows(expected.view(), "expected"));
}

TEST_F(EmbedImages, ScalesToTheWorkingSize) {
  const auto files = write_faces(1);
  const Embedded result =
      run(CountingBackbone({}), files, {.working_size = vision::WorkingSize::parse("109")});
  EXPECT_EQ(result.images[0].frame.scaled_height, 109U);
  EXPECT_EQ(result.images[0].patches.rows(), vision::grid_over(89, 109, 16).size());
}

TEST_F(EmbedWithCache, DoesNotAskTheBackboneTwice) {
  const auto files = write_faces(6);
  const CountingBackbone first({});
  const Embedded before = run(first, files, with_cache());
  EXPECT_EQ(first.num_images(), 6U);
  EXPECT_EQ(cached().size(), 6U);
  const CountingBackbone second({.batch_size = 2, .is_parallel = true});
  const Embedded after = run(second, files, with_cache());
  EXPECT_EQ(second.num_images(), 0U);
  ASSERT_EQ(after.images.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    expect_equal(after.images[i].patches, before.images[i].patches);
  }
}

/// Describes patches by numbers that take all bits of a float.
class FineBackbone final : public vision::Backbone {
 public:
  [[nodiscard]] std::string identity() const override { return "fine"; }
  [[nodiscard]] std::size_t patch_size() const override { return 16; }
  [[nodiscard]] std::size_t dimension() const override { return 4; }
  [[nodiscard]] std::size_t batch_size() const override { return 1; }
  [[nodiscard]] bool is_parallel() const override { return false; }
  [[nodiscard]] vision::PatchGrid grid_of(std::size_t w, std::size_t h) const override {
    return vision::grid_over(w, h, 16);
  }
  [[nodiscard]] std::vector<Matrix<float>> embed(
      std::span<const vision::Image> images) const override {
    std::vector<Matrix<float>> result;
    for (const vision::Image& image : images) result.push_back(describe(image));
    return result;
  }
  [[nodiscard]] static Matrix<float> describe(const vision::Image& image) {
    Matrix<float> rows = CountingBackbone::describe(image);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      for (float& value : rows.row(r)) value = 1e6F / (value + 3);
    }
    return rows;
  }
};

TEST_F(EmbedWithCache, GivesTheSameBitsAsWithout) {
  const auto files = write_faces(2);
  for (const auto precision : {EmbeddingPrecision::float16, EmbeddingPrecision::float32}) {
    EmbedOptions kept = with_cache();
    kept.precision = precision;
    const Embedded without = run(FineBackbone(), files, {.precision = precision});
    const Embedded first = run(FineBackbone(), files, kept);
    const Embedded second = run(FineBackbone(), files, kept);
    for (std::size_t i = 0; i < 2; ++i) {
      const Matrix<float> exact = FineBackbone::describe(face(i));
      Matrix<float> rows = exact;
      if (precision == EmbeddingPrecision::float16) rows = float16_rows(std::move(rows));
      const Matrix<float> expected = unit_rows(rows.view(), "expected");
      expect_equal(without.images[i].patches, expected);
      expect_equal(first.images[i].patches, expected);
      expect_equal(second.images[i].patches, expected);
    }
  }
  EXPECT_EQ(cached().size(), 4U);
}

TEST_F(EmbedWithCache, KnowsAnImageByItsContentWhateverItsName) {
  const auto files = write_faces(1);
  (void)run(CountingBackbone({}), files, with_cache());
  const CountingBackbone backbone({});
  (void)run(backbone, {dir_.write("other.png", dir_.read("face100.png"))}, with_cache());
  EXPECT_EQ(backbone.num_images(), 0U);
  (void)run(backbone, {dir_.write("face100.png", png(face(7)))}, with_cache());
  EXPECT_EQ(backbone.num_images(), 1U);
}

TEST_F(EmbedWithCache, LeavesTheLocationOutOfTheCache) {
  const auto files = write_faces(1);
  (void)run(CountingBackbone({}), files, with_cache());
  const CountingBackbone backbone({});
  EmbedOptions options = with_cache();
  options.location = vision::LocationPrior{};
  EXPECT_EQ(run(backbone, files, options).images[0].patches.cols(), 4U + 110U);
  EXPECT_EQ(run(backbone, files, with_cache()).images[0].patches.cols(), 4U);
  EXPECT_EQ(backbone.num_images(), 0U);
}

TEST_F(EmbedWithCache, DoesNotMixBackbonesSizesAndOrientations) {
  const std::vector<std::string> files = {dir_.write("a.jpg", jpeg(face(0)))};
  (void)run(CountingBackbone({}), files, with_cache());
  const CountingBackbone other({.identity = "another"});
  (void)run(other, files, with_cache());
  EXPECT_EQ(other.num_images(), 1U);
  const CountingBackbone backbone({});
  EmbedOptions smaller = with_cache();
  smaller.working_size = vision::WorkingSize::parse("160");
  EXPECT_EQ(run(backbone, files, smaller).images[0].frame.scaled_height, 160U);
  EXPECT_EQ(backbone.num_images(), 1U);
  EmbedOptions unturned = with_cache();
  unturned.decode.apply_orientation = false;
  (void)run(backbone, files, unturned);
  EXPECT_EQ(backbone.num_images(), 2U);
  EXPECT_EQ(cached().size(), 4U);
}

TEST_F(EmbedWithCache, ComputesAgainWhatIsDamaged) {
  const auto files = write_faces(1);
  const Embedded before = run(CountingBackbone({}), files, with_cache());
  const std::string path = cached().at(0);
  const auto size = std::filesystem::file_size(path);
  std::string whole(size, '\0');
  std::ifstream(path, std::ios::binary).read(whole.data(), static_cast<std::streamsize>(size));
  std::string altered = whole;
  altered[size - 5] = static_cast<char>(altered[size - 5] ^ 1);
  std::string zeros = whole.substr(0, size / 2) + std::string(size - size / 2, '\0');
  for (const std::string& damaged : {std::string(), whole.substr(0, size - 1), altered, zeros}) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << damaged;
    const CountingBackbone backbone({});
    const Embedded after = run(backbone, files, with_cache());
    EXPECT_EQ(backbone.num_images(), 1U);
    ASSERT_EQ(after.images.size(), 1U);
    expect_equal(after.images[0].patches, before.images[0].patches);
    const CountingBackbone again({});
    (void)run(again, files, with_cache());
    EXPECT_EQ(again.num_images(), 0U) << "the damage was not repaired";
  }
}

TEST_F(EmbedWithCache, WorksWithoutACacheThatCanBeWritten) {
  const auto files = write_faces(2);
  dir_.write("file", "");
  for (const std::string& folder : {dir_ / "file", std::string("/dev/null/cache")}) {
    const CountingBackbone backbone({});
    EXPECT_EQ(run(backbone, files, {.cache = cache_folder(folder)}).images.size(), 2U);
    EXPECT_EQ(backbone.num_images(), 2U);
  }
}

TEST_F(ImageFiles, AreThoseOfAFolderSortedByName) {
  for (const char* name : {"b.JPG", "a.png", "c.webp", "d.tiff", "e.Tif", "f.bmp", "g.jpeg",
                           "notes.txt", "png", "h.png.bak", ".png"}) {
    dir_.write(name, "");
  }
  std::filesystem::create_directory(dir_ / "sub.png");
  std::vector<std::string> expected;
  for (const char* name : {"a.png", "b.JPG", "c.webp", "d.tiff", "e.Tif", "f.bmp", "g.jpeg"}) {
    expected.push_back(dir_ / name);
  }
  EXPECT_EQ(image_files(dir_ / ""), expected);
}

TEST_F(ImageFiles, AreTheFileItself) {
  const std::string file = dir_.write("anything", "");
  EXPECT_THAT(image_files(file), ElementsAre(file));
}

TEST_F(ImageFiles, AreRefusedWhereThereAreNone) {
  expect_error([&] { (void)image_files(dir_ / "missing"); }, ErrorKind::not_found,
               {"missing: not an image or a directory"});
  std::filesystem::create_directory(dir_ / "empty");
  expect_error([&] { (void)image_files(dir_ / "empty"); }, ErrorKind::not_found,
               {"empty: contains no images"});
}

}  // namespace
}  // namespace caos
