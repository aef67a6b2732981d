#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "apps/studio/store/images/image_files.hpp"
#include "tests/studio/store/store_fixture.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

namespace fs = std::filesystem;
using caos::test::expect_error;
using test::png;
using test::StoreFixture;
using testing::IsEmpty;
using testing::SizeIs;
using Bytes = std::vector<std::byte>;

Bytes bytes_of(const std::string& text) {
  const auto all = std::as_bytes(std::span(text));
  return {all.begin(), all.end()};
}

Bytes jpeg() {
  return vision::encode_jpeg({.width = 40, .height = 30, .rgb = std::vector<std::uint8_t>(3600)});
}

/// A JPEG whose EXIF says this orientation.
Bytes turned_jpeg(char orientation) {
  std::string segment(
      "\xff\xe1\0\x22"
      "Exif\0\0"
      "II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0",
      28);
  segment += std::string({orientation, 0, 0, 0, 0, 0, 0, 0});
  Bytes file = jpeg();
  const Bytes added = bytes_of(segment);
  file.insert(file.begin() + 2, added.begin(), added.end());
  return file;
}

/// The header of a PNG file that claims to be large.
Bytes bomb(std::uint32_t width, std::uint32_t height) {
  Bytes file = png(1);
  for (int i = 0; i < 4; ++i) {
    file[static_cast<std::size_t>(16 + i)] = static_cast<std::byte>(width >> (24 - 8 * i));
    file[static_cast<std::size_t>(20 + i)] = static_cast<std::byte>(height >> (24 - 8 * i));
  }
  return file;
}

std::size_t num_files(const StoreFixture& store) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(store.path() + "/images")) {
    if (entry.is_regular_file()) ++count;
  }
  return count;
}

