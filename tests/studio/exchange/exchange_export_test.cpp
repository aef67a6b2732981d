#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <tuple>

#include "apps/studio/exchange/download_name.hpp"
#include "apps/studio/exchange/export_landmarks.hpp"
#include "apps/studio/exchange/import_landmarks.hpp"
#include "apps/studio/exchange/zip_reader.hpp"
#include "tests/studio/store/store_fixture.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

using caos::test::expect_error;
using landmarks::FileOptions;
using landmarks::Format;
using landmarks::NamedText;
using test::StoreFixture;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<NamedText> unzip(const std::string& bytes) {
  const ZipReader archive = ZipReader::of_bytes(std::as_bytes(std::span(bytes)), "zip", 1000);
  std::vector<NamedText> files;
  for (const ZipReader::Entry& entry : archive.entries()) {
    const auto content = archive.read(entry);
    files.push_back({entry.name, {reinterpret_cast<const char*>(content.data()), content.size()}});
  }
  return files;
}

std::vector<NamedText> files_of(const Download& download, Format format) {
  if (!landmarks::is_per_image(format)) return {{download.name, download.bytes}};
  std::vector<NamedText> files = unzip(download.bytes);
  std::erase_if(files, [](const NamedText& file) { return file.name == "LOSSES.txt"; });
  return files;
}

std::vector<std::string> names_in(const landmarks::LandmarkTable& table) {
  std::vector<std::string> names;
  for (const auto& annotation : table.annotations) names.push_back(annotation.image);
  return names;
}

TEST(Export, TakesTheImagesThatAreAskedFor) {
  StoreFixture store;
  const std::vector<Id> ids = store.add_images(6);
  store->draw_sample(store.project, 2, 7);
  std::vector<std::string> sample;
  std::vector<std::string> rest;
  for (const ImageRecord& image : store->images(store.project)) {
    (image.in_sample(store->project(store.project).sampling) ? sample : rest).push_back(image.name);
    if (image.name != rest.back() || rest.size() == 1)
      store.complete(image.id);
    else if (rest.size() == 2)
      store->apply(store.project, store.placing(image.id, 0, 1, 2));
  }
  EXPECT_EQ(names_in(table_of(*store, store.project, ExportedImages::sample)), sample);
  EXPECT_THAT(names_in(table_of(*store, store.project, ExportedImages::reviewed)),
              ElementsAre(rest[0]));
  EXPECT_EQ(names_in(table_of(*store, store.project, ExportedImages::labeled)).size(), 4U);
  EXPECT_EQ(parse_exported_images("reviewed"), ExportedImages::reviewed);
  expect_error([] { (void)parse_exported_images("some"); }, ErrorKind::invalid_input, {"'some'"});
}

TEST(Export, HasANameAndATypeForEachFormat) {
  StoreFixture store;
  store.complete(store.add_image());
  const auto csv = export_landmarks(*store, store.project, ExportedImages::labeled, Format::csv);
  EXPECT_EQ(csv.name, "faces.csv");
  EXPECT_EQ(csv.type, "text/csv; charset=utf-8");
  EXPECT_THAT(csv.losses, IsEmpty());
  const auto coco = export_landmarks(*store, store.project, ExportedImages::labeled, Format::coco);
  EXPECT_EQ(coco.name, "faces.coco.json");
  const auto pts = export_landmarks(*store, store.project, ExportedImages::labeled, Format::pts);
  EXPECT_EQ(pts.name, "faces.pts.zip");
  EXPECT_EQ(pts.type, "application/zip");
  const auto tps = export_landmarks(*store, store.project, ExportedImages::labeled, Format::tps);
  EXPECT_EQ(tps.name, "faces.tps");  // y from the bottom, as tpsDig has it
}

TEST(Export, SaysWhatIsLostInsideOfArchives) {
  StoreFixture store;
  store->apply(store.project, store.placing(store.add_image(), 1, 3, 4));
  const auto pts = export_landmarks(*store, store.project, ExportedImages::labeled, Format::pts);
  EXPECT_THAT(pts.losses, Contains(HasSubstr("1 that were not looked at")));
  const std::vector<NamedText> files = unzip(pts.bytes);
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].name, "0.pts");
  EXPECT_EQ(files[0].text, "version: 1\nn_points: 2\n{\n-1 -1\n3.5 4.5\n}\n");
  EXPECT_EQ(files[1].name, "LOSSES.txt");
  EXPECT_THAT(files[1].text, HasSubstr("names are lost"));
  EXPECT_EQ(export_landmarks(*store, store.project, ExportedImages::labeled, Format::pts).bytes,
            pts.bytes);
}

