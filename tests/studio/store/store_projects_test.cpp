#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/studio/store/store_fixture.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

using caos::test::expect_error;
using test::StoreFixture;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

TEST(StoreProjects, KeepWhatTheyWereMadeWith) {
  StoreFixture store;
  const Settings settings{.score = "softmax:0.05",
                          .k = 5,
                          .alpha = "0.05",
                          .simultaneous = true,
                          .use_corrections = true,
                          .mm_per_pixel = 0.1};
  const Project made = store->add_project("Flügel", "onnx:vit", "224", settings);
  store.reopen();
  EXPECT_EQ(store->project(made.id), made);
  EXPECT_EQ(made.settings, settings);
  EXPECT_EQ(made.name, "Flügel");
  EXPECT_EQ(made.backbone, "onnx:vit");
  EXPECT_EQ(made.working_size, "224");
  EXPECT_EQ(made.precision, "float16");
  EXPECT_EQ(made.sampling, Sampling{});
  EXPECT_THAT(store->projects(), ElementsAre(Field(&Project::id, store.project), made));
}

TEST(StoreProjects, AreRenamedAndRemoved) {
  StoreFixture store;
  EXPECT_EQ(store->rename_project(store.project, "wings").name, "wings");
  store->remove_project(store.project);
  EXPECT_THAT(store->projects(), IsEmpty());
  const auto gone = [&](auto&& call) {
    expect_error(call, ErrorKind::not_found, {"project 1 not found"});
  };
  gone([&] { static_cast<void>(store->project(store.project)); });
  gone([&] { static_cast<void>(store->images(store.project)); });
  gone([&] { static_cast<void>(store->scheme(store.project)); });
  gone([&] { static_cast<void>(store->readings(store.project)); });
  gone([&] { static_cast<void>(store->annotators(store.project)); });
  gone([&] { static_cast<void>(store->compare(store.project, "a", "b")); });
  gone([&] { static_cast<void>(store->snapshot(store.project)); });
  gone([&] { store->rename_project(store.project, "x"); });
  gone([&] { store->remove_project(store.project); });
  gone([&] { store->draw_sample(store.project, 1, 1); });
  gone([&] { store->take_labeled_as_sample(store.project, 1); });
  gone([&] { store->replace_scheme(store.project, 0, {}, false); });
  gone([&] { store->add_image(store.project, {.name = "a.png"}, test::png(1)); });
}

TEST(StoreProjects, NumbersAreNeverUsedTwice) {
  StoreFixture store;
  store->remove_project(store.project);
  EXPECT_GT(store->add_project("next", "builtin", "", {}).id, store.project);
}

TEST(StoreProjects, NamesAndSettingsAreChecked) {
  StoreFixture store;
  const auto refused = [&](auto&& spoil, const std::string& why) {
    std::string name = "name";
    Settings settings;
    spoil(name, settings);
    expect_error([&] { store->add_project(name, "builtin", "", settings); },
                 ErrorKind::invalid_input, {why});
  };
  refused([](auto& name, auto&) { name = ""; }, "empty");
  refused([](auto& name, auto&) { name = std::string(201, 'n'); }, "at most 200");
  refused([](auto& name, auto&) { name = "a\tb"; }, "control");
  refused([](auto& name, auto&) { name = "a\xc2\x85"; }, "control");
  refused([](auto& name, auto&) { name = "\xc3("; }, "UTF-8");
  refused([](auto& name, auto&) { name = " a"; }, "blank");
  refused([](auto&, Settings& settings) { settings.score = "best"; }, "best");
  refused([](auto&, Settings& settings) { settings.k = 0; }, "k is 0");
  refused([](auto&, Settings& settings) { settings.alpha = "1.5"; }, "");
  refused([](auto&, Settings& settings) { settings.mm_per_pixel = 0.0; }, "millimeters");
  refused([](auto&, Settings& settings) { settings.mm_per_pixel = std::nan(""); }, "millimeters");
  expect_error([&] { store->add_project("name", "builtin", "large", {}); },
               ErrorKind::invalid_input, {"working size 'large'"});
  EXPECT_THAT(store->projects(), SizeIs(1));
}

TEST(StoreProjects, ScoreAndKAreFixedOnceTheSampleIsDrawn) {
  StoreFixture store;
  store.add_images(2);
  Settings settings{.score = "margin:10", .k = 2};
  EXPECT_EQ(store->change_settings(store.project, settings).settings, settings);
  store->draw_sample(store.project, 1, 1);
  for (const Settings& other :
       {Settings{.score = "cosine", .k = 2}, Settings{.score = "margin:10", .k = 3}}) {
    expect_error([&] { store->change_settings(store.project, other); }, ErrorKind::invalid_input,
                 {"fixed"});
  }
  settings.alpha = "0.2";
  settings.use_corrections = true;
  EXPECT_EQ(store->change_settings(store.project, settings).settings, settings);
}

