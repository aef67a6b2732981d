#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "tests/studio/store/store_fixture.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

using caos::test::expect_error;
using test::StoreFixture;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::SizeIs;

TEST(StorePoints, AnUntouchedImageHasAnEmptyReading) {
  StoreFixture store;
  const Reading reading = store->reading(store.project, store.add_image());
  EXPECT_EQ(reading.revision, 0);
  EXPECT_THAT(reading.points, IsEmpty());
  EXPECT_FALSE(reading.complete);
  EXPECT_EQ(reading.changed_by, "");
}

TEST(StorePoints, AChangeIsThereAfterTheStoreIsOpenedAgain) {
  StoreFixture store;
  const Id image = store.add_image();
  const ChangeOutcome outcome = store->apply(store.project, store.placing(image, 1, 10.25, 20.5));
  EXPECT_TRUE(outcome.applied);
  store.reopen();
  const Reading reading = store->reading(store.project, image);
  EXPECT_EQ(reading.revision, 1);
  EXPECT_EQ(reading.changed_by, "Ada");
  EXPECT_THAT(reading.changed_at, MatchesRegex("20..-..-..T..:..:..\\.[0-9][0-9][0-9]Z"));
  ASSERT_THAT(reading.points, SizeIs(1));
  const Point point = reading.points[0];
  EXPECT_EQ(point.landmark, store.landmark(1));
  EXPECT_EQ(point.state, PointState::visible);
  EXPECT_EQ(point.x, 10.25);
  EXPECT_EQ(point.y, 20.5);
  EXPECT_EQ(point.annotator, "Ada");
  EXPECT_EQ(point.source, Source::blind);
}

TEST(StorePoints, PointsAreInTheOrderOfTheScheme) {
  StoreFixture store;
  const Id image = store.add_image();
  store->apply(store.project, store.placing(image, 1, 1, 1));
  store->apply(store.project, store.placing(image, 0, 2, 2));
  EXPECT_THAT(store->reading(store.project, image).points,
              ElementsAre(Field(&Point::landmark, store.landmark(0)),
                          Field(&Point::landmark, store.landmark(1))));
}

TEST(StorePoints, AnImageIsCompleteOnceEveryLandmarkHasAState) {
  StoreFixture store;
  const Id image = store.add_image();
  store->apply(store.project, store.placing(image, 0, 1, 1));
  EXPECT_FALSE(store->image(store.project, image).complete);
  Change change = store.placing(image, 1, 0, 0);
  change.edits[0].state = PointState::missing;
  EXPECT_TRUE(store->apply(store.project, change).reading.complete);
  const ImageRecord record = store->image(store.project, image);
  EXPECT_TRUE(record.complete);
  EXPECT_EQ(record.num_points, 2U);
  EXPECT_EQ(record.revision, 2);
}

TEST(StorePoints, AProjectWithoutLandmarksHasNoCompleteImage) {
  StoreFixture store(std::vector<std::string>{});
  EXPECT_FALSE(store->image(store.project, store.add_image()).complete);
}

TEST(StorePoints, ClientsWithAnOlderRevisionGetTheNewOne) {
  StoreFixture store;
  const Id image = store.add_image();
  const Change ada = store.placing(image, 0, 1, 1);
  const Change bo = store.placing(image, 0, 2, 2, "Bo");
  EXPECT_TRUE(store->apply(store.project, ada).applied);
  const ChangeOutcome outcome = store->apply(store.project, bo);
  EXPECT_FALSE(outcome.applied);
  EXPECT_EQ(outcome.reading.revision, 1);
  EXPECT_EQ(outcome.reading.changed_by, "Ada");
  EXPECT_EQ(outcome.reading.points.at(0).x, 1);
  EXPECT_THAT(store->history(store.project, image), SizeIs(1));
}

TEST(StorePoints, ARevisionThatIsYetToComeIsAConflict) {
  StoreFixture store;
  Change change = store.placing(store.add_image(), 0, 1, 1);
  change.base = 1;
  EXPECT_FALSE(store->apply(store.project, change).applied);
}

TEST(StorePoints, AChangeThatIsSentTwiceHappensOnce) {
  StoreFixture store;
  const Id image = store.add_image();
  const Change first = store.placing(image, 0, 1, 1);
  store->apply(store.project, first);
  store->apply(store.project, store.placing(image, 0, 5, 5));
  store.reopen();
  const ChangeOutcome outcome = store->apply(store.project, first);
  EXPECT_TRUE(outcome.applied);
  EXPECT_EQ(outcome.reading.revision, 2);
  EXPECT_EQ(outcome.reading.points.at(0).x, 5);
  EXPECT_THAT(store->history(store.project, image), SizeIs(2));
}

