#include "caos/io/bounded_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "tests/support/temp_dir.hpp"

namespace caos::io {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

class Bounded : public testing::Test {
 protected:
  /// A file of this size, used so many hours ago.
  void put(const std::string& name, std::size_t bytes, int hours_ago = 0) const {
    const fs::path path = fs::path(dir_ / "") / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << std::string(bytes, 'x');
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(hours_ago));
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& entry : fs::recursive_directory_iterator(dir_ / "")) {
      if (entry.is_regular_file()) result.push_back(entry.path().filename().string());
    }
    return result;
  }

  test::TempDir dir_;
};

TEST_F(Bounded, DeletesWhatWasUsedLongestAgo) {
  BoundedFolder folder(dir_ / "", ".e", 1000);
  put("aa/aa1.e", 400, 3);
  put("aa/aa2.e", 400, 5);
  put("ff/ff3.e", 400, 1);
  folder.added(400);
  EXPECT_THAT(names(), UnorderedElementsAre("aa1.e", "ff3.e"));
}

TEST_F(Bounded, LeavesEverythingBelowTheSize) {
  BoundedFolder folder(dir_ / "", ".e", 1000);
  put("aa/aa1.e", 500, 3);
  put("aa/aa2.e", 500, 5);
  folder.added(500);
  EXPECT_EQ(names().size(), 2U);
}

TEST_F(Bounded, CountsUseAsUse) {
  BoundedFolder folder(dir_ / "", ".e", 1000);
  put("aa/aa1.e", 600, 3);
  put("aa/aa2.e", 600, 5);
  folder.touch(dir_ / "aa/aa2.e");
  folder.added(600);
  EXPECT_THAT(names(), ElementsAre("aa2.e"));
}

TEST_F(Bounded, DeletesNothingOfOthers) {
  BoundedFolder folder(dir_ / "", ".e", 10);
  for (const char* name : {"notes.e", "aa/notes.e", "aa/aa.txt", "photos/aa.e", "AA/AA1.e",
                           "aa/sub/aa1.e", "abc/abc1.e"}) {
    put(name, 1000, 9);
  }
  put("aa/aa1.e", 1000, 1);
  put("aa/.caos-12-3.tmp", 1000, 1);
  fs::create_symlink(dir_ / "notes.e", dir_ / "aa/aa2.e");
  folder.added(1000);
  EXPECT_EQ(names().size(), 8U);  // seven files, and the link to one of them
  EXPECT_FALSE(fs::exists(dir_ / "aa/aa1.e"));
  EXPECT_FALSE(fs::exists(dir_ / "aa/.caos-12-3.tmp"));
}

TEST_F(Bounded, NoticesWhatOthersAdd) {
  BoundedFolder folder(dir_ / "", ".e", 1000);
  put("aa/aa1.e", 100, 9);
  folder.added(100);
  for (int i = 0; i < 20; ++i) put("bb/bb" + std::to_string(i) + ".e", 100, 5);  // by another
  for (int i = 0; i < 4; ++i) {
    put("cc/cc" + std::to_string(i) + ".e", 50);
    folder.added(50);
  }
  EXPECT_LE(names().size(), 14U);
  EXPECT_TRUE(fs::exists(dir_ / "cc/cc0.e"));
  EXPECT_FALSE(fs::exists(dir_ / "aa/aa1.e"));
}

TEST_F(Bounded, MayBeMissing) {
  BoundedFolder folder(dir_ / "missing", ".e", 10);
  folder.added(1000);
  folder.touch(dir_ / "missing/aa/aa1.e");
  EXPECT_FALSE(fs::exists(dir_ / "missing"));
}

TEST_F(Bounded, SaysWhetherAFileFits) {
  const BoundedFolder folder(dir_ / "", ".e", 1000);
  EXPECT_TRUE(folder.has_room_for(1000));
  EXPECT_FALSE(folder.has_room_for(1001));
}

/// Writes files into one folder, as a process of its own or a thread.
void write_many(const std::string& path, int first, BoundedFolder& folder) {
  for (int i = first; i < first + 200; ++i) {
    const std::string shelf = path + "/" + std::string(2, "0123456789abcdef"[i % 16]);
    fs::create_directories(shelf);
    const std::string name = shelf.substr(shelf.size() - 2) + std::to_string(i) + ".e";
    std::ofstream(shelf + "/" + name) << std::string(100, 'x');
    folder.added(100);
  }
}

TEST_F(Bounded, StaysBelowTheSizeWithThreadsAndProcesses) {
  const std::string path = dir_ / "shared";
  std::vector<pid_t> children;
  for (int c = 0; c < 3; ++c) {
    const pid_t child = ::fork();
    if (child == 0) {
      BoundedFolder folder(path, ".e", 5000);
      write_many(path, 1000 * c, folder);
      ::_exit(0);
    }
    children.push_back(child);
  }
  BoundedFolder folder(path, ".e", 5000);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 2; ++t) {
      threads.emplace_back([&, t] { write_many(path, 5000 + 1000 * t, folder); });
    }
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  std::uintmax_t total = 0;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) total += entry.file_size();
  }
  EXPECT_LE(total, 5000U + 4U * (5000 / 8 + 100));  // each may have added before it looks
  EXPECT_GT(total, 1000U);
}

}  // namespace
}  // namespace caos::io