TEST(StoreScheme, LandmarksKeepTheirNumbersWhateverTheirNames) {
  StoreFixture store;
  auto scheme = store->scheme(store.project);
  std::swap(scheme[0].name, scheme[1].name);
  scheme.insert(scheme.begin(), {.name = "brow", .color = "#0072B2"});
  const auto project = store->replace_scheme(store.project, 1, scheme, false);
  ASSERT_TRUE(project);
  EXPECT_EQ(project->scheme_revision, 2);
  const auto now = store->scheme(store.project);
  ASSERT_THAT(now, SizeIs(3));
  EXPECT_EQ(now[0].name, "brow");
  EXPECT_EQ(now[1].id, scheme[1].id);
  EXPECT_EQ(now[1].name, "chin");
  EXPECT_EQ(now[2].name, "nose");
}

TEST(StoreScheme, ClientsWithAnOlderRevisionChangeNothing) {
  StoreFixture store;
  const auto scheme = store->scheme(store.project);
  EXPECT_FALSE(store->replace_scheme(store.project, 0, {}, true));
  EXPECT_EQ(store->scheme(store.project), scheme);
}

TEST(StoreScheme, PointsAreNotLostUnasked) {
  StoreFixture store;
  const Id image = store.add_image();
  store.complete(image);
  auto scheme = store->scheme(store.project);
  const SchemeLandmark nose = scheme[0];
  scheme.erase(scheme.begin());
  EXPECT_EQ(store->points_lost(store.project, scheme), 1U);
  expect_error([&] { store->replace_scheme(store.project, 1, scheme, false); },
               ErrorKind::invalid_input, {"1 points", "lost"});
  EXPECT_THAT(store->scheme(store.project), SizeIs(2));
  EXPECT_TRUE(store->replace_scheme(store.project, 1, scheme, true));
  const Reading reading = store->reading(store.project, image);
  EXPECT_THAT(reading.points, SizeIs(1));
  EXPECT_TRUE(reading.complete);
  const auto history = store->history(store.project, image);
  ASSERT_THAT(history, SizeIs(2));
  EXPECT_EQ(history[1].landmark_name, "nose");
  // One that went does not come back with its number, but its name is free.
  expect_error([&] { store->replace_scheme(store.project, 2, {nose}, true); },
               ErrorKind::invalid_input, {"no landmark"});
  scheme.push_back({.name = "nose"});
  EXPECT_TRUE(store->replace_scheme(store.project, 2, scheme, false));
  EXPECT_FALSE(store->image(store.project, image).complete);
}

TEST(StoreScheme, PairsGoBothWays) {
  StoreFixture store;
  auto scheme = store->scheme(store.project);
  scheme[1].pair = "nose";
  store->replace_scheme(store.project, 1, scheme, false);
  EXPECT_EQ(store->scheme(store.project)[0].pair, "chin");
  const auto refused = [&](const std::vector<SchemeLandmark>& other) {
    expect_error([&] { store->replace_scheme(store.project, 2, other, true); },
                 ErrorKind::invalid_input, {"cannot be paired"});
  };
  refused({{.name = "a", .pair = "a"}});
  refused({{.name = "a", .pair = "b"}});
  refused({{.name = "a", .pair = "b"}, {.name = "b", .pair = "c"}, {.name = "c", .pair = "b"}});
}

TEST(StoreScheme, LandmarksWithoutAColorGetOne) {
  StoreFixture store;
  const auto scheme = store->scheme(store.project);
  EXPECT_NE(scheme[0].color, scheme[1].color);
  EXPECT_THAT(scheme[0].color, SizeIs(7));
  EXPECT_EQ(scheme[1].color, color_at(1));
}

TEST(StoreScheme, SchemesThatCannotBeAreRefused) {
  StoreFixture store;
  const auto refused = [&](const std::vector<SchemeLandmark>& scheme, const std::string& why) {
    expect_error([&] { store->replace_scheme(store.project, 1, scheme, true); },
                 ErrorKind::invalid_input, {why});
  };
  const Id nose = store.landmark(0);
  refused({{.name = "a"}, {.name = "a"}}, "two landmarks are called 'a'");
  refused({{.id = nose, .name = "a"}, {.id = nose, .name = "b"}}, "twice");
  refused({{.id = 99, .name = "a"}}, "no landmark 99");
  refused({{.name = ""}}, "empty");
  refused({{.name = std::string(201, 'a')}}, "at most 200");
  for (const char* color : {"red", "#12345", "#12345g", "#1234567", "url(x)"}) {
    refused({{.name = "a", .color = color}}, "color");
  }
  std::vector<SchemeLandmark> many(2001);
  for (std::size_t i = 0; i < many.size(); ++i) many[i].name = std::to_string(i);
  refused(many, "at most 2000");
  EXPECT_THAT(store->scheme(store.project), SizeIs(2));
}

}  // namespace
}  // namespace caos::studio
