#include "caos/io/read_ahead.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::io {
namespace {

using test::expect_error;
using test::TempDir;

TEST(ReadAhead, GivesTheFilesInOrder) {
  const TempDir folder;
  const std::string long_text(100'000, 'x');
  const std::vector<std::string> texts = {"one", "", long_text, "four", "five"};
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    paths.push_back(folder.write(std::to_string(i), texts[i]));
  }
  for (const std::size_t ahead : {0U, 1U, 3U, 100U}) {
    ReadAhead reader(paths, ahead);
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const MappedFile file = reader.next();
      EXPECT_EQ(file.name(), paths[i]);
      EXPECT_EQ(file.text(), texts[i]);
    }
  }
}

TEST(ReadAhead, ThrowsForAFileWhenItIsItsTurnAndGoesOn) {
  const TempDir folder;
  const std::vector<std::string> paths = {folder.write("a", "first"), folder / "missing",
                                          folder.write("c", "last")};
  ReadAhead reader(paths, 10);
  EXPECT_EQ(reader.next().text(), "first");
  expect_error([&] { (void)reader.next(); }, ErrorKind::not_found, {"missing", "no such file"});
  EXPECT_EQ(reader.next().text(), "last");
}

TEST(ReadAhead, OpensNoMoreThanItSays) {
  const TempDir folder;
  const std::vector<std::string> paths = {folder.write("a", "1"), folder.write("b", "2"),
                                          folder.write("c", "3"), folder.write("d", "4")};
  ReadAhead reader(paths, 1);
  (void)reader.next();
  // The second is open already, so that it is read though its name is gone; the third is not.
  std::filesystem::remove(paths[1]);
  std::filesystem::remove(paths[2]);
  EXPECT_EQ(reader.next().text(), "2");
  expect_error([&] { (void)reader.next(); }, ErrorKind::not_found, {paths[2]});
}

}  // namespace
}  // namespace caos::io
