#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <map>
#include <mutex>
#include <stdexcept>

#include "caos/landmarks/embedding/embed_images.hpp"
#include "caos/vision/codecs/encode.hpp"
#include "tests/landmarks/embedding/counting_backbone.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos {
namespace {

using test::CountingBackbone;
using test::TempDir;
using testing::ElementsAre;

class StreamImages : public testing::Test {
 protected:
  /// Small images, each of a gray of its own.
  [[nodiscard]] std::vector<std::string> write_images(std::size_t count) const {
    std::vector<std::string> files;
    for (std::size_t i = 0; i < count; ++i) {
      const auto gray = static_cast<std::uint8_t>(i + 1);
      const auto png = vision::encode_png(
          {.width = 32, .height = 32, .rgb = std::vector(std::size_t{32 * 32 * 3}, gray)});
      const std::string text(reinterpret_cast<const char*>(png.data()), png.size());
      files.push_back(dir_.write(std::to_string(100 + i) + ".png", text));
    }
    return files;
  }

  TempDir dir_;
};

TEST_F(StreamImages, WorksOnEachOnceAndTakesThemInOrder) {
  auto files = write_images(30);
  files[7] = dir_ / "missing.png";
  for (const std::size_t threads : {1U, 2U, 5U}) {
    for (const bool parallel : {false, true}) {
      const CountingBackbone backbone({.batch_size = 4, .is_parallel = parallel});
      std::vector<std::atomic<int>> worked(files.size());
      std::vector<std::size_t> taken;
      const auto failed =
          stream_images(backbone, files, {.threads = threads}, [&](EmbeddedImage&& image) {
            ++worked[image.index];
            return [&, index = image.index, rows = image.patches.rows()] {
              EXPECT_EQ(worked[index], 1);
              EXPECT_EQ(rows, 4U);
              taken.push_back(index);
            };
          });
      ASSERT_EQ(failed.size(), 1U);
      EXPECT_EQ(failed[0].index, 7U);
      std::vector<std::size_t> expected;
      for (std::size_t i = 0; i < files.size(); ++i) {
        if (i != 7) expected.push_back(i);
      }
      EXPECT_EQ(taken, expected);
      EXPECT_EQ(worked[7], 0);
    }
  }
}

TEST_F(StreamImages, GivesTheSameFromMemoryAndFromFiles) {
  const auto files = write_images(11);
  const ImagesInMemory in_memory{
      .count = files.size(), .image = [](std::size_t i) -> vision::Image {
        const auto gray = static_cast<std::uint8_t>(i + 1);
        return {.width = 32, .height = 32, .rgb = std::vector(std::size_t{32 * 32 * 3}, gray)};
      }};
  const EmbedOptions options{.working_size = vision::WorkingSize::parse("48x40"), .threads = 2};
  for (const bool parallel : {false, true}) {
    const CountingBackbone backbone({.batch_size = 4, .is_parallel = parallel});
    std::vector<EmbeddedImage> expected;
    std::vector<EmbeddedImage> found;
    const auto into = [](std::vector<EmbeddedImage>& all) {
      return in_order([&](EmbeddedImage&& image) { all.push_back(std::move(image)); });
    };
    EXPECT_TRUE(stream_images(backbone, files, options, into(expected)).empty());
    EXPECT_TRUE(stream_images(backbone, in_memory, options, into(found)).empty());
    ASSERT_EQ(found.size(), files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
      EXPECT_EQ(found[i].index, i);
      EXPECT_EQ(found[i].frame.grid, expected[i].frame.grid);
      EXPECT_TRUE(std::ranges::equal(found[i].patches.row(0), expected[i].patches.row(0)));
    }
  }
}

TEST_F(StreamImages, CallsAnImageInMemoryByItsNumber) {
  const CountingBackbone backbone({});
  const ImagesInMemory in_memory{.count = 3, .image = [](std::size_t i) -> vision::Image {
                                   const std::size_t side = i == 1 ? 8 : 16;
                                   return {.width = side,
                                           .height = side,
                                           .rgb = std::vector<std::uint8_t>(side * side * 3, 9)};
                                 }};
  std::size_t taken = 0;
  const auto failed =
      stream_images(backbone, in_memory, {}, in_order([&](EmbeddedImage&&) { ++taken; }));
  EXPECT_EQ(taken, 2U);
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_EQ(failed[0].reason, "image 1: counting: images must be 16 pixels wide");
}

TEST_F(StreamImages, KeepsABoundedNumberOfThem) {
  const auto files = write_images(100);
  for (const std::size_t threads : {1U, 3U}) {
    for (const bool parallel : {false, true}) {
      const CountingBackbone backbone({.batch_size = 5, .is_parallel = parallel});
      std::size_t taken = 0;
      const std::size_t bound = parallel ? 4 * 5 : 4 * threads;
      const auto failed =
          stream_images(backbone, files, {.threads = threads}, in_order([&](EmbeddedImage&&) {
                          EXPECT_LE(backbone.num_images() - taken, bound);
                          ++taken;
                        }));
      EXPECT_TRUE(failed.empty());
      EXPECT_EQ(taken, files.size());
    }
  }
}

TEST_F(StreamImages, HandsOnDecodedImagesIfAskedTo) {
  const auto files = write_images(9);
  for (const bool parallel : {false, true}) {
    for (const bool keep : {false, true}) {
      const CountingBackbone backbone({.batch_size = 4, .is_parallel = parallel});
      const auto failed = stream_images(backbone, files, {.keep_pictures = keep, .threads = 2},
                                        in_order([&](EmbeddedImage&& image) {
                                          ASSERT_EQ(image.picture.has_value(), keep);
                                          if (!keep) return;
                                          EXPECT_EQ(image.picture->width, 32U);
                                          EXPECT_EQ(image.picture->rgb[0], image.index + 1);
                                        }));
      EXPECT_TRUE(failed.empty());
    }
  }
}

TEST_F(StreamImages, EmbedsOthersWhileOneIsWorkedOn) {
  const auto files = write_images(8);
  const CountingBackbone backbone({.batch_size = 2, .is_parallel = true});
  // Work on the first image ends when work on the last of the next group has begun.
  std::latch begun(1);
  const auto failed = stream_images(backbone, files, {.threads = 2},
                                    [&](EmbeddedImage&& image) -> std::function<void()> {
                                      if (image.index == 3) begun.count_down();
                                      if (image.index == 0) begun.wait();
                                      return {};
                                    });
  EXPECT_TRUE(failed.empty());
}

TEST_F(StreamImages, BatchesTheSameImagesWhateverTheThreads) {
  auto files = write_images(11);
  files[2] = dir_.write("bad.png", "bad");
  for (const std::size_t threads : {1U, 2U, 5U}) {
    const CountingBackbone backbone({.batch_size = 4, .is_parallel = true});
    const auto failed =
        stream_images(backbone, files, {.threads = threads}, in_order([](EmbeddedImage&&) {}));
    EXPECT_EQ(failed.size(), 1U);
    std::vector<std::size_t> sizes;
    for (const auto& batch : backbone.batches()) sizes.push_back(batch.size());
    // 0 and 1, 3, 4 to 7, 8 to 10.
    EXPECT_THAT(sizes, testing::UnorderedElementsAre(2U, 1U, 4U, 3U));
  }
}

TEST_F(StreamImages, ThrowsWhatTheEarliestImageThrewAndHasTakenThoseBefore) {
  const auto files = write_images(20);
  for (const std::size_t threads : {1U, 2U, 5U}) {
    for (const bool in_work : {false, true}) {
      std::vector<std::size_t> taken;
      const auto fail = [](std::size_t index) {
        if (index >= 6) throw std::runtime_error(std::to_string(index));
      };
      try {
        (void)stream_images(CountingBackbone({}), files, {.threads = threads},
                            [&](EmbeddedImage&& image) {
                              if (in_work) fail(image.index);
                              return [&, index = image.index] {
                                fail(index);
                                taken.push_back(index);
                              };
                            });
        ADD_FAILURE() << "no error";
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "6");
      }
      EXPECT_THAT(taken, ElementsAre(0U, 1U, 2U, 3U, 4U, 5U));
    }
  }
}

}  // namespace
}  // namespace caos
