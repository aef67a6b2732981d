#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

#include "apps/studio/store/measures/measures.hpp"
#include "tests/studio/store/store_fixture.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

using caos::test::expect_error;
using test::StoreFixture;

Point at(Id landmark, double x, double y, PointState state = PointState::visible) {
  return {.landmark = landmark, .state = state, .x = x, .y = y};
}

TEST(Measures, AreLengthsAndAngles) {
  const std::vector<Point> points = {at(1, 0, 0), at(2, 3, 4), at(3, 3, 0), at(4, 0, 0)};
  EXPECT_EQ(value_of({"d", Measure::Kind::distance, {1, 2}}, points), 5);
  EXPECT_NEAR(*value_of({"a", Measure::Kind::angle, {1, 3, 2}}, points), 90, 1e-12);
  EXPECT_NEAR(*value_of({"a", Measure::Kind::angle, {3, 1, 3}}, points), 0, 1e-12);
  EXPECT_NEAR(*value_of({"a", Measure::Kind::angle, {1, 3, 3, 1}}, points), 180, 1e-12);
  EXPECT_EQ(value_of({"a", Measure::Kind::angle, {2, 1, 4}}, points), std::nullopt);  // no line
  EXPECT_EQ(value_of({"d", Measure::Kind::distance, {1, 9}}, points), std::nullopt);
}

TEST(Measures, UseHiddenPointsButNotMissingOnes) {
  const Measure distance{"d", Measure::Kind::distance, {1, 2}};
  EXPECT_EQ(value_of(distance, {at(1, 0, 0), at(2, 0, 2, PointState::hidden)}), 2);
  EXPECT_EQ(value_of(distance, {at(1, 0, 0), at(2, 0, 2, PointState::missing)}), std::nullopt);
}

RC_GTEST_PROP(Measures, AnglesAreThoseOfTheLawOfCosines, ()) {
  const auto coordinate = [] { return static_cast<double>(*rc::gen::inRange(0, 1000)); };
  const std::vector<Point> points = {at(1, coordinate(), coordinate()),
                                     at(2, coordinate(), coordinate()),
                                     at(3, coordinate(), coordinate())};
  const auto length = [&](Id a, Id b) {
    return *value_of({"d", Measure::Kind::distance, {a, b}}, points);
  };
  const double a = length(2, 1), b = length(2, 3), c = length(1, 3);
  RC_PRE(a > 0 && b > 0);
  const double cosine = std::clamp((a * a + b * b - c * c) / (2 * a * b), -1.0, 1.0);
  const double expected = std::acos(cosine) * 180 / std::numbers::pi;
  const auto angle = value_of({"a", Measure::Kind::angle, {1, 2, 3}}, points);
  RC_ASSERT(angle && std::abs(*angle - expected) < 1e-4);
}

TEST(Measures, AreKeptWithTheProject) {
  StoreFixture store({"a", "b", "c"});
  const Id a = store.landmark(0), b = store.landmark(1), c = store.landmark(2);
  const Measures wanted{.measures = {{"length", Measure::Kind::distance, {a, b}},
                                     {"angle", Measure::Kind::angle, {a, b, c}}},
                        .skeleton = {{a, b}, {b, c}}};
  const auto written = store->replace_measures(store.project, 0, wanted);
  ASSERT_TRUE(written.has_value());
  EXPECT_EQ(written->revision, 1);
  EXPECT_EQ(store->replace_measures(store.project, 0, wanted), std::nullopt);  // seen before
  store.reopen();
  EXPECT_EQ(store->measures(store.project), *written);
  // A measure goes with its landmarks.
  const std::vector<SchemeLandmark> scheme = store->scheme(store.project);
  store->replace_scheme(store.project, 1, {scheme[0], scheme[1]}, false);
  EXPECT_EQ(store->measures(store.project).measures.size(), 1U);
  EXPECT_EQ(store->measures(store.project).skeleton.size(), 1U);
}

TEST(Measures, AreChecked) {
  StoreFixture store({"a", "b"});
  const Id a = store.landmark(0), b = store.landmark(1);
  const auto refuses = [&](const Measures& measures, const char* why) {
    expect_error([&] { store->replace_measures(store.project, 0, measures); },
                 ErrorKind::invalid_input, {why});
  };
  refuses({.measures = {{"", Measure::Kind::distance, {a, b}}}}, "empty");
  refuses({.measures = {{"d", Measure::Kind::distance, {a}}}}, "2 landmarks");
  refuses({.measures = {{"d", Measure::Kind::distance, {a, a}}}}, "same landmark");
  refuses({.measures = {{"d", Measure::Kind::angle, {a, b}}}}, "3 or 4");
  refuses({.measures = {{"d", Measure::Kind::distance, {a, 999}}}}, "no landmark 999");
  refuses({.measures = {{"d", Measure::Kind::distance, {a, b}},
                        {"d", Measure::Kind::distance, {b, a}}}},
          "two measures");
  refuses({.skeleton = {{a, a}}}, "two different");
}

TEST(Measures, AreInBackups) {
  StoreFixture store({"a", "b", "c"});
  const Id b = store.landmark(1), c = store.landmark(2);
  store->replace_measures(
      store.project, 0,
      {.measures = {{"length", Measure::Kind::distance, {b, c}}}, .skeleton = {{c, b}}});
  const Project restored = store->restore(
      store->snapshot(store.project), [](const std::string&) { return std::vector<std::byte>(); });
  const Measures measures = store->measures(restored.id);
  const std::vector<SchemeLandmark> scheme = store->scheme(restored.id);
  EXPECT_EQ(measures.measures[0].landmarks, (std::vector<Id>{scheme[1].id, scheme[2].id}));
  EXPECT_EQ(measures.skeleton[0], std::pair(scheme[2].id, scheme[1].id));
  EXPECT_EQ(restored.name, "faces (2)");
}

}  // namespace
}  // namespace caos::studio
