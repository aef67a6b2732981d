#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>

#include "tests/studio/store/store_fixture.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

using caos::test::expect_error;
using test::StoreFixture;
using testing::IsEmpty;
using testing::SizeIs;

using Files = std::map<std::string, std::vector<std::byte>>;

std::vector<std::byte> bytes_at(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::byte> bytes(std::filesystem::file_size(path));
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

Files files_of(Store& store, Id project) {
  Files files;
  for (const ImageRecord& image : store.images(project)) {
    files[image.sha256] = bytes_at(store.path_of(image));
  }
  return files;
}

/// But for the note that it was restored.
ProjectSnapshot unrestored(ProjectSnapshot snapshot) {
  // Where the name is taken, the restored project has a number behind it.
  snapshot.project.name = std::regex_replace(snapshot.project.name, std::regex(" \\(\\d+\\)$"), "");
  snapshot.project.integrity.restored_at.clear();
  snapshot.project.integrity.backup_at.clear();
  return snapshot;
}

/// A project with a bit of everything.
struct RichStore : StoreFixture {
  RichStore() : StoreFixture({"left eye", "right eye", "scar"}) {
    Store& store = **this;
    auto scheme = store.scheme(project);
    scheme[0].pair = "right eye";
    store.replace_scheme(project, 1, scheme, false);
    const auto images = add_images(4, {"s1", "s1", "s2", "s3"});
    store.change_image(project, images[2], "s2", 0.25);
    complete(images[0]);
    scheme = store.scheme(project);
    scheme.pop_back();
    store.replace_scheme(project, 2, scheme, true);
    store.draw_sample(project, 2, 0xfedcba9876543210);
    Change second = placing(images[1], 1, 3, 4, "Bo");
    second.reading = 2;
    second.base = 0;
    store.apply(project, second);
    Change back = placing(images[0], 0, 0, 0, "Bo");
    back.edits = {{landmark(0), std::nullopt}, {landmark(1), PointState::missing}};
    store.apply(project, back);
    store.mark_seen(project, images[3]);
    snapshot = store.snapshot(project);
    files = files_of(store, project);
  }

  Project restore(const ProjectSnapshot& of) {
    return (**this).restore(of, [&](const std::string& sha256) { return files.at(sha256); });
  }

  void expect_refused(const ProjectSnapshot& of, const std::string& why) {
    expect_error([&] { restore(of); }, ErrorKind::bad_format, {why});
    EXPECT_THAT((**this).projects(), SizeIs(1));
  }

  ProjectSnapshot snapshot{};
  Files files{};
};

TEST(StoreRestore, ARestoredProjectIsTheSameInEverything) {
  RichStore store;
  const Project restored = store.restore(store.snapshot);
  EXPECT_NE(restored.id, store.project);
  EXPECT_FALSE(restored.integrity.restored_at.empty());
  EXPECT_EQ(unrestored(store->snapshot(restored.id)), store.snapshot);
  store.reopen();
  EXPECT_EQ(unrestored(store->snapshot(restored.id)), store.snapshot);
  EXPECT_EQ(store->project(restored.id).sampling.seed, 0xfedcba9876543210);
}

TEST(StoreRestore, AProjectMovesToAnotherFolder) {
  RichStore store;
  StoreFixture other;
  const Project restored = other->restore(
      store.snapshot, [&](const std::string& sha256) { return store.files.at(sha256); });
  EXPECT_EQ(unrestored(other->snapshot(restored.id)), store.snapshot);
  EXPECT_EQ(files_of(*other, restored.id), store.files);
}

TEST(StoreRestore, FilesOfARestoredProjectOutliveTheOriginal) {
  RichStore store;
  const Project restored = store.restore(store.snapshot);
  store->remove_project(store.project);
  EXPECT_EQ(files_of(*store, restored.id), store.files);
}

TEST(StoreRestore, WhatFailsLeavesNoFiles) {
  RichStore store;
  StoreFixture other;
  std::size_t asked = 0;
  const auto fail = [&](const std::string& sha256) {
    if (++asked == 3) throw Error(ErrorKind::bad_format, "torn");
    return store.files.at(sha256);
  };
  expect_error([&] { other->restore(store.snapshot, fail); }, ErrorKind::bad_format, {"torn"});
  EXPECT_THAT(other->projects(), SizeIs(1));
  for (const auto& [sha256, bytes] : store.files) {
    EXPECT_FALSE(std::filesystem::exists(other->path_of({.sha256 = sha256})));
  }
}

TEST(StoreRestore, ImagesThatAreNotWhatTheListSaysAreRefused) {
  RichStore store;
  ProjectSnapshot altered = store.snapshot;
  altered.images[0].image.width = 41;
  store.expect_refused(altered, "another '0.png'");
  store.files.begin()->second = test::png(99);
  store.expect_refused(store.snapshot, "damaged");
}

TEST(StoreRestore, HistoriesThatContradictThePointsAreRefused) {
  RichStore store;
  const auto altered = [&](auto&& alter) {
    ProjectSnapshot snapshot = store.snapshot;
    alter(snapshot.images[0]);
    return snapshot;
  };
  store.expect_refused(altered([](auto& image) { image.readings[0].points[0].x += 1; }),
                       "history says");
  store.expect_refused(altered([](auto& image) { image.readings.clear(); }), "history says");
  store.expect_refused(altered([](auto& image) { image.history.pop_back(); }), "history says");
  store.expect_refused(altered([](auto& image) { image.history.erase(image.history.begin()); }),
                       "gap");
  store.expect_refused(altered([](auto& image) { image.history[0].x = 1e9; }), "outside");
  store.expect_refused(altered([](auto& image) { image.history[0].landmark = 17; }), "no landmark");
  store.expect_refused(altered([](auto& image) { image.history[0].landmark = -1; }), "no landmark");
  store.expect_refused(altered([](auto& image) { image.history[0].at = "now"; }),
                       "not a time like");
  store.expect_refused(altered([](auto& image) { image.history[0].annotator = "\n"; }), "control");
}

TEST(StoreRestore, ProjectsThatCannotBeAreRefused) {
  RichStore store;
  const auto altered = [&](auto&& alter) {
    ProjectSnapshot snapshot = store.snapshot;
    alter(snapshot);
    return snapshot;
  };
  using Snapshot = ProjectSnapshot;
  store.expect_refused(altered([](Snapshot& all) { all.project.name = ""; }), "empty");
  store.expect_refused(altered([](Snapshot& all) { all.project.settings.score = "best"; }), "best");
  store.expect_refused(altered([](Snapshot& all) { all.images[1].image.name = "../x"; }),
                       "without folders");
  store.expect_refused(altered([](Snapshot& all) { all.images.push_back(all.images[0]); }),
                       "twice");
  store.expect_refused(altered([](Snapshot& all) { all.images[1].image.order = 2; }), "");
  store.expect_refused(altered([](Snapshot& all) { all.scheme[0].color = "red"; }), "color");
  store.expect_refused(altered([](Snapshot& all) { all.scheme[0].pair.reset(); }), "both ways");
  store.expect_refused(altered([](Snapshot& all) { all.project.sampling = {}; }), "never drawn");
  store.expect_refused(altered([](Snapshot& all) { all.images[0].image.sha256 = "../../x"; }),
                       "hash");
}

}  // namespace
}  // namespace caos::studio
