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

TEST_F(ImageNames, AreFoundWithoutOrWithAnotherExtensionIfJustOneFits) {
  EXPECT_EQ(found("wings/A"), "wings/a.JPG");
  EXPECT_EQ(found("D:/b"), "b.png");
  EXPECT_EQ(found("B.tif"), "b.png");
  EXPECT_EQ(found("b.02"), "");
  EXPECT_EQ(found("c"), "");
  folder_.write("b.02.png", "");
  folder_.write("notes.txt", "");
  EXPECT_EQ(found("b.02"), "b.02.png");
  EXPECT_EQ(found("notes"), "");
  EXPECT_EQ(found(" b.png "), "b.png");
}

TEST_F(ImageNames, AreFoundInFoldersBelowIfJustOneFitsBest) {
  std::filesystem::create_directories(folder_ / "raw/day 1/left");
  std::filesystem::create_directories(folder_ / "raw/day 2/left");
  folder_.write("raw/day 1/left/001.bmp", "");
  folder_.write("raw/day 1/left/002.bmp", "");
  folder_.write("raw/day 2/left/002.bmp", "");
  folder_.write("raw/day 2/left/notes.txt", "");
  EXPECT_EQ(found("001.bmp"), "raw/day 1/left/001.bmp");
  EXPECT_EQ(found("annotations/001"), "raw/day 1/left/001.bmp");
  EXPECT_EQ(found("002.bmp"), "");
  EXPECT_EQ(found("left/002.bmp"), "");
  EXPECT_EQ(found("D:\\photos\\Day 2\\left\\002.BMP"), "raw/day 2/left/002.bmp");
  EXPECT_EQ(found("day 1/left/002"), "raw/day 1/left/002.bmp");
  EXPECT_EQ(found("notes.txt"), "");
  EXPECT_EQ(found("../001.bmp"), "");
}

TEST_F(ImageNames, AreThoseOfImages) {
  for (const char* name : {"a.jpg", "a.JPEG", "a.b.png", "x/a.Tiff", "a.webp", "b.bmp"}) {
    EXPECT_TRUE(has_image_extension(name)) << name;
  }
  for (const char* name : {"a", "jpg", "a.txt", "", "a.png/b", ".png", "x/.png"}) {
    EXPECT_FALSE(has_image_extension(name)) << name;
  }
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

/// Lists of points do not say what kind of image they are of.
TEST_F(ImageNames, WithoutExtensionAreNoOtherNames) {
  LandmarkTable table{{{.image = "b"}, {.image = "wings/a"}}};
  EXPECT_EQ(match_images(table, folder_ / "", "points", MissingImages::refuse).num_renamed, 0U);
  EXPECT_EQ(table.annotations[1].image, "wings/a.JPG");
}

TEST_F(ImageNames, OfOneImageAreBothNamed) {
  LandmarkTable table{{{.image = "senior/b"}, {.image = "junior/b"}}};
  expect_error([&] { match_images(table, folder_ / "", "points", MissingImages::refuse); },
               ErrorKind::invalid_input,
               {"points: 'senior/b' and 'junior/b' are both the image 'b.png'"});
}

TEST_F(ImageNames, ThatAreLongKeepTheirEndInErrors) {
  const std::string path = "C:\\Users\\Federico\\Desktop\\specimens\\albistylum\\drp030.jpg";
  LandmarkTable table{{{.image = path}}};
  expect_error([&] { match_images(table, folder_ / "", "t.tps", MissingImages::refuse); },
               ErrorKind::not_found, {"'...", "\\albistylum\\drp030.jpg'"});
}

TEST_F(ImageNames, OfSleapMayBeOfImagesWithinTheFile) {
  LandmarkTable table{{{.image = "video0_000001.png"}}};
  expect_error([&] { match_images(table, folder_ / "", "a.pkg.slp", MissingImages::refuse); },
               ErrorKind::not_found, {"--extract-images"});
}

TEST(ImageIndex, FindsImagesByTheNamesOfOtherFiles) {
  const std::vector<std::string> images = {"a.JPG", "x/b.png", "y/b.png", "C.png", "c.PNG", "d.1"};
  const ImageIndex index(images);
  EXPECT_EQ(index.find("a.JPG"), 0U);
  EXPECT_EQ(index.find("C:\\wings\\A.jpg"), 0U);
  EXPECT_EQ(index.find("a"), 0U);
  EXPECT_EQ(index.find("a.tif"), 0U);
  EXPECT_EQ(index.find("x/b.png"), 1U);
  EXPECT_EQ(index.find("b.png"), std::nullopt);  // two fit
  EXPECT_EQ(index.find("C.png"), 3U);
  EXPECT_EQ(index.find("c.png"), std::nullopt);
  EXPECT_EQ(index.find("d.1"), 5U);
  EXPECT_EQ(index.find("d"), std::nullopt);
  EXPECT_EQ(index.find("e.png"), std::nullopt);
}

}  // namespace
}  // namespace caos::landmarks
