#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/studio/store/store_fixture.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

using caos::test::expect_error;
using test::StoreFixture;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct Comparison : testing::Test {
  void place(Id image, std::size_t number, double x, double y, const std::string& who,
             int reading = 1) {
    Change change = store.placing(image, number, x, y, who);
    change.reading = reading;
    change.base = store->reading(store.project, image, reading).revision;
    ASSERT_TRUE(store->apply(store.project, change).applied);
  }
  std::vector<PairOfPoints> compare() { return store->compare(store.project, "Ada", "Bo"); }

  StoreFixture store;
  std::vector<Id> images = store.add_images(2);
};

TEST_F(Comparison, PairsLandmarksThatBothPlaced) {
  place(images[0], 0, 1, 1, "Ada");
  place(images[0], 1, 9, 9, "Ada");
  place(images[0], 0, 4, 5, "Bo", 2);
  place(images[1], 0, 2, 2, "Bo");
  const auto pairs = compare();
  ASSERT_THAT(pairs, SizeIs(1));
  EXPECT_EQ(pairs[0].image, images[0]);
  EXPECT_EQ(pairs[0].landmark, store.landmark(0));
  EXPECT_EQ(pairs[0].distance, 5);
  EXPECT_FALSE(pairs[0].distance_mm);
  EXPECT_EQ(pairs[0].x1, 1);
  EXPECT_EQ(pairs[0].y1, 1);
  EXPECT_EQ(pairs[0].x2, 4);
  EXPECT_EQ(pairs[0].y2, 5);
  EXPECT_THAT(store->annotators(store.project), ElementsAre("Ada", "Bo"));
}

TEST_F(Comparison, TheLastPointOfEachCountsInWhateverReading) {
  place(images[0], 0, 1, 1, "Ada");
  place(images[0], 0, 2, 1, "Bo");  // moves Ada's point, which is compared all the same
  place(images[0], 0, 3, 1, "Ada", 2);
  ASSERT_THAT(compare(), SizeIs(1));
  EXPECT_EQ(compare()[0].x1, 3);
  EXPECT_EQ(compare()[0].x2, 2);
}

TEST_F(Comparison, PointsThatWereTakenBackOrAreMissingHaveNoPlace) {
  for (const std::optional<PointState>& state :
       {std::optional<PointState>(), std::optional(PointState::missing)}) {
    place(images[0], 0, 1, 1, "Ada");
    place(images[0], 0, 2, 1, "Bo");
    EXPECT_THAT(compare(), SizeIs(1));
    Change change = store.placing(images[0], 0, 0, 0, "Bo");
    change.edits[0].state = state;
    store->apply(store.project, change);
    EXPECT_THAT(compare(), IsEmpty());
  }
}

TEST_F(Comparison, MillimetersComeFromTheImageOrElseTheProject) {
  store->change_settings(store.project, {.mm_per_pixel = 0.5});
  store->change_image(store.project, images[1], std::nullopt, 2.0);
  for (const Id image : images) {
    place(image, 0, 0, 0, "Ada");
    place(image, 0, 3, 4, "Bo");
  }
  const auto pairs = compare();
  ASSERT_THAT(pairs, SizeIs(2));
  EXPECT_EQ(pairs[0].distance_mm, 2.5);
  EXPECT_EQ(pairs[1].distance_mm, 10);
}

TEST_F(Comparison, LandmarksThatWereRemovedAreLeftOut) {
  place(images[0], 0, 1, 1, "Ada");
  place(images[0], 0, 2, 1, "Bo");
  store->replace_scheme(store.project, 1, {}, true);
  EXPECT_THAT(compare(), IsEmpty());
}

TEST_F(Comparison, AnAnnotatorIsNotComparedWithThemselves) {
  expect_error([&] { static_cast<void>(store->compare(store.project, "Ada", "Ada")); },
               ErrorKind::invalid_input, {"themselves"});
}

}  // namespace
}  // namespace caos::studio
