#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zip.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "apps/studio/exchange/backup.hpp"
#include "apps/studio/exchange/backup_json.hpp"
#include "apps/studio/exchange/zip_reader.hpp"
#include "caos/io/write_whole.hpp"
#include "caos/landmarks/formats/json/json_view.hpp"
#include "tests/studio/store/store_fixture.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

using caos::test::expect_error;
using test::StoreFixture;
using testing::ElementsAre;
using testing::IsEmpty;

using Bytes = std::vector<std::byte>;

Bytes bytes_of(const LargeDownload& download) {
  Bytes bytes(download.file.size());
  EXPECT_EQ(download.file.read(0, bytes), bytes.size());
  return bytes;
}

/// A project in which everything happened that can happen.
Id busy_project(StoreFixture& store) {
  const Id project = store.project;
  const std::vector<Id> images = store.add_images(6, {"s1", "s1", "s2", "s3", "s4", "s5"});
  store->change_image(project, images[1], "s1", 0.25);
  store->draw_sample(project, 3, 18446744073709551615ULL);
  store.complete(images[0]);
  store->apply(project, store.placing(images[0], 0, 7.125, 8.1, "Bo"));
  Change second = store.placing(images[0], 0, 3, 4, "Cy");
  second.reading = 2;
  second.base = 0;
  store->apply(project, second);
  Change back = store.placing(images[2], 1, 3, 4);
  store->apply(project, back);
  back = store.placing(images[2], 1, 0, 0);
  back.edits[0].state.reset();
  store->apply(project, back);
  Change states = store.placing(images[3], 0, 1, 1);
  states.edits[0].state = PointState::missing;
  states.edits.push_back({store.landmark(1), PointState::hidden, 39.9, 29.9});
  store->apply(project, states);
  store->mark_seen(project, images[4]);
  std::vector<SchemeLandmark> scheme = store->scheme(project);
  scheme[1] = {.name = "chin", .color = "#123456", .pair = "nose"};
  store->replace_scheme(project, store->project(project).scheme_revision, scheme, true);
  return project;
}

/// All of a project as text, to compare, but for the note that it was restored, and the number
/// behind a name that was taken.
std::string text_of(Store& store, Id project) {
  ProjectSnapshot snapshot = store.snapshot(project);
  snapshot.project.name = std::regex_replace(snapshot.project.name, std::regex(" \\(\\d+\\)$"), "");
  snapshot.project.integrity.restored_at.clear();
  snapshot.project.integrity.backup_at.clear();
  return backup_json(snapshot);
}

TEST(Backup, IsRestoredAsItWas) {
  StoreFixture from;
  const Id project = busy_project(from);
  const LargeDownload backup = backup_project(*from, project);
  EXPECT_EQ(backup.name, "faces.caos-project.zip");
  StoreFixture to;
  const Project restored = restore_project(*to, bytes_of(backup));
  EXPECT_EQ(restored.name, "faces (2)");
  EXPECT_EQ(text_of(*to, restored.id), text_of(*from, project));
  EXPECT_EQ(to->annotators(restored.id), from->annotators(project));
  const auto images = to->images(restored.id);
  ASSERT_EQ(images.size(), 6U);
  EXPECT_TRUE(std::filesystem::exists(to->path_of(images[5])));
  EXPECT_EQ(to->history(restored.id, images[0].id).size(),
            from->history(project, from->images(project)[0].id).size());
  to.reopen();
  EXPECT_EQ(text_of(*to, restored.id), text_of(*from, project));
}

TEST(Backup, IsRestoredBesideTheOriginalUnderAnotherName) {
  StoreFixture store;
  const Id project = busy_project(store);
  const Bytes backup = bytes_of(backup_project(*store, project));
  const Project restored = restore_project(*store, backup, "copy");
  EXPECT_NE(restored.id, project);
  EXPECT_EQ(restored.name, "copy");
  store->remove_project(project);
  EXPECT_TRUE(std::filesystem::exists(store->path_of(store->images(restored.id)[0])));
  const Project again = restore_project(*store, bytes_of(backup_project(*store, restored.id)));
  EXPECT_EQ(text_of(*store, again.id), text_of(*store, restored.id));
}

