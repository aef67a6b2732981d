#include "caos/io/folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::io {
namespace {

using test::expect_error;
using test::TempDir;
using testing::ElementsAre;

TEST(Folder, ListsItsFilesInOrder) {
  const TempDir folder;
  folder.write("b", "");
  folder.write("a", "");
  make_folder(folder / "c");
  EXPECT_THAT(files_in(folder / ""), ElementsAre("a", "b"));
}

TEST(Folder, IsMadeUnlessItIsThere) {
  const TempDir folder;
  EXPECT_FALSE(is_folder(folder / "x"));
  make_folder(folder / "x");
  make_folder(folder / "x");
  make_folder(folder / "y/z");
  EXPECT_TRUE(is_folder(folder / "y/z"));
  EXPECT_TRUE(is_folder(folder / "x"));
  EXPECT_FALSE(is_folder(folder.write("file", "")));
}

TEST(Folder, ThatCannotBeReadOrMadeIsNamed) {
  const TempDir folder;
  expect_error([&] { (void)files_in(folder / "no"); }, ErrorKind::not_found,
               {"no: cannot be read"});
  folder.write("taken", "");
  expect_error([&] { make_folder(folder / "taken/x"); }, ErrorKind::not_found,
               {"taken/x: cannot be made"});
  expect_error([&] { make_folder(folder.write("file", "")); }, ErrorKind::not_found, {"file"});
}

}  // namespace
}  // namespace caos::io
