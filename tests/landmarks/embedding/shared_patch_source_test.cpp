#include "caos/landmarks/embedding/shared_patch_source.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "caos/error.hpp"
#include "caos/vision/codecs/encode.hpp"
#include "caos/vision/drawing/synthetic_face.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/support/thread_processes.hpp"

namespace caos {
namespace {

using dist::Communicator;
using test::TempDir;

struct Embedded {
  std::vector<EmbeddedImage> images{};
  std::vector<FailedImage> failed{};
};

Embedded embed(const PatchSource& source, const std::vector<std::string>& files) {
  Embedded result;
  result.failed = source.stream(
      files, in_order([&](EmbeddedImage&& image) { result.images.push_back(std::move(image)); }));
  return result;
}

void expect_same(const Embedded& a, const Embedded& b) {
  ASSERT_EQ(a.images.size(), b.images.size());
  for (std::size_t i = 0; i < a.images.size(); ++i) {
    EXPECT_EQ(a.images[i].index, b.images[i].index);
    EXPECT_EQ(a.images[i].frame.width, b.images[i].frame.width);
    EXPECT_EQ(a.images[i].frame.grid, b.images[i].frame.grid);
    ASSERT_EQ(a.images[i].patches.rows(), b.images[i].patches.rows());
    for (std::size_t r = 0; r < a.images[i].patches.rows(); ++r) {
      EXPECT_TRUE(std::ranges::equal(a.images[i].patches.row(r), b.images[i].patches.row(r)));
    }
  }
  ASSERT_EQ(a.failed.size(), b.failed.size());
  for (std::size_t i = 0; i < a.failed.size(); ++i) {
    EXPECT_EQ(a.failed[i].index, b.failed[i].index);
    EXPECT_EQ(a.failed[i].reason, b.failed[i].reason);
  }
}

/// Faces, of which one is damaged and one is missing.
std::vector<std::string> write_faces(const TempDir& folder, std::size_t count) {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < count; ++i) {
    const auto jpeg = vision::encode_jpeg(vision::draw_face(5, i).image);
    const std::size_t length = i == 4 ? 100 : jpeg.size();
    const std::string content(reinterpret_cast<const char*>(jpeg.data()), length);
    files.push_back(folder.write("face" + std::to_string(i) + ".jpg", content));
  }
  files.insert(files.begin() + 2, folder / "missing.jpg");
  return files;
}

TEST(SharedPatchSource, EmbedsAsOneProcessDoes) {
  const TempDir folder;
  const std::vector<std::string> files = write_faces(folder, 9);
  const PatchSourceOptions options{.embed = {.threads = 1}};
  const Embedded alone = embed(*open_patch_source(options, files), files);
  EXPECT_EQ(alone.failed.size(), 2U);
  for (const std::size_t size : {1U, 2U, 3U, 5U}) {
    thread_processes::run_well(size, [&](Communicator& processes) {
      const SharedPatchSource source(processes, options, files);
      processes.is_first() ? expect_same(embed(source, files), alone) : source.serve();
    });
  }
}

TEST(SharedPatchSource, TellsProgressOnTheFirstProcessUpToTheEnd) {
  const TempDir folder;
  const std::vector<std::string> files = write_faces(folder, 9);
  std::size_t last = 0;
  thread_processes::run_well(3, [&](Communicator& processes) {
    PatchSourceOptions options{.embed = {.threads = 1}};
    options.embed.progress = [&](std::size_t done, std::size_t total) {
      EXPECT_TRUE(processes.is_first());
      EXPECT_EQ(total, files.size());
      last = done;
    };
    const SharedPatchSource source(processes, options, files);
    processes.is_first() ? static_cast<void>(embed(source, files)) : source.serve();
  });
  EXPECT_EQ(last, files.size());
}

TEST(SharedPatchSource, NeedsItsBackboneOnEveryProcess) {
  const auto done = thread_processes::run(4, [&](Communicator& processes) {
    PatchSourceOptions options;
    if (processes.index() == 2) options.backbone = "onnx:not-there.onnx";
    const SharedPatchSource source(processes, options, {});
  });
  try {
    std::rethrow_exception(done.thrown[0]);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("process 2: "), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("not-there.onnx"), std::string::npos);
  }
  for (std::size_t process = 1; process < 4; ++process) EXPECT_FALSE(done.thrown[process]);
}

}  // namespace
}  // namespace caos
