#include "caos/io/write_whole.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::io {
namespace {

using test::expect_error;
using test::TempDir;
using testing::ElementsAre;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

void write_text(const std::string& path, std::string_view text) {
  write_whole(path, [&](Sink& sink) { sink.write(text); });
}

/// While it lives, files cannot grow beyond `size`: a disk that fills up.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t size) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &saved_);
    const rlimit limit{.rlim_cur = size, .rlim_max = saved_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &saved_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit saved_ = {};
  void (*handler_)(int);
};

class Umask {
 public:
  explicit Umask(mode_t mask) : saved_(::umask(mask)) {}
  ~Umask() { ::umask(saved_); }

 private:
  mode_t saved_;
};

mode_t mode_of(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 0777U;
}

TEST(WriteWhole, WritesAFileAndNothingBesideIt) {
  const TempDir dir;
  write_text(dir / "a.txt", "hello");
  EXPECT_EQ(dir.read("a.txt"), "hello");
  EXPECT_THAT(dir.list(), ElementsAre("a.txt"));
}

TEST(WriteWhole, WritesAnEmptyFile) {
  const TempDir dir;
  write_whole(dir / "a.txt", [](Sink&) {});
  EXPECT_THAT(dir.list(), ElementsAre("a.txt"));
}

TEST(WriteWhole, WritesIntoTheCurrentFolder) {
  const TempDir dir;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(dir / ".");
  write_text("a.txt", "hello");
  std::filesystem::current_path(before);
  EXPECT_EQ(dir.read("a.txt"), "hello");
}

RC_GTEST_PROP(Sink, KeepsTheOrderOfSmallAndLargeWrites, ()) {
  const auto size = rc::gen::element<std::size_t>(0, 1, 1000, mebibyte - 1000, mebibyte - 1,
                                                  mebibyte, mebibyte + 1);
  const auto sizes = *rc::gen::container<std::vector<std::size_t>>(4, size);
  const TempDir dir;
  const int descriptor = ::open(dir.write("a", "").c_str(), O_WRONLY);
  Sink sink(descriptor, "a");
  std::string expected;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::string text(sizes[i], "abcd"[i]);
    sink.write(text);
    expected += text;
  }
  sink.flush();
  ::close(descriptor);
  RC_ASSERT(dir.read("a") == expected);
}

TEST(WriteWhole, ReplacesAnOlderFile) {
  const TempDir dir;
  dir.write("a.txt", "old and longer");
  write_text(dir / "a.txt", "new");
  EXPECT_EQ(dir.read("a.txt"), "new");
}

TEST(WriteWhole, LeavesTheOlderFileAloneUntilTheNewOneIsWhole) {
  const TempDir dir;
  dir.write("a.txt", "old");
  write_whole(dir / "a.txt", [&](Sink& sink) {
    sink.write("new");
    sink.flush();
    EXPECT_EQ(dir.read("a.txt"), "old");
  });
  EXPECT_EQ(dir.read("a.txt"), "new");
}

TEST(WriteWhole, LeavesEverythingAsItWasWhenTheWriterThrows) {
  const TempDir dir;
  dir.write("a.txt", "old");
  const auto write = [&] {
    write_whole(dir / "a.txt", [](Sink& sink) {
      sink.write(std::string(3 * mebibyte, 'x'));
      throw std::runtime_error("the source dried up");
    });
  };
  expect_error(write, ErrorKind::backend, {"a.txt: cannot be written: the source dried up"});
  EXPECT_EQ(dir.read("a.txt"), "old");
  EXPECT_THAT(dir.list(), ElementsAre("a.txt"));
}

TEST(WriteWhole, LeavesNothingWhenTheWriterThrowsAndNoFileWasThere) {
  const TempDir dir;
  const auto write = [&] {
    write_whole(dir / "a.txt", [](Sink&) { throw Error(ErrorKind::bad_format, "row 3 is bad"); });
  };
  expect_error(write, ErrorKind::bad_format, {"row 3 is bad"});
  EXPECT_TRUE(dir.list().empty());
}