TEST(Backup, OfTheSameProjectHasTheSameTextAndLeavesNoFile) {
  StoreFixture store;
  const Id project = busy_project(store);
  EXPECT_FALSE(bytes_of(backup_project(*store, project)).empty());
  EXPECT_EQ(text_of(*store, project), text_of(*store, project));  // the time is said besides
  EXPECT_TRUE(std::filesystem::is_empty(store.path() + "/tmp"));
}

TEST(Backup, OfAnEmptyProjectIsOne) {
  StoreFixture store(std::vector<std::string>{});
  const Bytes backup = bytes_of(backup_project(*store, store.project));
  EXPECT_EQ(restore_project(*store, backup).scheme_revision, 1);
}

TEST(Backup, IsReadFromAFileToo) {
  StoreFixture store;
  const Bytes backup = bytes_of(backup_project(*store, busy_project(store)));
  const std::string path = store.folder / "b.zip";
  io::write_whole(path, [&](io::Sink& sink) { sink.write(backup); });
  EXPECT_EQ(restore_project(*store, path).name, "faces (2)");
}

/// What a program of version 1 would have written.
std::string version_1(const ProjectSnapshot& snapshot) {
  landmarks::Json json = landmarks::parse_json(backup_json(snapshot), "project.json");
  json["version"] = 1;
  json["project"].erase("precision");
  json["project"].erase("integrity");
  for (const char* key : {"seed_given", "largest", "looks", "units", "after_results"})
    json["project"]["sampling"].erase(key);
  return landmarks::json_text(json, 1);
}

TEST(Backup, OfTheFirstVersionSaysWhatWasRemovedAndSeenByItsImages) {
  StoreFixture store;
  store.add_images(6);
  store->draw_sample(store.project, 4, 1);
  for (const ImageRecord& image : store->images(store.project)) {
    if (image.order == 1U) store->remove_image(store.project, image.id);
    if (image.order == 5U) store->mark_seen(store.project, image.id);
  }
  const ProjectSnapshot snapshot = store->snapshot(store.project);
  const ProjectSnapshot old = parse_backup_json(version_1(snapshot));
  EXPECT_EQ(old.project.integrity, Integrity{});
  const Project restored = store->restore(old, [&](const std::string& sha256) {
    const std::string path = store->path_of({.sha256 = sha256});
    Bytes bytes(std::filesystem::file_size(path));
    std::ifstream(path, std::ios::binary)
        .read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return bytes;
  });
  EXPECT_EQ(restored.sampling, snapshot.project.sampling);
  EXPECT_EQ(restored.integrity.removed, 1U);
  EXPECT_FALSE(restored.integrity.results_seen_at.empty());
}

std::string version_2(const ProjectSnapshot& snapshot) {
  landmarks::Json json = landmarks::parse_json(backup_json(snapshot), "project.json");
  json["version"] = 2;
  json["project"].erase("precision");
  json.erase("made_at");
  for (const char* key : {"units", "after_results"}) json["project"]["sampling"].erase(key);
  landmarks::Json& integrity = json["project"]["integrity"];
  for (const char* key : {"relabeled_at", "restored_at", "backup_at"}) integrity.erase(key);
  return landmarks::json_text(json, 1);
}

TEST(Backup, OfTheSecondVersionIsRead) {
  StoreFixture store;
  store.add_images(4);
  store->draw_sample(store.project, 2, 1);
  const ProjectSnapshot old = parse_backup_json(version_2(store->snapshot(store.project)));
  EXPECT_EQ(old.project.integrity, Integrity{});
}

TEST(Backup, SaysWhenItWasMade) {
  StoreFixture store;
  const Bytes backup = bytes_of(backup_project(*store, store.project));
  const Integrity integrity = restore_project(*store, backup).integrity;
  EXPECT_NE(integrity.backup_at, "");
  EXPECT_LE(integrity.backup_at, integrity.restored_at);
}

TEST(Backup, KeepsPlannedLooks) {
  StoreFixture store;
  store.add_images(6);
  const Project project = store->draw_sample(
      store.project, {.looks = {{2, "0.03"}, {4, "0.07"}}, .seed = 1, .seed_given = true});
  const Project restored =
      restore_project(*store, bytes_of(backup_project(*store, store.project)), "copy");
  EXPECT_THAT(restored.sampling.looks, ElementsAre(Look{2, "0.03"}, Look{4, "0.07"}));
  EXPECT_EQ(restored.sampling, project.sampling);
}

