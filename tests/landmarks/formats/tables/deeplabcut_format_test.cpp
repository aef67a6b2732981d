#include "caos/landmarks/formats/tables/deeplabcut_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/landmarks/formats/sample.hpp"

namespace caos::landmarks {
namespace {

using test::expect_refused;
using test::sample;
using testing::ElementsAre;

LandmarkTable parse(const std::string& text) { return parse_deeplabcut(text, "t.csv"); }

TEST(DeepLabCut, IsReadWithImagesAsOnePath) {
  const LandmarkTable table = parse(sample("deeplabcut.csv"));
  ASSERT_EQ(table.annotations.size(), 2U);
  EXPECT_EQ(table.annotations[0].image, "labeled-data/run/img1.png");
  EXPECT_EQ(table.annotations[0].landmarks,
            (std::vector<Landmark>{{"snout", 10.5, 20.25}, {"tail", 30, 40}}));
  EXPECT_EQ(table.annotations[1].landmarks[1].visibility, Visibility::missing);
}

TEST(DeepLabCut, IsReadWithImagesInThreeColumns) {
  const LandmarkTable table =
      parse("scorer,,,s,s\nbodyparts,,,n,n\ncoords,,,x,y\nlabeled-data,v,a.png,1,2\n");
  EXPECT_EQ(table.annotations[0].image, "labeled-data/v/a.png");
  EXPECT_EQ(table.annotations[0].landmarks, (std::vector<Landmark>{{"n", 1, 2}}));
}

constexpr const char* several =
    "scorer,s,s,s,s,s,s\n"
    "individuals,fly1,fly1,fly2,fly2,single,single\n"
    "bodyparts,n,n,n,n,door,door\n"
    "coords,x,y,x,y,x,y\n"
    "a.png,1,2,5,6,7,8\n"
    "b.png,,,5,6\n";

TEST(DeepLabCut, WithSeveralIndividualsReadsTheOneThatIsChosen) {
  caos::test::expect_error(
      [] { (void)parse(several); }, ErrorKind::bad_format,
      {"t.csv:5: a second individual is marked in image 'a.png'", "2 instances (fly1, fly2)"});
  const LandmarkTable one = parse_deeplabcut(several, "t.csv", parse_instances("fly2"));
  ASSERT_EQ(one.annotations.size(), 2U);
  EXPECT_EQ(one.annotations[0].landmarks, (std::vector<Landmark>{{"n", 5, 6}, {"door", 7, 8}}));
  EXPECT_EQ(one.annotations[0].subject, std::nullopt);
  const LandmarkTable each = parse_deeplabcut(several, "t.csv", parse_instances("each"));
  ASSERT_EQ(each.annotations.size(), 3U);
  EXPECT_EQ(each.annotations[1].image, "a.png#fly2");
  EXPECT_EQ(each.annotations[2].image, "b.png");
}

TEST(DeepLabCut, MayTakeIndividualsForSubjects) {
  InstanceOptions options = parse_instances("first");
  options.as_subjects = true;
  const LandmarkTable table = parse_deeplabcut(several, "t.csv", options);
  EXPECT_EQ(table.annotations[0].subject, "fly1");
  EXPECT_EQ(table.annotations[1].subject, "fly2");
}

TEST(DeepLabCut, HasLikelihoodsOfItsOwnThatAreNotRead) {
  const auto text = [](const std::string& scorer) {
    return "scorer," + scorer + "," + scorer + "," + scorer +
           "\nbodyparts,n,n,n\ncoords,x,y,likelihood\na.png,1,2,0.5\n";
  };
  EXPECT_FALSE(parse(text("net")).annotations[0].landmarks[0].proposed);
  EXPECT_EQ(parse(text("caos")).annotations[0].landmarks[0].conformity, 0.5);
}

TEST(DeepLabCut, IsWrittenAsDeepLabCutDoes) {
  const LandmarkTable table{{{.image = "labeled-data/v/a.png", .landmarks = {{"n", 1.5, 2}}}}};
  EXPECT_EQ(write_deeplabcut(table),
            "scorer,,,caos,caos\nbodyparts,,,n,n\ncoords,,,x,y\nlabeled-data,v,a.png,1.5,2\n");
}

TEST(DeepLabCut, ThatIsMalformedIsRefusedWithTheLine) {
  const std::string head = "scorer,s,s\nbodyparts,n,n\ncoords,x,y\n";
  expect_refused(parse, {{"scorer,s\n", "t.csv:2: expected the header row 'bodyparts'"},
                         {"scorer,s,s\nbodyparts,n,n\na,1,2\n", "t.csv:3: expected the header row"},
                         {"x\n", "t.csv:1: expected the header row 'scorer'"},
                         {head + "a,1\n", "t.csv:4: body part 'n' is at (1, nan)"},
                         {head + "a,1,2,3\n", "t.csv:4: the row has 4 fields, the header 3"},
                         {head + "a,1,x\n", "t.csv:4: 'x' is not a number of pixels"},
                         {head + "a,1,1e300\n", "t.csv:4: body part 'n' is at"},
                         {head + ",1,2\n", "t.csv:4: the image has no name"},
                         {head + "a,1,2\na,1,2\n", "t.csv:5: image 'a' is listed twice"},
                         {"scorer,s\nbodyparts,n\ncoords,z\n", "the row 'coords' has 'z'"},
                         {"scorer,s\nbodyparts,n\ncoords,x\n", "body part 'n' has no column y"},
                         {"scorer,s,s\nbodyparts,n,n\ncoords,x,x\n", "has the column 'x' twice"},
                         {"scorer,s\nbodyparts,\ncoords,x\n", "column 1 has no body part"}});
}

}  // namespace
}  // namespace caos::landmarks
