#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/studio/store/store_fixture.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

using caos::test::expect_error;
using test::png;
using test::StoreFixture;
using testing::SizeIs;

TEST(StoreTogether, WhatSucceedsIsKept) {
  StoreFixture store;
  store->together([&] {
    const Id image = store.add_image();
    store->apply(store.project, store.placing(image, 0, 1, 1));
  });
  store.reopen();
  EXPECT_THAT(store->images(store.project), SizeIs(1));
  EXPECT_EQ(store->images(store.project)[0].num_points, 1U);
}

TEST(StoreTogether, WhatFailsLeavesNothing) {
  StoreFixture store;
  const Id image = store.add_image();
  const auto fail = [&] {
    store->apply(store.project, store.placing(image, 0, 1, 1));
    store->rename_project(store.project, "other");
    throw Error(ErrorKind::invalid_input, "enough");
  };
  expect_error([&] { store->together(fail); }, ErrorKind::invalid_input, {"enough"});
  EXPECT_EQ(store->image(store.project, image).num_points, 0U);
  EXPECT_EQ(store->project(store.project).name, "faces");
}

TEST(StoreTogether, APartThatFailsIsTakenBackAlone) {
  StoreFixture store;
  const auto images = store.add_images(2);
  store->together([&] {
    store->apply(store.project, store.placing(images[0], 0, 1, 1));
    std::vector<Change> changes = {store.placing(images[1], 0, 1, 1),
                                   store.placing(images[0], 1, 999, 1)};
    expect_error([&] { store->apply_all(store.project, changes); }, ErrorKind::invalid_input,
                 {"outside"});
    store->rename_project(store.project, "other");
  });
  EXPECT_EQ(store->image(store.project, images[0]).num_points, 1U);
  EXPECT_EQ(store->image(store.project, images[1]).num_points, 0U);
  EXPECT_EQ(store->project(store.project).name, "other");
}

TEST(StoreTogether, TheFileOfAnImageThatWasNotRemovedAfterAllIsThere) {
  StoreFixture store;
  const Id image = store.add_image();
  const std::string file = store->path_of(store->image(store.project, image));
  const auto fail = [&] {
    store->remove_image(store.project, image);
    throw Error(ErrorKind::invalid_input, "enough");
  };
  expect_error([&] { store->together(fail); }, ErrorKind::invalid_input, {"enough"});
  EXPECT_EQ(store->image(store.project, image).id, image);
  EXPECT_TRUE(std::filesystem::exists(file));
  store->together([&] { store->remove_image(store.project, image); });
  EXPECT_FALSE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace caos::studio