struct HostileEntry {
  std::string name;
  std::string text;
  bool store = true;
};

/// An archive of anything.
class Hostile : public testing::Test {
 protected:
  Hostile() {
    project = busy_project(store);
    const Bytes backup = bytes_of(backup_project(*store, project));
    const ZipReader archive = ZipReader::of_bytes(backup, "zip", 100);
    for (const ZipReader::Entry& entry : archive.entries()) {
      const Bytes content = archive.read(entry);
      entries.push_back(
          {entry.name, {reinterpret_cast<const char*>(content.data()), content.size()}});
    }
  }

  [[nodiscard]] Bytes archive() const {
    const std::string path = store.folder / "hostile.zip";
    std::filesystem::remove(path);
    zip_t* const made = zip_open(path.c_str(), ZIP_CREATE, nullptr);
    for (const HostileEntry& entry : entries) {
      const auto index = zip_file_add(
          made, entry.name.c_str(),
          zip_source_buffer(made, entry.text.data(), entry.text.size(), 0), ZIP_FL_ENC_GUESS);
      zip_set_file_compression(made, static_cast<zip_uint64_t>(index),
                               entry.store ? ZIP_CM_STORE : ZIP_CM_DEFLATE, 0);
    }
    zip_close(made);
    const std::string text = store.folder.read("hostile.zip");
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
  }

  void expect_refused(std::initializer_list<std::string> parts) {
    expect_refused(archive(), parts);
  }
  void expect_refused(const Bytes& bytes, std::initializer_list<std::string> parts) {
    StoreFixture other;
    expect_error([&] { restore_project(*other, bytes); }, ErrorKind::bad_format, parts);
    EXPECT_EQ(other->projects().size(), 1U);
    for (const auto& file :
         std::filesystem::recursive_directory_iterator(other.path() + "/images")) {
      EXPECT_FALSE(file.is_regular_file()) << file.path();
    }
  }

  std::string& json() { return entries[0].text; }
  void replace(const std::string& before, const std::string& after) {
    const std::size_t place = json().find(before);
    ASSERT_NE(place, std::string::npos) << before;
    json().replace(place, before.size(), after);
  }

  StoreFixture store;
  Id project = 0;
  std::vector<HostileEntry> entries;
};

TEST_F(Hostile, UnalteredIsTaken) {
  EXPECT_EQ(entries[0].name, "project.json");
  EXPECT_EQ(text_of(*store, restore_project(*store, archive()).id), text_of(*store, project));
}

TEST_F(Hostile, BytesThatAreNoArchiveAreRefused) {
  expect_refused(Bytes(), {"project.json"});
  expect_refused(Bytes(1000), {"zip"});
  Bytes cut = archive();
  cut.resize(cut.size() / 2);
  expect_refused(cut, {"zip"});
}

TEST_F(Hostile, OtherNamesAreRefused) {
  entries.push_back({"../evil", "x"});
  expect_refused({"belong to no image"});
  entries.back().name = "images/../../evil";
  expect_refused({"belong to no image"});
  entries.back().name = "/etc/passwd";
  expect_refused({"belong to no image"});
}

TEST_F(Hostile, NamesOfImagesThatAreNoHashesAreRefused) {
  const std::string name = entries[1].name.substr(7);
  replace(name, "../../../evil");
  entries[1].name = "images/../../../evil";
  expect_refused({"no hash"});
}

TEST_F(Hostile, MissingEntriesAreRefused) {
  entries.pop_back();
  expect_refused({"lacks the image"});
  entries.erase(entries.begin());
  expect_refused({"project.json"});
}

TEST_F(Hostile, ImagesWithOtherBytesAreRefused) {
  entries[2].text.back() = static_cast<char>(entries[2].text.back() ^ 1);
  expect_refused({"than its list says"});
  std::swap(entries[1].text, entries[2].text);
  expect_refused({"than its list says"});
}

TEST_F(Hostile, CompressedImagesAreRefused) {
  entries[1].text = std::string(50'000'000, '\0');
  entries[1].store = false;
  expect_refused({"compressed images"});
}

TEST_F(Hostile, ABombInPlaceOfTheProjectIsRefused) {
  json() = std::string((std::size_t{256} << 20) + 1, ' ');
  entries[0].store = false;
  expect_refused({"absurd size"});
}

