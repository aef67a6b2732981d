#include "caos/io/mapped_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include "caos/io/write_whole.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::io {
namespace {

using test::expect_error;
using test::TempDir;

/// Larger than what is read at once, and different everywhere.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 400'000; ++i) text += std::to_string(i);
  return text;
}

/// Replaces standard input by a pipe that a thread fills.
class StdinFrom {
 public:
  explicit StdinFrom(std::string text) : saved_(::dup(STDIN_FILENO)) {
    std::array<int, 2> ends = {};
    if (::pipe(ends.data()) != 0) throw std::runtime_error("pipe failed");
    ::dup2(ends[0], STDIN_FILENO);
    ::close(ends[0]);
    writer_ = std::thread([text = std::move(text), end = ends[1]] {
      Sink sink(end, "pipe");
      sink.write(text);
      sink.flush();
      ::close(end);
    });
  }
  ~StdinFrom() {
    writer_.join();
    ::dup2(saved_, STDIN_FILENO);
    ::close(saved_);
  }

 private:
  int saved_;
  std::thread writer_;
};

TEST(MappedFile, HoldsTheBytesOfTheFile) {
  const TempDir dir;
  const std::string path = dir.write("a.txt", std::string("a\0b\n", 4));
  const MappedFile file = MappedFile::open(path);
  EXPECT_EQ(file.text(), std::string_view("a\0b\n", 4));
  EXPECT_EQ(file.bytes().size(), 4U);
  EXPECT_EQ(file.name(), path);
}

TEST(MappedFile, KeepsItsBytesWhenMoved) {
  const TempDir dir;
  MappedFile first = MappedFile::open(dir.write("a.txt", "hello"));
  const auto* const address = first.bytes().data();
  MappedFile second = MappedFile::open(dir.write("b.txt", "other"));
  second = std::move(first);
  EXPECT_EQ(second.text(), "hello");
  EXPECT_EQ(second.bytes().data(), address);
}

TEST(MappedFile, OfAnEmptyFileIsEmpty) {
  const TempDir dir;
  EXPECT_TRUE(MappedFile::open(dir.write("empty", "")).bytes().empty());
}

TEST(MappedFile, SaysThatAFileIsMissing) {
  const TempDir dir;
  expect_error([&] { (void)MappedFile::open(dir / "scores.npy"); }, ErrorKind::not_found,
               {"/scores.npy: no such file"});
}

TEST(MappedFile, SaysWhyAFileCannotBeOpened) {
  const TempDir dir;
  dir.write("file", "");
  expect_error([&] { (void)MappedFile::open(dir / "file/scores.npy"); }, ErrorKind::not_found,
               {"file/scores.npy: cannot be opened: Not a directory"});
}

TEST(MappedFile, RefusesADirectory) {
  expect_error([] { (void)MappedFile::open("/"); }, ErrorKind::not_found,
               {"/: is a directory; expected a file"});
}

TEST(MappedFile, ReadsFilesThatClaimToBeEmpty) {
  EXPECT_THAT(std::string(MappedFile::open("/proc/version").text()), testing::HasSubstr("version"));
}

TEST(MappedFile, ReadsAPipeToItsEnd) {
  const TempDir dir;
  const std::string path = dir / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::jthread writer([&] { std::ofstream(path) << long_text(); });
  EXPECT_EQ(MappedFile::open(path).text(), long_text());
}

TEST(MappedFile, ReadsStandardInputToItsEnd) {
  const StdinFrom input(long_text());
  const MappedFile file = MappedFile::open("-");
  EXPECT_EQ(file.text(), long_text());
  EXPECT_EQ(file.name(), "<stdin>");
}

TEST(MappedFile, KeepsWhatItHasReadWhateverHappensToTheFile) {
  const TempDir dir;
  const std::string path = dir.write("a.txt", long_text());
  const MappedFile file = MappedFile::read(path);
  dir.write("a.txt", "short");
  EXPECT_EQ(file.text(), long_text());
  EXPECT_NO_THROW(file.require_unchanged());
}

TEST(MappedFile, ReadsFilesOfEverySize) {
  const TempDir dir;
  for (const std::size_t size : {0U, 1U, 4095U, 4096U, (1U << 20) - 1, 1U << 20, 3U << 20}) {
    const std::string text(size, 'x');
    EXPECT_EQ(MappedFile::read(dir.write("a.txt", text)).text(), text);
  }
  EXPECT_THAT(std::string(MappedFile::read("/proc/version").text()), testing::HasSubstr("version"));
}

TEST(MappedFile, NoticesThatAMappedFileChanged) {
  const TempDir dir;
  const std::string path = dir.write("scores.npy", "before");
  const MappedFile file = MappedFile::open(path);
  file.require_unchanged();
  std::filesystem::last_write_time(
      path, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(1));
  expect_error([&] { file.require_unchanged(); }, ErrorKind::backend,
               {"scores.npy: changed while", "run again"});
}

TEST(MappedFile, IsNotChangedByAnotherFileThatTakesItsName) {
  const TempDir dir;
  const std::string path = dir.write("scores.npy", "before");
  const MappedFile file = MappedFile::open(path);
  std::filesystem::rename(dir.write("new.npy", "afterwards"), path);
  EXPECT_NO_THROW(file.require_unchanged());
  EXPECT_EQ(file.text(), "before");
  std::filesystem::remove(path);
  EXPECT_NO_THROW(file.require_unchanged());
}

TEST(MappedFile, CanHoldBytesThatWereReadBefore) {
  const MappedFile file = MappedFile::of_bytes({std::byte{'a'}, std::byte{'b'}}, "model.caos");
  EXPECT_EQ(file.text(), "ab");
  EXPECT_EQ(file.name(), "model.caos");
}

}  // namespace
}  // namespace caos::io
