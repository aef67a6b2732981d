#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/studio/exchange/import_landmarks.hpp"
#include "tests/studio/store/store_fixture.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

using caos::test::expect_error;
using landmarks::NamedText;
using test::StoreFixture;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class Import : public testing::Test {
 protected:
  ImportResult read(const std::vector<NamedText>& files, ImportOptions options = {}) {
    options.annotator = "Ada";
    return import_landmarks(*store, store.project, files, options);
  }
  ImportResult read_csv(const std::string& rows, const ImportOptions& options = {}) {
    return read({{"points.csv", "image,landmark,x,y\n" + rows}}, options);
  }
  std::vector<Point> points(Id image) { return store->reading(store.project, image).points; }

  StoreFixture store;
};

TEST_F(Import, PutsPointsIntoTheImagesOfThatName) {
  const std::vector<Id> ids = store.add_images(3);
  const ImportResult result = read_csv("0.png,nose,1.5,2\n0.png,chin,,\n2.png,nose,3,4\n");
  EXPECT_EQ(result.images, 2U);
  EXPECT_EQ(result.points, 3U);
  EXPECT_THAT(result.unknown_images, IsEmpty());
  ASSERT_EQ(points(ids[0]).size(), 2U);
  EXPECT_EQ(points(ids[0])[0].x, 1.5);
  EXPECT_EQ(points(ids[0])[0].annotator, "Ada");
  EXPECT_EQ(points(ids[0])[0].source, Source::import);
  EXPECT_EQ(points(ids[0])[1].state, PointState::missing);
  EXPECT_EQ(points(ids[1]).size(), 0U);
}

TEST_F(Import, FindsImagesWithoutFolderOrExtension) {
  store.add_images(2);
  const ImportResult result =
      read_csv("faces/0.png,nose,1,2\n\"C:\\faces\\1.png\",nose,1,2\nelsewhere.png,nose,1,2\n");
  EXPECT_EQ(result.images, 2U);
  EXPECT_THAT(result.unknown_images, ElementsAre("elsewhere.png"));
  EXPECT_EQ(read_csv("1,chin,1,2\n").images, 1U);
}

TEST_F(Import, GivesPointsToNoImageWhereTwoFit) {
  store->add_image(store.project, {.name = "a.png"}, test::png(1));
  store->add_image(store.project, {.name = "a.jpg"}, test::png(2));
  const ImportResult result = read_csv("a,nose,1,2\n");
  EXPECT_EQ(result.images, 0U);
  EXPECT_THAT(result.unknown_images, ElementsAre("a"));
  EXPECT_THAT(result.warnings, ElementsAre(HasSubstr("several images")));
}

TEST_F(Import, RefusesTwoAnnotationsOfOneImage) {
  store.add_images(1);
  expect_error([&] { read_csv("x/0.png,nose,1,2\ny/0.png,nose,1,2\n"); }, ErrorKind::bad_format,
               {"x/0.png", "y/0.png"});
}

TEST_F(Import, LeavesWhatIsThereUnlessAskedToReplaceIt) {
  const Id image = store.add_image();
  store->apply(store.project, store.placing(image, 0, 5, 6));
  EXPECT_EQ(read_csv("0.png,nose,1,2\n0.png,chin,3,4\n").skipped, 1U);
  EXPECT_EQ(points(image)[0].x, 5);
  EXPECT_EQ(points(image)[1].x, 3);
  EXPECT_EQ(read_csv("0.png,nose,1,2\n", {.overwrite = true}).points, 1U);
  EXPECT_EQ(points(image)[0].x, 1);
}

TEST_F(Import, AddsLandmarksIfAskedTo) {
  const Id image = store.add_image();
  const ImportResult left_out = read_csv("0.png,left eye,1,2\n0.png,right eye,3,4\n");
  EXPECT_EQ(left_out.skipped, 2U);
  EXPECT_THAT(left_out.warnings, ElementsAre(HasSubstr("left eye, right eye")));
  EXPECT_EQ(store->scheme(store.project).size(), 2U);
  const ImportResult added =
      read_csv("0.png,left eye,1,2\n0.png,right eye,3,4\n", {.add_landmarks = true});
  EXPECT_THAT(added.new_landmarks, ElementsAre("left eye", "right eye"));
  const auto scheme = store->scheme(store.project);
  ASSERT_EQ(scheme.size(), 4U);
  EXPECT_EQ(scheme[2].pair, "right eye");
  EXPECT_EQ(points(image).size(), 2U);
}