/// The four bytes in which headers say how large an entry is.
std::string size_bytes(std::size_t size) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>((size >> shift) & 255);
  return bytes;
}

TEST_F(Hostile, NoRoomIsMadeForMoreThanAnEntryCanHold) {
  entries[0].store = false;
  const Bytes made = archive();
  std::string text(reinterpret_cast<const char*>(made.data()), made.size());
  const std::string honest = size_bytes(json().size());
  for (auto at = text.find(honest); at != std::string::npos; at = text.find(honest)) {
    text.replace(at, honest.size(), size_bytes(std::size_t{200} << 20));
  }
  const auto bytes = std::as_bytes(std::span(text));
  expect_refused({bytes.begin(), bytes.end()}, {"larger than it can be"});
}

TEST_F(Hostile, OtherVersionsAreRefused) {
  replace("\"version\": 5", "\"version\": 6");
  expect_refused({"version", "6"});
  replace("\"version\": 6", "\"version\": \"1\"");
  expect_refused({"version"});
  replace("caos-project", "something");
  expect_refused({"format"});
}

TEST_F(Hostile, TextThatIsNotJsonOrSaysTooLittleIsRefused) {
  json() = "{";
  expect_refused({"project.json"});
  json() = "[]";
  expect_refused({"project.json"});
  json() = std::string(100'000, '[');
  expect_refused({"project.json"});
  json() = R"({"format": "caos-project", "version": 1})";
  expect_refused({"project"});
}

TEST_F(Hostile, WhatPeopleCouldNotHaveDoneIsRefused) {
  const std::string good = json();
  const auto expect_bad = [&](const std::string& before, const std::string& after) {
    json() = good;
    replace(before, after);
    expect_refused({});
  };
  expect_bad("\"name\": \"faces\"", "\"name\": \"\"");
  expect_bad("\"name\": \"0.png\"", "\"name\": \"../0.png\"");
  expect_bad("\"name\": \"0.png\"", "\"name\": \"1.png\"");
  expect_bad("\"width\": 40", "\"width\": 41");
  expect_bad("\"width\": 40", "\"width\": -1");
  expect_bad("\"x\": 7.125", "\"x\": 40");
  expect_bad("\"x\": 7.125", "\"x\": null");
  expect_bad("\"state\": \"visible\"", "\"state\": \"seen\"");
  expect_bad("\"source\": \"blind\"", "\"source\": \"dream\"");
  expect_bad("\"landmark\": 0", "\"landmark\": 3");
  expect_bad("\"landmark\": 0", "\"landmark\": -1");
  expect_bad("\"order\": 1", "\"order\": 2");
  expect_bad("\"color\": \"#123456\"", "\"color\": \"url(x)\"");
  expect_bad("\"pair\": \"nose\"", "\"pair\": \"ear\"");
  expect_bad("\"annotator\": \"Bo\"", "\"annotator\": \"\"");
  expect_bad("\"k\": 3", "\"k\": 0");
  expect_bad("\"alpha\": \"0.1\"", "\"alpha\": \"2\"");
  expect_bad("\"kind\": \"random\"", "\"kind\": \"none\"");
  expect_bad("\"largest\": 3", "\"largest\": 2");
  expect_bad("\"removed\": 0", "\"removed\": -1");
  expect_bad("\"resized_at\": \"\"", "\"resized_at\": \"yesterday\"");
  expect_bad("\"reading\": 2", "\"reading\": 3");
  expect_bad("T", "t");
}

TEST_F(Hostile, EveryAlteredByteOfASmallArchiveIsHarmless) {
  StoreFixture small(std::vector<std::string>{"nose"});
  small.complete(small.add_image());
  const Bytes good = bytes_of(backup_project(*small, small.project));
  const std::string text = text_of(*small, small.project);
  for (std::size_t i = 0; i < good.size(); ++i) {
    Bytes bytes = good;
    bytes[i] ^= std::byte{0x40};
    try {
      // What is not part of the content, such as a time, may be anything.
      EXPECT_EQ(text_of(*small, restore_project(*small, bytes).id), text) << i;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_format) << i << error.what();
    }
  }
}

}  // namespace
}  // namespace caos::studio
