#include "caos/landmarks/formats/image_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::landmarks {
namespace {

using caos::test::expect_error;
using caos::test::TempDir;
using testing::ElementsAre;

class ImageNames : public testing::Test {
 protected:
  ImageNames() {
    std::filesystem::create_directory(folder_ / "wings");
    folder_.write("wings/a.JPG", "");
    folder_.write("b.png", "");
    folder_.write("odd#name.png", "");
    folder_.write("C.png", "");
    folder_.write("c.PNG", "");
  }

  [[nodiscard]] std::string found(const std::string& image) const {
    const auto path = find_image(folder_ / "", image);
    if (!path) return "";
    return std::filesystem::path(*path).lexically_relative(folder_ / "").generic_string();
  }

  TempDir folder_;
};

TEST_F(ImageNames, AreFoundUnderPathsOfOtherMachines) {
  EXPECT_EQ(found("wings/a.JPG"), "wings/a.JPG");
  EXPECT_EQ(found("C:\\Users\\me\\wings\\a.JPG"), "wings/a.JPG");
  EXPECT_EQ(found("/home/me/project/b.png"), "b.png");
  EXPECT_EQ(found("nothing.png"), "");
}

TEST_F(ImageNames, AreFoundInOtherLetterCaseIfJustOneFits) {
  EXPECT_EQ(found("Wings\\A.jpg"), "wings/a.JPG");
  EXPECT_EQ(found("B.PNG"), "b.png");
  EXPECT_EQ(found("c.png"), "");
  EXPECT_EQ(found("C.png"), "C.png");
}

TEST_F(ImageNames, DoNotLeadOutOfTheFolder) {
  EXPECT_EQ(found("../b.png"), "");
  EXPECT_EQ(found("wings/../../b.png"), "");
  EXPECT_EQ(found(""), "");
}

TEST_F(ImageNames, MayNameAnInstance) {
  EXPECT_EQ(found("b.png#2"), "b.png");
  EXPECT_EQ(found("odd#name.png"), "odd#name.png");
}

TEST_F(ImageNames, BecomeThoseOfTheFiles) {
  LandmarkTable table{{{.image = "x/b.png"}, {.image = "b.png#2"}, {.image = "gone.png"}}};
  LandmarkTable other = table;
  expect_error([&] { match_images(other, folder_ / "", "t.tps", MissingImages::refuse); },
               ErrorKind::not_found,
               {"t.tps: names the image 'gone.png', which is not in", "--missing-images skip"});
  const MatchedImages matched = match_images(table, folder_ / "", "t.tps", MissingImages::skip);
  EXPECT_EQ(matched.num_renamed, 1U);
  EXPECT_THAT(matched.skipped, ElementsAre("gone.png"));
  ASSERT_EQ(table.annotations.size(), 2U);
  EXPECT_EQ(table.annotations[0].image, "b.png");
  EXPECT_EQ(table.annotations[1].image, "b.png#2");
}

}  // namespace
}  // namespace caos::landmarks