TEST(WriteWhole, LeavesEverythingAsItWasWhenTheDiskIsFull) {
  const TempDir dir;
  dir.write("a.txt", "old");
  {
    const FileSizeLimit limit(1000);
    expect_error([&] { write_text(dir / "a.txt", std::string(2000, 'x')); }, ErrorKind::backend,
                 {"a.txt: cannot be written: File too large"});
  }
  EXPECT_EQ(dir.read("a.txt"), "old");
  EXPECT_THAT(dir.list(), ElementsAre("a.txt"));
}

TEST(WriteWhole, LeavesNothingWhenTheNameIsTakenByAFolderMeanwhile) {
  const TempDir dir;
  const auto write = [&] {
    write_whole(dir / "a", [&](Sink&) { std::filesystem::create_directory(dir / "a"); });
  };
  expect_error(write, ErrorKind::backend, {"a: cannot be written: Is a directory"});
  EXPECT_THAT(dir.list(), ElementsAre("a"));
}

TEST(WriteWhole, ReportsAFullDevice) {
  expect_error([] { write_text("/dev/full", "x"); }, ErrorKind::backend,
               {"/dev/full: cannot be written: No space left on device"});
}

TEST(WriteWhole, SaysWhichFolderIsMissing) {
  const TempDir dir;
  expect_error([&] { write_text(dir / "new/a.txt", "x"); }, ErrorKind::not_found,
               {"/new/a.txt: the folder ", "/new does not exist; create it first"});
}

TEST(WriteWhole, SaysThatAFolderIsAFile) {
  const TempDir dir;
  dir.write("file", "");
  expect_error([&] { write_text(dir / "file/a.txt", "x"); }, ErrorKind::not_found,
               {"/file is not a folder"});
}

TEST(WriteWhole, RefusesADirectory) {
  const TempDir dir;
  expect_error([&] { write_text(dir / ".", "x"); }, ErrorKind::not_found, {"is a directory"});
  expect_error([&] { write_text(dir / "a/", "x"); }, ErrorKind::not_found, {"is a directory"});
}

TEST(WriteWhole, WritesToAPipeDirectly) {
  const TempDir dir;
  const std::string path = dir / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = dir.read("pipe"); });
  write_text(path, "hello");
  reader.join();
  EXPECT_EQ(received, "hello");
  EXPECT_TRUE(std::filesystem::is_fifo(path));
}

TEST(WriteWhole, AppendsToAFileThatIsOpenAsADescriptor) {
  const TempDir dir;
  const std::string path = dir.write("a.txt", "before ");
  const int descriptor = ::open(path.c_str(), O_WRONLY);
  write_text("/dev/fd/" + std::to_string(descriptor), "after");
  ::close(descriptor);
  EXPECT_EQ(dir.read("a.txt"), "before after");
}

TEST(WriteWhole, FollowsASymbolicLink) {
  const TempDir dir;
  dir.write("target", "old");
  std::filesystem::create_symlink(dir / "target", dir / "link");
  write_text(dir / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "link"));
  EXPECT_EQ(dir.read("target"), "new");
}

TEST(WriteWhole, HonorsTheUmask) {
  const TempDir dir;
  const Umask umask(027);
  write_text(dir / "a", "x");
  EXPECT_EQ(mode_of(dir / "a"), 0640U);
}

TEST(WriteWhole, KeepsAPrivateFilePrivate) {
  const TempDir dir;
  const Umask umask(022);
  ASSERT_EQ(::chmod(dir.write("a", "old").c_str(), 0600), 0);
  write_text(dir / "a", "new");
  EXPECT_EQ(mode_of(dir / "a"), 0600U);
}

TEST(WriteWhole, AcceptsTheLongestNames) {
  const TempDir dir;
  const std::string name(255, 'a');
  write_text(dir / name, "x");
  EXPECT_THAT(dir.list(), ElementsAre(name));
}

