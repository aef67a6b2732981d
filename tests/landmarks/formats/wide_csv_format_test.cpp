#include "caos/landmarks/formats/wide_csv_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/landmarks/formats/sample.hpp"

namespace caos::landmarks {
namespace {

using test::expect_refused;
using testing::ElementsAre;

LandmarkTable parse(const std::string& text) { return parse_wide_csv(text, "t.csv"); }

TEST(WideCsv, HasTwoColumnsPerLandmark) {
  const LandmarkTable table = parse("id,X1,Y1,X2,Y2\na.png,1,2,3.5,4\nb.png,5,6,NA,\n");
  ASSERT_EQ(table.annotations.size(), 2U);
  EXPECT_EQ(table.annotations[0].landmarks, (std::vector<Landmark>{{"1", 1, 2}, {"2", 3.5, 4}}));
  EXPECT_EQ(table.annotations[1].landmarks[1].visibility, Visibility::missing);
}

TEST(WideCsv, IsReadAsGeomorphAndRWriteIt) {
  for (const char* header : {"\"\",\"1.X\",\"1.Y\"", "X,X1.X,X1.Y", "specimen,x_1,y_1"}) {
    const LandmarkTable table = parse(std::string(header) + "\nw1,1,2\n");
    EXPECT_EQ(table.annotations[0].image, "w1") << header;
    EXPECT_EQ(table.annotations[0].landmarks, (std::vector<Landmark>{{"1", 1, 2}})) << header;
  }
  EXPECT_THAT(parse("file,left eye_x,left eye_y\na,1,2\n").landmark_names(),
              ElementsAre("left eye"));
}

TEST(WideCsv, MayCountFromTheBottom) {
  const ImageSizes sizes = [](const std::string&) { return ImageSize{10, 8}; };
  const LandmarkTable table = parse_wide_csv("id,X1,Y1\na,1,2\n", "t.csv", TpsY::bottom, sizes);
  EXPECT_EQ(table.annotations[0].landmarks[0].y, 6);
}

TEST(WideCsv, SaysWhichColumnsAreNotRead) {
  std::vector<std::string> notes;
  const LandmarkTable table =
      parse_wide_csv("id,species,X1,Y1,subject,scale\na,fly,1,2,s,0.5\n", "t.csv", TpsY::top, {},
                     [&](const std::string& text) { notes.push_back(text); });
  EXPECT_THAT(notes, ElementsAre("t.csv: columns that are not read: species"));
  EXPECT_EQ(table.annotations[0].subject, "s");
  EXPECT_EQ(table.annotations[0].scale, 0.5);
}

TEST(WideCsv, ThatIsMalformedIsRefusedWithTheLine) {
  expect_refused(parse, {{"X1,Y1\n1,2\n", "t.csv: has no column for the image"},
                         {"id,X1\na,1\n", "landmark '1' has no column for y"},
                         {"id,X1,x_1,Y1\na,1,1,1\n", "is the x of landmark '1' a second time"},
                         {"id,X1,Y1\n,1,2\n", "t.csv:2: the image has no name"},
                         {"id,X1,Y1\na,1,2\na,1,2\n", "t.csv:3: image 'a' is listed twice"},
                         {"id,X1,Y1\na,1,\n", "t.csv:2: landmark '1' is at ''"},
                         {"id,X1,Y1\na,1,inf\n", "t.csv:2: landmark '1' is at 'inf'"},
                         {"id,X1,Y1,scale\na,1,1,0\n", "t.csv:2: scale is '0'"},
                         {"id,X1,Y1,width\na,1,1,x\n", "t.csv:2: width is 'x'"}});
}

}  // namespace
}  // namespace caos::landmarks
