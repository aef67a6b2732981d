#include "caos/landmarks/formats/tables/wide_csv_format.hpp"

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

TEST(WideCsv, NamesItsColumnsInManyWays) {
  for (const char* header : {"id,X1,Y1", "id,x1,y1", "id,1x,1y", "ID,1_X,1_Y", "id,x.1,y.1",
                             "id,X 1,Y 1", "id,1 (x),1 (y)", "id,1:x,1:y", "Specimen,1.x,1.y",
                             "file name,1-x,1-y", "anything,1[x],1[y]"}) {
    const LandmarkTable table = parse(std::string(header) + "\nw1,1,2\n");
    EXPECT_EQ(table.annotations[0].image, "w1") << header;
    EXPECT_EQ(table.annotations[0].landmarks, (std::vector<Landmark>{{"1", 1, 2}})) << header;
  }
  EXPECT_THAT(parse("id,x_nose,y_nose,lm2x,lm2y\na,1,2,3,4\n").landmark_names(),
              ElementsAre("nose", "lm2"));
}

TEST(WideCsv, ChoosesTheLikeliestColumnForTheImage) {
  EXPECT_EQ(parse("id,X1,Y1,image\n7,1,2,a.png\n").annotations[0].image, "a.png");
  EXPECT_EQ(parse("sex,id,X1,Y1\nf,a,1,2\n").annotations[0].image, "a");
  EXPECT_EQ(parse("X1,Y1,whatever\n1,2,a\n").annotations[0].image, "a");
}

/// Spreadsheets and scripts of other countries.
TEST(WideCsv, TakesOtherSeparatorsAndDecimalCommas) {
  const LandmarkTable expected = parse("id,X1,Y1,X2,Y2\na b.png,1.5,2,3,4.25\n");
  for (const char* text : {"\xef\xbb\xbfid;X1;Y1;X2;Y2\r\na b.png;1,5;2;3;4,25\r\n",
                           "id\tX1\tY1\tX2\tY2\na b.png\t1.5\t2\t3\t4.25",
                           "id,X1,Y1,X2,Y2,,\na b.png,1.5,2,3,4.25,,\n,,,,,,\n\n",
                           "\n\nid, X1, Y1, X2, Y2\na b.png, 1.5, 2, 3, 4.25\n",
                           "\"id\" \"X1\" \"Y1\" \"X2\" \"Y2\"\n\"a b.png\" 1.5 2 3 4.25\n",
                           "\"X1\" \"Y1\" \"X2\" \"Y2\"\n\"a b.png\" 1.5 2 3 4.25\n"}) {
    EXPECT_EQ(parse(text), expected) << text;
  }
}

TEST(WideCsv, MayHaveNoNamesOfColumns) {
  EXPECT_EQ(parse("a,1,2,3,4\nb,5,6,NA,NA\n"), parse("id,X1,Y1,X2,Y2\na,1,2,3,4\nb,5,6,NA,NA\n"));
  EXPECT_TRUE(is_wide_csv("a,1,2,3,4\n"));
  EXPECT_TRUE(is_wide_csv("a.png,1,2\n"));
  EXPECT_TRUE(is_wide_csv("001;1,5;2;3;4\n"));
  EXPECT_FALSE(is_wide_csv("nose,1,2\n"));  // may be a landmark
  EXPECT_FALSE(is_wide_csv("1,2,3,4\n"));
}

TEST(WideCsv, HasMissingLandmarksInManyWays) {
  std::vector<std::string> notes;
  const LandmarkTable table =
      parse_wide_csv("id,X1,Y1,X2,Y2,X3,Y3,X4,Y4,X5,Y5\na,,,NA,NA,-1,-1,0,0,nan,NaN\n", "t.csv",
                     TpsY::top, {}, [&](const std::string& text) { notes.push_back(text); });
  for (const Landmark& landmark : table.annotations[0].landmarks) {
    EXPECT_EQ(landmark.visibility, Visibility::missing) << landmark.name;
  }
  EXPECT_THAT(notes, ElementsAre("t.csv: 1 landmarks at (0, 0) are read as missing"));
}

TEST(WideCsv, MayCountFromTheBottom) {
  const ImageSizes sizes = [](const std::string&) { return ImageSize{10, 8}; };
  const LandmarkTable table = parse_wide_csv("id,X1,Y1\na,1,2\n", "t.csv", TpsY::bottom, sizes);
  EXPECT_EQ(table.annotations[0].landmarks[0].y, 6);
}

TEST(WideCsv, SaysWhichColumnsAreNotRead) {
  std::vector<std::string> notes;
  const LandmarkTable table =
      parse_wide_csv("id,species,X1,Y1,x_scale,subject,scale\na,fly,1,2,3,s,0.5\n", "t.csv",
                     TpsY::top, {}, [&](const std::string& text) { notes.push_back(text); });
  EXPECT_THAT(notes, ElementsAre("t.csv: columns that are not read: species, x_scale"));
  EXPECT_EQ(table.annotations[0].subject, "s");
  EXPECT_EQ(table.annotations[0].scale, 0.5);
}

TEST(WideCsv, ThatIsMalformedIsRefusedWithTheLine) {
  expect_refused(parse, {{"X1,Y1\n1,2\n", "t.csv: has no column for the image"},
                         {"id,X1\na,1\n", "landmark '1' has no column for y"},
                         {"id,X1,x_1,Y1\na,1,1,1\n", "is the x of landmark '1' a second time"},
                         {"id,X1,Y1\n,1,2\n", "t.csv:2: the image has no name"},
                         {"id,X1,Y1\na,1,2\na,1,2\n", "t.csv:3: image 'a' is listed twice"},
                         {"id,X1,Y1\na,1,\n", "t.csv:2: landmark '1': '' is not a position"},
                         {"id,X1,Y1\na,1,inf\n", "t.csv:2: landmark '1': 'inf' is not a position"},
                         {"id,X1,Y1\na,\"1,5\",2\n", "'1,5' is not a position"},
                         {"id;X1;Y1\na;1;2;3;4\n", "the row has 5 fields, the header 3"},
                         {"id,X1,Y1,scale\na,1,1,0\n", "t.csv:2: scale is '0'"},
                         {"id,X1,Y1,width\na,1,1,x\n", "t.csv:2: width is 'x'"}});
}

TEST(WideCsv, RejectsATableWithARowForEachLandmark) {
  EXPECT_TRUE(is_wide_csv("image,px_x,px_y\n"));
  EXPECT_FALSE(is_wide_csv("filename;landmark_id;x_px;y_px\n"));
}

}  // namespace
}  // namespace caos::landmarks
