#include "caos/landmarks/formats/tables/csv_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/landmarks/formats/sample.hpp"

namespace caos::landmarks {
namespace {

using test::expect_refused;
using test::sample;
using testing::ElementsAre;

LandmarkTable parse(const std::string& text) { return parse_csv(text, "t.csv"); }

TEST(CsvLandmarks, AreReadFromASample) {
  const LandmarkTable table = parse(sample("points.csv"));
  const Annotation first{.image = "cat 1.jpg",
                         .landmarks = {{"left eye", 101.5, 52.25, Visibility::visible},
                                       {"right eye", 140, 51.5, Visibility::hidden},
                                       {"nose", 0, 0, Visibility::missing}},
                         .subject = "Minka",
                         .scale = 0.1};
  const Annotation second{.image = "cat, 2.jpg",
                          .landmarks = {{"left eye", 88.25, 60}, {"nose", 101.125, 83.75}}};
  EXPECT_THAT(table.annotations, ElementsAre(first, second));
}

TEST(CsvLandmarks, AreWrittenAsTheSampleIs) {
  EXPECT_EQ(write_csv(parse(sample("points.csv"))), sample("points.csv"));
}

TEST(CsvLandmarks, MayHaveTheirColumnsInAnyOrder) {
  EXPECT_EQ(parse("y,x,landmark,image\n2,1,nose,a.png\n"),
            parse("image,landmark,x,y\na.png,nose,1,2\n"));
}

TEST(CsvLandmarks, OfOneImageMayBeFarApart) {
  const LandmarkTable table = parse("image,landmark,x,y\na,n,1,2\nb,n,3,4\na,m,5,6\n");
  ASSERT_EQ(table.annotations.size(), 2U);
  EXPECT_EQ(table.annotations[0].landmarks.size(), 2U);
}

TEST(CsvLandmarks, KeepAnImageThatHasNone) {
  const LandmarkTable table = parse("image,landmark,x,y\na.png,,,\n");
  EXPECT_THAT(table.annotations, ElementsAre(Annotation{.image = "a.png"}));
  EXPECT_EQ(parse(write_csv(table)), table);
}

TEST(CsvLandmarks, HaveTheColumnsTheyNeed) {
  const LandmarkTable table{{{.image = "a", .landmarks = {{"n", 1, 2}}}}};
  EXPECT_EQ(write_csv(table), "image,landmark,x,y\na,n,1,2\n");
}

/// Names of columns that other tools use, in any case; other separators; words for missing.
TEST(CsvLandmarks, AreTakenAsOtherToolsWriteThem) {
  const LandmarkTable expected = parse("image,landmark,x,y\na.png,nose,1.5,2\na.png,ear,,\n");
  for (const char* text : {"File Name,Keypoint,X,Y\na.png,nose,1.5,2\na.png,ear,NA,NA\n",
                           "filename;Label;x;y\na.png;nose;1,5;2\na.png;ear;;\n",
                           "x\ty\tpoint\timage_name\n1.5\t2\tnose\ta.png\nNaN\tnan\tear\ta.png\n",
                           "id,bodypart,x,y\na.png,nose,1.5,2\na.png,ear,-,-\n"}) {
    EXPECT_EQ(parse(text), expected) << text;
  }
}

TEST(CsvLandmarks, AreNumberedWhereTheyHaveNoNames) {
  EXPECT_EQ(parse("image,x,y\na,1,2\nb,3,4\na,5,6\n"),
            parse("image,landmark,x,y\na,1,1,2\nb,1,3,4\na,2,5,6\n"));
}

TEST(CsvLandmarks, NameColumnsThatAreNotRead) {
  std::vector<std::string> notes;
  const LandmarkTable table = parse_csv("image,landmark,x,y,visble,author\na,n,1,2,0,me\n", "t.csv",
                                        [&](const std::string& text) { notes.push_back(text); });
  EXPECT_THAT(notes, ElementsAre("t.csv: columns that are not read: visble, author"));
  EXPECT_EQ(table, parse("image,landmark,x,y\na,n,1,2\n"));
}

/// ImageJ calls the image Label, and measures points in the order in which they were set.
TEST(CsvLandmarks, OfImageJAreInTheOrderOfRows) {
  std::vector<std::string> notes;
  const LandmarkTable table =
      parse_csv(" ,Label,Area,X,Y\n1,a.tif,0,1.5,2\n2,a.tif,0,3,4\n3,b.tif,0,5,6\n", "t.csv",
                [&](const std::string& text) { notes.push_back(text); });
  EXPECT_EQ(table, parse("image,landmark,x,y\na.tif,1,1.5,2\na.tif,2,3,4\nb.tif,1,5,6\n"));
  EXPECT_THAT(notes, ElementsAre("t.csv: columns that are not read: Area"));
}

TEST(CsvLandmarks, OfOneImageNeedNoColumnForIt) {
  const LandmarkTable table = parse_csv("id,x,y\nnose,1,2\n", "t.csv", {}, "a");
  EXPECT_EQ(table, parse("image,landmark,x,y\na,nose,1,2\n"));
  EXPECT_EQ(write_csv_of_image(table), "landmark,x,y\nnose,1,2\n");
  const LandmarkTable none = parse_csv("landmark,x,y\n", "t.csv", {}, "a");
  EXPECT_EQ(none, (LandmarkTable{{{.image = "a"}}}));
  EXPECT_EQ(parse_csv(write_csv_of_image(none), "t.csv", {}, "a"), none);
  caos::test::expect_error([] { (void)write_csv_of_image({}); }, ErrorKind::invalid_input,
                           {"one image"});
}

TEST(CsvLandmarks, ThatAreMalformedAreRefusedWithTheirLine) {
  const std::string header = "image,landmark,x,y\n";
  expect_refused(
      parse,
      {{"", "t.csv: is empty"},
       {"image,landmark,x\n", "t.csv: has no column 'y'"},
       {"landmark,x,y\n", "t.csv: has no column 'image'"},
       {"image,landmark,x,y,x\n", "t.csv: has the column 'x' twice"},
       {header + "a,n,1\n", "t.csv:2: the row has 3 fields"},
       {header + ",n,1,2\n", "t.csv:2: the image has no name"},
       {header + "a,,1,2\n", "t.csv:2: the landmark has no name"},
       {header + "a,n,1,2\na,m,1,\n", "t.csv:3: y is ''"},
       {header + "a,n,nan,2\n", "t.csv:2: x is 'nan'"},
       {header + "a,n,1,inf\n", "t.csv:2: y is 'inf'"},
       {header + "a,n,1e300,2\n", "t.csv:2: x is '1e300'"},
       {header + "a,n,\"1,5\",2\n", "t.csv:2: x is '1,5'"},
       {header + "a,n,1,2\nb,n,1,2\na,n,1,2\n",
        "t.csv:4: landmark 'n' of image 'a' is given twice"},
       {"image,landmark,x,y,visible\na,n,1,2,maybe\n", "t.csv:2: visible is 'maybe'"},
       {"image,landmark,x,y,scale\na,n,1,2,0\n", "t.csv:2: scale is '0'"},
       {"image,landmark,x,y,scale\na,n,1,2,1\na,m,1,2,2\n", "t.csv:3: scale of image 'a'"},
       {"image,landmark,x,y,subject\na,n,1,2,s\na,m,1,2,t\n", "t.csv:3: subject of image 'a'"},
       {"image,landmark,x,y,width\na,n,1,2,-4\n", "t.csv:2: width is '-4'"}});
}

TEST(CsvLandmarks, ThatNoFileCanHoldAreNotWritten) {
  const LandmarkTable twice{{{.image = "a", .landmarks = {{"n", 1, 2}, {"n", 1, 2}}}}};
  caos::test::expect_error([&] { (void)write_csv(twice); }, ErrorKind::invalid_input,
                           {"image 'a': has the landmark 'n' twice"});
}

}  // namespace
}  // namespace caos::landmarks