TEST(StorePoints, ReadingsHaveRevisionsOfTheirOwn) {
  StoreFixture store;
  const Id image = store.add_image();
  store->apply(store.project, store.placing(image, 0, 1, 1));
  Change second = store.placing(image, 0, 3, 3, "Bo");
  second.reading = 2;
  second.base = 0;
  EXPECT_TRUE(store->apply(store.project, second).applied);
  EXPECT_EQ(store->reading(store.project, image, 1).points.at(0).x, 1);
  EXPECT_EQ(store->reading(store.project, image, 2).points.at(0).x, 3);
  EXPECT_EQ(store->image(store.project, image).num_points, 1U);
}

TEST(StorePoints, APointThatIsTakenBackIsGoneButRemembered) {
  StoreFixture store;
  const Id image = store.add_image();
  store->apply(store.project, store.placing(image, 0, 1, 1));
  Change change = store.placing(image, 0, 0, 0);
  change.edits[0].state.reset();
  EXPECT_THAT(store->apply(store.project, change).reading.points, IsEmpty());
  const auto history = store->history(store.project, image);
  ASSERT_THAT(history, SizeIs(2));
  EXPECT_FALSE(history[0].state);
  EXPECT_EQ(history[1].state, PointState::visible);
}

TEST(StorePoints, HistoryTellsEverythingNewestFirst) {
  StoreFixture store;
  const Id image = store.add_image();
  Change both = store.placing(image, 0, 1, 2);
  both.edits.push_back({store.landmark(1), PointState::hidden, 3, 4});
  store->apply(store.project, both);
  Change next = store.placing(image, 0, 0, 0, "Bo");
  next.edits[0].state = PointState::missing;
  next.source = Source::correct;
  store->apply(store.project, next);
  const auto history = store->history(store.project, image);
  ASSERT_THAT(history, SizeIs(3));
  EXPECT_EQ(history[0].revision, 2);
  EXPECT_EQ(history[0].state, PointState::missing);
  EXPECT_EQ(history[0].annotator, "Bo");
  EXPECT_EQ(history[0].source, Source::correct);
  EXPECT_EQ(history[0].change, next.id);
  EXPECT_EQ(history[1].landmark_name, "chin");
  EXPECT_EQ(history[1].state, PointState::hidden);
  EXPECT_EQ(history[1].x, 3);
  EXPECT_EQ(history[1].y, 4);
  EXPECT_EQ(history[2].landmark_name, "nose");
  EXPECT_EQ(history[2].revision, 1);
  EXPECT_EQ(history[2].change, both.id);
}

TEST(StorePoints, AllEditsAreAppliedOrNone) {
  StoreFixture store;
  const Id image = store.add_image();
  Change change = store.placing(image, 0, 1, 1);
  change.edits.push_back({store.landmark(1), PointState::visible, 40, 1});
  expect_error([&] { store->apply(store.project, change); }, ErrorKind::invalid_input,
               {"'chin'", "outside", "40 x 30"});
  EXPECT_EQ(store->reading(store.project, image).revision, 0);
  EXPECT_THAT(store->history(store.project, image), IsEmpty());
}

TEST(StorePoints, PointsLieWithinTheImage) {
  StoreFixture store;
  const Id image = store.add_image();
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [x, y] : std::vector<std::pair<double, double>>{
           {-0.001, 1}, {1, -1}, {40, 1}, {1, 30}, {nan, 1}, {1, nan}, {infinity, 1}}) {
    expect_error([&, x = x, y = y] { store->apply(store.project, store.placing(image, 0, x, y)); },
                 ErrorKind::invalid_input, {"outside"});
  }
  EXPECT_TRUE(store->apply(store.project, store.placing(image, 0, 0, 0)).applied);
  EXPECT_TRUE(store->apply(store.project, store.placing(image, 0, 39.999, 29.999)).applied);
}