TEST(WriteWhole, GivesOneOfSeveralWritersTheWholeFile) {
  const TempDir dir;
  {
    std::vector<std::jthread> writers;
    for (const char c : {'a', 'b', 'c', 'd'}) {
      writers.emplace_back([&, c] { write_text(dir / "file", std::string(2 * mebibyte, c)); });
    }
  }
  const std::string text = dir.read("file");
  EXPECT_EQ(text, std::string(2 * mebibyte, text.at(0)));
  EXPECT_THAT(dir.list(), ElementsAre("file"));
}

TEST(WriteWhole, WritesWhatMayBeLostJustAsWhole) {
  const TempDir dir;
  const auto write = [&](const std::string& text, bool fails) {
    write_whole(
        dir / "a.txt",
        [&](Sink& sink) {
          sink.write(text);
          require(!fails, ErrorKind::bad_format, "the source dried up");
        },
        Durability::may_be_lost);
  };
  write("old", false);
  EXPECT_EQ(dir.read("a.txt"), "old");
  expect_error([&] { write("new", true); }, ErrorKind::bad_format, {"dried up"});
  EXPECT_EQ(dir.read("a.txt"), "old");
  write("new", false);
  EXPECT_EQ(dir.read("a.txt"), "new");
  EXPECT_THAT(dir.list(), ElementsAre("a.txt"));
}

/// Whether files can be had that have no name yet.
bool has_nameless_files(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor < 0) return false;
  ::close(descriptor);
  return true;
}

TEST(WriteWhole, LeavesNothingWhenTheProgramIsKilled) {
  const TempDir dir;
  if (!has_nameless_files(dir / ".")) {
    GTEST_SKIP() << "NOT TESTED: this file system has no files without a name";
  }
  write_text(dir / "old", "old");
  const auto die = [](Sink& sink) {
    sink.write("half");
    sink.flush();
    ::kill(::getpid(), SIGKILL);
  };
  for (const char* name : {"new", "old"}) {
    const pid_t child = ::fork();
    if (child == 0) write_whole(dir / name, die);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
  }
  EXPECT_THAT(dir.list(), ElementsAre("old"));
  EXPECT_EQ(dir.read("old"), "old");
}

TEST(WriteAtStart, ReplacesTheFirstBytesAndGoesOnAtTheEnd) {
  const TempDir dir;
  write_whole(dir / "a.txt", [](Sink& sink) {
    sink.write("????");
    sink.write(std::string(2 * mebibyte, 'x'));
    sink.write("end");
    sink.write_at_start("0123");
    sink.write("!");
  });
  EXPECT_EQ(dir.read("a.txt"), "0123" + std::string(2 * mebibyte, 'x') + "end!");
}

TEST(WriteAtStart, RefusesAPipe) {
  const TempDir dir;
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  std::thread reader([&] { (void)dir.read("pipe"); });
  const auto write = [&] {
    write_whole(dir / "pipe", [](Sink& sink) {
      sink.write("????");
      sink.write_at_start("0123");
    });
  };
  expect_error(write, ErrorKind::backend, {"pipe: cannot be written from the start: Illegal seek"});
  reader.join();
}

TEST(WriteAtStart, RefusesAFileThatIsOpenAsADescriptor) {
  const TempDir dir;
  const std::string path = dir.write("a.txt", "before ");
  const int descriptor = ::open(path.c_str(), O_WRONLY);
  const auto write = [&] {
    write_whole("/dev/fd/" + std::to_string(descriptor), [](Sink& sink) {
      sink.write("????");
      sink.write_at_start("0123");
    });
  };
  expect_error(write, ErrorKind::backend, {"cannot be written from the start: Illegal seek"});
  ::close(descriptor);
  EXPECT_EQ(dir.read("a.txt"), "before ????");
}

}  // namespace
}  // namespace caos::io