TEST_F(Import, TakesPointsWithoutNamesInTheOrderOfTheScheme) {
  const Id image = store.add_image();
  ImportOptions options{.add_landmarks = true};
  options.files.tps.y = landmarks::TpsY::bottom;
  const ImportResult result =
      read({{"a.tps", "LM=2\n1 10\n3 20\nIMAGE=0.png\nID=0\nSCALE=0.5\n"}}, options);
  EXPECT_THAT(result.new_landmarks, IsEmpty());
  ASSERT_EQ(points(image).size(), 2U);
  EXPECT_EQ(points(image)[0].y, 20);  // of 30 rows
  EXPECT_EQ(points(image)[1].x, 3);
  EXPECT_EQ(store->image(store.project, image).mm_per_pixel, 0.5);
  expect_error(
      [&] {
        read({{"a.tps", "LM=1\n1 10\nIMAGE=0.png\nID=0\n"}}, options);
      },
      ErrorKind::invalid_input, {"has 1", "scheme 2"});
  expect_error(
      [&] {
        read({{"a.tps", "LM=1\n1 10\nIMAGE=0.png\n"}});
      },
      ErrorKind::invalid_input, {"y"});
}

TEST_F(Import, ReadsAFileForEachImage) {
  const std::vector<Id> ids = store.add_images(2);
  const ImportResult result = read({{"0.pts", "version: 1\nn_points: 2\n{\n1.5 2.5\n-1 -1\n}\n"},
                                    {"1.pts", "version: 1\nn_points: 2\n{\n3 4\n5 6\n}\n"}});
  EXPECT_EQ(result.images, 2U);
  EXPECT_EQ(points(ids[0])[0].x, 1);
  EXPECT_EQ(points(ids[1])[1].y, 5.5);
}

TEST_F(Import, TakesSubjectsAndScalesWhereThereAreNone) {
  const std::vector<Id> ids = store.add_images(2);
  store->change_image(store.project, ids[1], "own", 0.3);
  const ImportResult result = read({{"points.csv",
                                     "image,landmark,x,y,subject,scale\n0.png,nose,1,2,s1,0.1\n"
                                     "1.png,nose,1,2,s2,0.2\n"}});
  EXPECT_THAT(result.warnings, IsEmpty());
  EXPECT_EQ(store->image(store.project, ids[0]).subject, "s1");
  EXPECT_EQ(store->image(store.project, ids[0]).mm_per_pixel, 0.1);
  EXPECT_EQ(store->image(store.project, ids[1]).subject, "own");
  EXPECT_EQ(store->image(store.project, ids[1]).mm_per_pixel, 0.3);
}

TEST_F(Import, WarnsOfSubjectsThatComeTooLate) {
  const std::vector<Id> ids = store.add_images(4);
  store->draw_sample(store.project, 2, 7);
  const ImportResult result =
      read({{"points.csv", "image,landmark,x,y,subject\n0.png,nose,1,2,s1\n"}});
  EXPECT_EQ(result.points, 1U);
  EXPECT_THAT(result.warnings, ElementsAre(HasSubstr("of 1 images were not taken")));
  EXPECT_EQ(store->image(store.project, ids[0]).subject, std::nullopt);
}

TEST_F(Import, OfPointsOutsideChangesNothingAtAll) {
  const std::vector<Id> ids = store.add_images(2);
  expect_error(
      [&] {
        read_csv("0.png,nose,1,2\n0.png,eye,1,2\n1.png,nose,41,2\n", {.add_landmarks = true});
      },
      ErrorKind::bad_format, {"points.csv", "nose", "1.png"});
  EXPECT_THAT(points(ids[0]), IsEmpty());
  EXPECT_EQ(store->scheme(store.project).size(), 2U);
}

TEST_F(Import, ThatTheStoreRefusesChangesNothingAtAll) {
  const Id image = store.add_image();
  ImportOptions options{.add_landmarks = true};
  options.annotator = std::string(1000, 'x');
  const std::vector<NamedText> files = {{"points.csv", "image,landmark,x,y\n0.png,eye,1,2\n"}};
  expect_error([&] { import_landmarks(*store, store.project, files, options); },
               ErrorKind::invalid_input, {});
  EXPECT_THAT(points(image), IsEmpty());
  EXPECT_EQ(store->scheme(store.project).size(), 2U);
}

TEST_F(Import, OfDamagedOrUnknownFilesSaysWhere) {
  store.add_images(1);
  expect_error([&] { read_csv("0.png,nose,x,2\n"); }, ErrorKind::bad_format, {"points.csv", "2"});
  expect_error([&] { read({{"x.doc", ""}}); }, ErrorKind::invalid_input, {"x.doc"});
  expect_error([&] { read({}); }, ErrorKind::invalid_input, {"no file"});
}

TEST_F(Import, ReadsSlicersMillimetersByTheScaleOfTheImage) {
  const Id image = store.add_image();
  store->change_image(store.project, image, std::nullopt, 0.5);
  const landmarks::LandmarkTable table{
      {{.image = "0", .landmarks = {{"nose", 10.5, 20}}, .scale = 0.5}}};
  read(landmarks::landmark_texts(table, landmarks::Format::slicer, {}));
  ASSERT_EQ(points(image).size(), 1U);
  EXPECT_EQ(points(image)[0].x, 10.5);
  EXPECT_EQ(points(image)[0].y, 20);
}

}  // namespace
}  // namespace caos::studio
