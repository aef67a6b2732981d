// In which order a file comes to the disk and to its name. The system's functions are replaced by
// ones that log their calls: what a crash would leave cannot be seen otherwise.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "caos/io/write_whole.hpp"
#include "tests/support/temp_dir.hpp"

namespace {

/// The calls of this thread: other tests in this program write from several threads at once.
std::vector<std::string>& calls() {
  static thread_local std::vector<std::string> all;
  return all;
}

}  // namespace

extern "C" int fsync(int descriptor) {
  struct stat status = {};
  ::fstat(descriptor, &status);
  calls().emplace_back(S_ISDIR(status.st_mode) ? "sync folder" : "sync file");
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

extern "C" int rename(const char* from, const char* to) noexcept {
  calls().emplace_back("rename");
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

extern "C" int linkat(int from_folder, const char* from, int to_folder, const char* to,
                      int flags) noexcept {
  const long result = ::syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
  if (result == 0) calls().emplace_back("link");
  return static_cast<int>(result);
}

namespace {

using caos::io::Durability;
using testing::AnyOf;
using testing::ElementsAre;

std::vector<std::string> calls_while_writing(Durability durability, bool replaces) {
  const caos::test::TempDir dir;
  if (replaces) dir.write("file", "old");
  calls().clear();
  caos::io::write_whole(
      dir / "file", [](caos::io::Sink& sink) { sink.write(std::string_view("text")); }, durability);
  EXPECT_EQ(dir.read("file"), "text");
  return calls();
}

// A file without a name is linked to one; file systems that have no such files rename one that has.

TEST(WriteOrder, IsTheContentThenTheNameThenTheFolder) {
  EXPECT_THAT(calls_while_writing(Durability::safe, false),
              AnyOf(ElementsAre("sync file", "link", "sync folder"),
                    ElementsAre("sync file", "rename", "sync folder")));
}

TEST(WriteOrder, PutsANewFileInThePlaceOfAnOldOneAtOnce) {
  EXPECT_THAT(calls_while_writing(Durability::safe, true),
              AnyOf(ElementsAre("sync file", "link", "rename", "sync folder"),
                    ElementsAre("sync file", "rename", "sync folder")));
}

TEST(WriteOrder, DoesNotWaitForTheDiskWhereAFileMayBeLost) {
  EXPECT_THAT(calls_while_writing(Durability::may_be_lost, false),
              AnyOf(ElementsAre("link"), ElementsAre("rename")));
  EXPECT_THAT(calls_while_writing(Durability::may_be_lost, true),
              AnyOf(ElementsAre("link", "rename"), ElementsAre("rename")));
}

}  // namespace
