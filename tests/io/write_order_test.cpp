// In which order a file comes to the disk and to its name. The system's functions are replaced by
// ones that write down who calls them: what a crash would leave cannot be seen otherwise.

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

std::vector<std::string>& calls() {
  static std::vector<std::string> all;
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

namespace {

using caos::io::Durability;
using testing::ElementsAre;

std::vector<std::string> calls_while_writing(Durability durability) {
  const caos::test::TempDir dir;
  calls().clear();
  caos::io::write_whole(
      dir / "file", [](caos::io::Sink& sink) { sink.write(std::string_view("text")); }, durability);
  EXPECT_EQ(dir.read("file"), "text");
  return calls();
}

TEST(WriteOrder, IsTheContentThenTheNameThenTheFolder) {
  EXPECT_THAT(calls_while_writing(Durability::safe),
              ElementsAre("sync file", "rename", "sync folder"));
}

TEST(WriteOrder, DoesNotWaitForTheDiskWhereAFileMayBeLost) {
  EXPECT_THAT(calls_while_writing(Durability::may_be_lost), ElementsAre("rename"));
}

}  // namespace