TEST(StoreImages, SHA256IsTheOneThatEverybodyKnows) {
  EXPECT_EQ(sha256_of(bytes_of("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(StoreImages, KeepTheirBytesUnderTheirHash) {
  StoreFixture store;
  const Bytes bytes = png(3);
  const ImageRecord image = store->add_image(
      store.project, {.name = "a.png", .subject = "s1", .mm_per_pixel = 0.5}, bytes);
  EXPECT_EQ(image.width, 40U);
  EXPECT_EQ(image.height, 30U);
  EXPECT_EQ(image.subject, "s1");
  EXPECT_EQ(image.mm_per_pixel, 0.5);
  EXPECT_EQ(image.sha256, sha256_of(bytes));
  EXPECT_FALSE(image.order);
  const std::string expected =
      store.path() + "/images/" + image.sha256.substr(0, 2) + "/" + image.sha256;
  EXPECT_EQ(store->path_of(image), expected);
  EXPECT_EQ(fs::file_size(expected), bytes.size());
  store.reopen();
  EXPECT_EQ(store->image(store.project, image.id), image);
  EXPECT_TRUE(fs::exists(expected));
}

TEST(StoreImages, SidesAreThoseOfTheUprightImage) {
  StoreFixture store;
  const ImageRecord image = store->add_image(store.project, {.name = "a.jpg"}, turned_jpeg(6));
  EXPECT_EQ(image.width, 30U);
  EXPECT_EQ(image.height, 40U);
}

TEST(StoreImages, TheSameNameOrContentTwiceIsADuplicate) {
  StoreFixture store;
  const Id first = store->add_image(store.project, {.name = "a.png"}, png(1)).id;
  const auto same_name = store->try_add_image(store.project, {.name = "a.png"}, png(2));
  ASSERT_TRUE(std::holds_alternative<DuplicateImage>(same_name));
  EXPECT_EQ(std::get<DuplicateImage>(same_name).image.id, first);
  EXPECT_FALSE(std::get<DuplicateImage>(same_name).same_content);
  const auto same_bytes = store->try_add_image(store.project, {.name = "b.png"}, png(1));
  ASSERT_TRUE(std::holds_alternative<DuplicateImage>(same_bytes));
  EXPECT_EQ(std::get<DuplicateImage>(same_bytes).image.id, first);
  EXPECT_TRUE(std::get<DuplicateImage>(same_bytes).same_content);
  expect_error([&] { store->add_image(store.project, {.name = "b.png"}, png(1)); },
               ErrorKind::invalid_input, {"already", "'a.png'"});
  EXPECT_THAT(store->images(store.project), SizeIs(1));
}

TEST(StoreImages, OfTwoThatComeAtOnceOneIsADuplicate) {
  StoreFixture store;
  std::atomic<int> added = 0;
  {
    std::vector<std::jthread> uploads;
    for (int i = 0; i < 4; ++i) {
      uploads.emplace_back([&, i] {
        const auto outcome =
            store->try_add_image(store.project, {.name = fmt::format("{}.png", i)}, png(7));
        added += std::holds_alternative<ImageRecord>(outcome) ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(added, 1);
  EXPECT_THAT(store->images(store.project), SizeIs(1));
}

TEST(StoreImages, FilesThatAreNotImagesAreRefused) {
  StoreFixture store;
  const auto refused = [&](const Bytes& bytes, const std::string& why) {
    expect_error([&] { store->add_image(store.project, {.name = "a.png"}, bytes); },
                 ErrorKind::bad_format, {"a.png", why});
  };
  refused({}, "empty");
  refused(bytes_of("<svg onload='alert(1)'/>"), "not an image");
  refused(bytes_of("\x89PNG\r\n\x1a\n"), "damaged");
  EXPECT_THAT(store->images(store.project), IsEmpty());
  EXPECT_EQ(num_files(store), 0U);
}

TEST(StoreImages, BombsAreRefusedBeforeTheyGoOff) {
  StoreFixture store;
  for (const auto& [width, height] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {10'001, 10'000}, {65'535, 65'535}, {0x7fffffff, 0x7fffffff}, {0xffffffff, 1}}) {
    expect_error(
        [&, width = width, height = height] {
          store->add_image(store.project, {.name = "a.png"}, bomb(width, height));
        },
        ErrorKind::bad_format, {"a.png"});
  }
  EXPECT_EQ(num_files(store), 0U);
}

TEST(StoreImages, TruncatedImagesAreRefusedWhereverTheyEnd) {
  StoreFixture store;
  for (const Bytes& whole : {png(1), jpeg()}) {
    for (std::size_t size = 0; size + 2 < whole.size(); size += 7) {
      const Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      expect_error([&] { store->add_image(store.project, {.name = "a.png"}, part); },
                   ErrorKind::bad_format, {"a.png"});
    }
  }
}

TEST(StoreImages, SurprisesInExifAreRefusedWithARemedy) {
  StoreFixture store;
  expect_error([&] { store->add_image(store.project, {.name = "a.jpg"}, turned_jpeg(9)); },
               ErrorKind::bad_format, {"a.jpg", "orientation of 9", "save it again"});
  EXPECT_NO_THROW(store->add_image(store.project, {.name = "a.jpg"}, turned_jpeg(3)));
}

TEST(StoreImages, HostileNamesAreRefused) {
  StoreFixture store;
  const std::vector<std::string> names = {
      "",         "../../etc/passwd",     "a/b.png",  "a\\b.png",
      "a\nb.png", std::string("a\0b", 3), "\x1b[31m", "\xff\xfe.png",
      "a\x7f",    std::string(256, 'a'),  ".",        "..",
      "\xc0\xaf", "\xed\xa0\x80",         "\xc2\x80"};
  for (const std::string& name : names) {
    expect_error([&] { store->add_image(store.project, {.name = name}, png(1)); },
                 ErrorKind::invalid_input, {"name of an image"});
  }
  EXPECT_EQ(num_files(store), 0U);
}

TEST(StoreImages, NamesThatOnlyLookHostileAreKept) {
  StoreFixture store;
  const std::vector<std::string> names = {"<img src=x onerror=alert(1)>.png",
                                          "'; DROP TABLE images;",
                                          "Größe 1.PNG",
                                          "写真.jpg",
                                          "%2e%2e%2f",
                                          "a:b?c*d|e",
                                          std::string(255, 'a'),
                                          "...",
                                          "-rf"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto image =
        store->add_image(store.project, {.name = names[i]}, png(static_cast<int>(i)));
    EXPECT_EQ(store->image(store.project, image.id).name, names[i]);
  }
}

TEST(StoreImages, SubjectsAndScalesAreChecked) {
  StoreFixture store;
  const auto refused = [&](const NewImage& image) {
    expect_error([&] { store->add_image(store.project, image, png(1)); }, ErrorKind::invalid_input,
                 {""});
  };
  refused({.name = "a", .subject = ""});
  refused({.name = "a", .subject = std::string(201, 's')});
  refused({.name = "a", .mm_per_pixel = -1.0});
  const Id image = store.add_image();
  EXPECT_EQ(store->change_image(store.project, image, "s", 2.0).subject, "s");
  EXPECT_EQ(store->change_image(store.project, image, std::nullopt, 2.0).mm_per_pixel, 2.0);
  store->draw_sample(store.project, 1, 1);
  expect_error([&] { store->change_image(store.project, image, "t", 2.0); },
               ErrorKind::invalid_input, {"cannot change"});
  EXPECT_EQ(store->change_image(store.project, image, std::nullopt, 3.0).mm_per_pixel, 3.0);
}

TEST(StoreImages, AFileGoesWithTheLastProjectThatHasIt) {
  StoreFixture store;
  const ImageRecord image = store->add_image(store.project, {.name = "a.png"}, png(1));
  const Id other = store->add_project("other", "builtin", "", {}).id;
  store->add_image(other, {.name = "b.png"}, png(1));
  store->remove_image(store.project, image.id);
  EXPECT_TRUE(fs::exists(store->path_of(image)));
  expect_error([&] { static_cast<void>(store->image(store.project, image.id)); },
               ErrorKind::not_found, {"no image"});
  store->remove_project(other);
  EXPECT_FALSE(fs::exists(store->path_of(image)));
}

TEST(StoreImages, AnImageGoesWithItsPoints) {
  StoreFixture store;
  const Id image = store.add_image();
  store.complete(image);
  store->remove_image(store.project, image);
  EXPECT_THAT(store->annotators(store.project), IsEmpty());
  const Id again = store.add_image();
  EXPECT_NE(again, image);
  EXPECT_EQ(store->image(store.project, again).num_points, 0U);
}

TEST(StoreImages, OrphansAreRemovedWhenTheStoreIsOpened) {
  StoreFixture store;
  const ImageRecord image = store->add_image(store.project, {.name = "a.png"}, png(1));
  const std::string orphan = store->path_of({.sha256 = std::string(64, 'a')});
  const std::string unfinished = store.path() + "/images/aa/.caos-1-2.tmp";
  const std::string note = store.path() + "/images/aa/README";
  store.close();
  fs::create_directories(store.path() + "/images/aa");
  for (const std::string& path : {orphan, unfinished, note}) std::ofstream(path) << "x";
  store.reopen();
  EXPECT_FALSE(fs::exists(orphan));
  EXPECT_FALSE(fs::exists(unfinished));
  EXPECT_TRUE(fs::exists(note));  // not the studio's
  EXPECT_TRUE(fs::exists(store->path_of(image)));
}

TEST(StoreImages, SightIsRememberedOnce) {
  StoreFixture store;
  const Id image = store.add_image();
  EXPECT_EQ(store->image(store.project, image).seen_at, "");
  store->mark_seen(store.project, image);
  const std::string seen = store->image(store.project, image).seen_at;
  EXPECT_THAT(seen, SizeIs(24));
  store->mark_seen(store.project, image);
  EXPECT_EQ(store->image(store.project, image).seen_at, seen);
}

std::vector<std::string> names_in(const ImagePage& page) {
  std::vector<std::string> names;
  for (const ImageRecord& image : page.images) names.push_back(image.name);
  return names;
}

TEST(StoreImages, AreListedInParts) {
  using Names = std::vector<std::string>;
  StoreFixture store;
  int number = 0;
  for (const char* name : {"b.png", "A.png", "d.png", "C.png", "e.png"}) {
    store->add_image(store.project, {.name = name}, png(number++));
  }
  EXPECT_EQ(store->num_images(store.project), 5U);
  const auto list = [&](const ImageQuery& query) { return store->images(store.project, query); };
  EXPECT_EQ(names_in(list({})), (Names{"b.png", "A.png", "d.png", "C.png", "e.png"}));
  const ImageQuery by_name{.sort = ImageQuery::Sort::name, .offset = 1, .limit = 2};
  EXPECT_EQ(names_in(list(by_name)), (Names{"b.png", "C.png"}));
  EXPECT_EQ(list(by_name).total, 5U);
  EXPECT_EQ(names_in(list({.search = "c."})), Names{"C.png"});
  EXPECT_EQ(list({.search = "%"}).total, 0U);
  EXPECT_EQ(list({.offset = 9}).images.size(), 0U);
  store->draw_sample(store.project, 2, 1);
  store->add_image(store.project, {.name = "late.png"}, png(77));
  const auto sample = list({.which = ImageQuery::Which::sample, .sort = ImageQuery::Sort::order});
  ASSERT_EQ(sample.images.size(), 2U);
  EXPECT_EQ(sample.images[0].order, 0U);
  EXPECT_EQ(sample.images[1].order, 1U);
  EXPECT_EQ(list({.which = ImageQuery::Which::review}).total, 4U);
  EXPECT_EQ(list({.which = ImageQuery::Which::audit}).total, 0U);
  EXPECT_EQ(names_in(list({.sort = ImageQuery::Sort::order})).back(), "late.png");
}

TEST(StoreImages, TheSecondReadingHasItsOwnProgress) {
  StoreFixture store;
  const Id image = store.add_image();
  for (const std::size_t number : {0U, 1U}) {
    EXPECT_EQ(store->image(store.project, image).num_second_points, number);
    EXPECT_FALSE(store->image(store.project, image).second_complete);
    Change change = store.placing(image, number, 3, 4, "Bob");
    change.reading = 2;
    change.base = static_cast<std::int64_t>(number);
    ASSERT_TRUE(store->apply(store.project, change).applied);
  }
  EXPECT_TRUE(store->image(store.project, image).second_complete);
  EXPECT_FALSE(store->image(store.project, image).complete);
}

}  // namespace
}  // namespace caos::studio