TEST(Export, OfNothingIsAnEmptyArchive) {
  StoreFixture store;
  store.add_image();
  const auto pts = export_landmarks(*store, store.project, ExportedImages::labeled, Format::pts);
  EXPECT_THAT(unzip(pts.bytes), IsEmpty());
}

TEST(DownloadName, SuitsEveryFileSystem) {
  EXPECT_EQ(download_name("wings", ".csv"), "wings.csv");
  EXPECT_EQ(download_name("../Fl\xc3\xbcgel \"1\"\r\n", ".csv"), "Fl-gel-1.csv");
  EXPECT_EQ(download_name("???", ".csv"), "project.csv");
}

// What goes out comes back.

using Key = std::tuple<std::string, std::string, PointState, double, double>;

/// All points that were placed somewhere.
std::vector<Key> placed(StoreFixture& store, Format format) {
  std::vector<Key> points;
  for (const auto& annotation :
       table_of(*store, store.project, ExportedImages::labeled).annotations) {
    for (const landmarks::Landmark& landmark : annotation.landmarks) {
      if (landmark.visibility == landmarks::Visibility::missing) continue;
      const bool tells_hidden =
          format == Format::csv || format == Format::coco || format == Format::slicer;
      const bool hidden = tells_hidden && landmark.visibility == landmarks::Visibility::hidden;
      points.emplace_back(annotation.image, landmark.name,
                          hidden ? PointState::hidden : PointState::visible, landmark.x,
                          landmark.y);
    }
  }
  return points;
}

/// A place in a 40 x 30 image that percentages of its sides hold exactly enough.
double draw_place(int size) { return *rc::gen::inRange(0, size * 8) / 8.0; }

void label_at_random(StoreFixture& store, const std::vector<Id>& images) {
  for (const Id image : images) {
    for (std::size_t t = 0; t < 2; ++t) {
      const int what = *rc::gen::inRange(0, 5);
      if (what == 0) continue;
      Change change = store.placing(image, t, draw_place(40), draw_place(30));
      if (what == 1) change.edits[0].state = PointState::missing;
      if (what == 2) change.edits[0].state = PointState::hidden;
      store->apply(store.project, change);
    }
  }
}

FileOptions options_for(Format format) {
  FileOptions options;
  options.format = format;
  options.tps.y = *rc::gen::element(landmarks::TpsY::top, landmarks::TpsY::bottom);
  options.dlib.fractions = true;
  return options;
}

RC_GTEST_PROP(Export, IsReadBackByImport, ()) {
  const auto format = *rc::gen::element(Format::csv, Format::tps, Format::pts, Format::coco,
                                        Format::dlib, Format::label_studio, Format::slicer);
  StoreFixture from;
  StoreFixture to;
  const std::vector<Id> images = from.add_images(3);
  for (const Id image : to.add_images(3)) {
    if (*rc::gen::arbitrary<bool>()) continue;
    to->change_image(to.project, image, std::nullopt, 0.25);
    from->change_image(from.project, images[static_cast<std::size_t>(image - 1)], std::nullopt,
                       0.25);
  }
  label_at_random(from, images);
  if (placed(from, format).empty()) return;  // files without points are none in some formats
  const FileOptions options = options_for(format);
  const Download download =
      export_landmarks(*from, from.project, ExportedImages::labeled, format, options);
  const std::vector<NamedText> files = files_of(download, format);
  ImportOptions how{.files = options, .annotator = "Bo"};
  const ImportResult result = import_landmarks(*to, to.project, files, how);
  RC_ASSERT(result.unknown_images.empty());
  const std::vector<Key> sent = placed(from, format);
  const std::vector<Key> got = placed(to, format);
  RC_ASSERT(got.size() == sent.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    RC_ASSERT(std::get<0>(got[i]) == std::get<0>(sent[i]));
    RC_ASSERT(std::get<1>(got[i]) == std::get<1>(sent[i]));
    RC_ASSERT(std::get<2>(got[i]) == std::get<2>(sent[i]));
    const double tolerance = format == Format::label_studio ? 1e-9 : 0;
    RC_ASSERT(std::abs(std::get<3>(got[i]) - std::get<3>(sent[i])) <= tolerance);
    RC_ASSERT(std::abs(std::get<4>(got[i]) - std::get<4>(sent[i])) <= tolerance);
  }
}

}  // namespace
}  // namespace caos::studio