TEST(StorePoints, RequestsThatMakeNoSenseAreRefused) {
  StoreFixture store;
  const Id image = store.add_image();
  const auto refused = [&](auto&& spoil, const std::string& why) {
    Change change = store.placing(image, 0, 1, 1);
    spoil(change);
    expect_error([&] { store->apply(store.project, change); }, ErrorKind::invalid_input, {why});
  };
  refused([](Change& change) { change.reading = 3; }, "reading 3");
  refused([](Change& change) { change.annotator = ""; }, "annotator");
  refused([](Change& change) { change.annotator = std::string(101, 'a'); }, "at most 100");
  refused([](Change& change) { change.annotator = "A\nda"; }, "control");
  refused([](Change& change) { change.annotator = "\xff"; }, "UTF-8");
  refused([](Change& change) { change.id = ""; }, "id");
  refused([](Change& change) { change.edits.clear(); }, "at least one edit");
  refused([](Change& change) { change.edits.push_back(change.edits[0]); }, "twice");
  refused([](Change& change) { change.edits[0].landmark = 999; }, "no landmark 999");
  expect_error([&] { static_cast<void>(store->reading(store.project, image, 0)); },
               ErrorKind::invalid_input, {"reading 0"});
}

TEST(StorePoints, WhatIsNotThereIsNotFound) {
  StoreFixture store;
  const Id image = store.add_image();
  const Id other = store->add_project("other", "builtin", "", {}).id;
  Change change = store.placing(image, 0, 1, 1);
  expect_error([&] { store->apply(other, change); }, ErrorKind::not_found, {"no image"});
  expect_error([&] { store->apply(99, change); }, ErrorKind::not_found, {"project 99 not found"});
  change.image = 99;
  expect_error([&] { store->apply(store.project, change); }, ErrorKind::not_found, {"99"});
}

TEST(StorePoints, ImagesOfTheSampleAreLabeledBlind) {
  StoreFixture store;
  const auto images = store.add_images(2);
  store->draw_sample(store.project, 1, 7);
  const bool first_is_drawn = store->image(store.project, images[0]).order == 0U;
  const Id drawn = images[first_is_drawn ? 0 : 1];
  const Id other = images[first_is_drawn ? 1 : 0];
  for (const Source source : {Source::accept, Source::correct, Source::restore}) {
    Change change = store.placing(drawn, 0, 1, 1);
    change.source = source;
    expect_error([&] { store->apply(store.project, change); }, ErrorKind::invalid_input,
                 {"labeled blind"});
    change = store.placing(other, 0, 1, 1);
    change.source = source;
    EXPECT_TRUE(store->apply(store.project, change).applied);
  }
  for (const Source source : {Source::blind, Source::import}) {
    Change change = store.placing(drawn, 0, 1, 1);
    change.source = source;
    EXPECT_TRUE(store->apply(store.project, change).applied);
  }
}

TEST(StorePoints, ManyImagesChangeAtOnceOrNoneDoes) {
  StoreFixture store;
  const auto images = store.add_images(3);
  std::vector<Change> changes;
  for (const Id image : images) changes.push_back(store.placing(image, 0, 5, 6));
  changes[1].base = 17;  // no matter
  changes[2].edits[0].x = 1000;
  expect_error([&] { store->apply_all(store.project, changes); }, ErrorKind::invalid_input,
               {"outside"});
  EXPECT_EQ(store->image(store.project, images[0]).num_points, 0U);
  changes[2].edits[0].x = 7;
  store->apply_all(store.project, changes);
  store->apply_all(store.project, changes);
  const auto readings = store->readings(store.project);
  ASSERT_THAT(readings, SizeIs(3));
  for (const Reading& reading : readings) EXPECT_EQ(reading.revision, 1);
  EXPECT_EQ(readings[2].points.at(0).x, 7);
}

TEST(StorePoints, ThreadsLoseNothing) {
  StoreFixture store;
  const Id image = store.add_image();
  const Id landmark = store.landmark(0);
  const auto click = [&](int who) {
    for (int i = 0; i < 20;) {
      const Change change{.id = fmt::format("{}-{}", who, i),
                          .image = image,
                          .base = store->reading(store.project, image).revision,
                          .annotator = fmt::format("A{}", who),
                          .edits = {{landmark, PointState::visible, 1.0 * i, 1.0 * who}}};
      i += store->apply(store.project, change).applied ? 1 : 0;
    }
  };
  {
    std::vector<std::jthread> people;
    for (int who = 0; who < 4; ++who) people.emplace_back(click, who);
  }
  EXPECT_EQ(store->reading(store.project, image).revision, 80);
  const auto history = store->history(store.project, image);
  ASSERT_THAT(history, SizeIs(80));
  for (std::size_t i = 0; i < 80; ++i) EXPECT_EQ(history[i].revision, 80 - static_cast<int>(i));
}

}  // namespace
}  // namespace caos::studio
