#include "caos/landmarks/formats/landmark_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/expect_error.hpp"

namespace caos::landmarks {
namespace {

using testing::ElementsAre;

const LandmarkTable two{{{.image = "a", .landmarks = {{"n", 1, 2}, {"m", 3, 4}}},
                         {.image = "b", .landmarks = {{"o", 5, 6}, {"n", 7, 8}}}}};

TEST(LandmarkTable, NamesLandmarksInTheOrderOfTheirFirstAppearance) {
  EXPECT_THAT(two.landmark_names(), ElementsAre("n", "m", "o"));
  EXPECT_TRUE(LandmarkTable{}.landmark_names().empty());
}

TEST(LandmarkTable, CanListAllLandmarksInEveryImage) {
  const Visibility missing = Visibility::missing;
  const LandmarkTable table = with_all_landmarks(two);
  EXPECT_THAT(table.annotations[0].landmarks,
              ElementsAre(Landmark{"n", 1, 2}, Landmark{"m", 3, 4}, Landmark{"o", 0, 0, missing}));
  EXPECT_THAT(table.annotations[1].landmarks,
              ElementsAre(Landmark{"n", 7, 8}, Landmark{"m", 0, 0, missing}, Landmark{"o", 5, 6}));
}

void expect_wrong(const LandmarkTable& table, const std::string& message) {
  test::expect_error([&] { check_table(table); }, ErrorKind::invalid_input, {message});
}

TEST(LandmarkTable, IsCheckedForWhatNoFileCanSay) {
  EXPECT_NO_THROW(check_table(two));
  expect_wrong({{{.image = "a"}, {.image = "a"}}}, "image 'a': is annotated twice");
  expect_wrong({{{.image = ""}}}, "an image needs a name");
  expect_wrong({{{.image = "a", .scale = 0}}}, "scale");
  expect_wrong({{{.image = "a", .scale = NAN}}}, "scale");
  expect_wrong({{{.image = "a", .width = 0}}}, "size");
  expect_wrong({{{.image = "a", .landmarks = {{"", 1, 2}}}}}, "has no name");
  expect_wrong({{{.image = "a", .landmarks = {{"n", NAN, 2}}}}}, "not a valid position");
  expect_wrong({{{.image = "a", .landmarks = {{"n", 1, -2e9}}}}}, "not a valid position");
  EXPECT_NO_THROW(
      check_table({{{.image = "a", .landmarks = {{"n", NAN, NAN, Visibility::missing}}}}}));
}

}  // namespace
}  // namespace caos::landmarks
