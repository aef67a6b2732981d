#include "caos/landmarks/formats/landmark_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/landmarks/formats/sample.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::landmarks {
namespace {

using caos::test::expect_error;
using caos::test::TempDir;
using test::sample;
using test::sample_path;
using testing::ElementsAre;
using testing::IsEmpty;

const LandmarkTable one{{{.image = "a", .landmarks = {{"1", 1.5, 2.5}}}}};

std::size_t num_images(const std::string& name, const FileOptions& options = {}) {
  return read_landmarks(sample_path(name), options).annotations.size();
}

TEST(LandmarkFile, IsReadAsItsNameSays) {
  EXPECT_EQ(num_images("points.csv"), 2U);
  EXPECT_EQ(num_images("imglab.xml"), 2U);
  EXPECT_EQ(num_images("indoor_001.pts"), 1U);
  FileOptions tps;
  tps.tps.y = TpsY::top;
  tps.tps.curves = TpsCurves::skip;
  EXPECT_EQ(num_images("tpsdig.tps", tps), 2U);
  EXPECT_EQ(num_images("slicer/skull_1.mrk.json"), 1U);
}

TEST(LandmarkFile, InJsonIsReadAsItsContentSays) {
  EXPECT_EQ(num_images("person_keypoints.json"), 3U);
  EXPECT_EQ(num_images("label_studio.json"), 2U);
  const TempDir folder;
  const std::string path = folder.write("renamed.json", sample("slicer/skull_1.mrk.json"));
  EXPECT_EQ(read_landmarks(path, {}).annotations[0].image, "renamed");
  expect_error([&] { (void)read_landmarks(folder.write("x.json", "{}"), {}); },
               ErrorKind::bad_format, {"x.json", "COCO"});
}

TEST(LandmarkFile, IsReadAsTheOptionsSay) {
  const TempDir folder;
  const std::string path = folder.write("x.txt", "image,landmark,x,y\n");
  EXPECT_THAT(read_landmarks(path, {.format = Format::csv}).annotations, IsEmpty());
  expect_error([&] { (void)read_landmarks(path, {}); }, ErrorKind::invalid_input,
               {"x.txt", "format"});
}

TEST(LandmarkFile, OfOneImageIsNamedAsTheImage) {
  const LandmarkTable table =
      read_landmarks(sample_path("indoor_001.pts"), {.image_extension = ".png"});
  EXPECT_EQ(table.annotations[0].image, "indoor_001.png");
}

TEST(LandmarkFile, MayBeAFolderWithAFileForEachImage) {
  const LandmarkTable table =
      read_landmarks(sample_path("slicer"), {.slicer_scale = 0.5, .image_extension = ".nrrd"});
  ASSERT_EQ(table.annotations.size(), 2U);
  EXPECT_EQ(table.annotations[0].image, "skull_1.nrrd");
  EXPECT_EQ(table.annotations[1].image, "skull_2.nrrd");
  EXPECT_EQ(table.annotations[1].scale, 0.5);
}

TEST(LandmarkFile, InAFolderMustBeOfOneFormat) {
  const TempDir folder;
  folder.write("notes.txt", "");
  expect_error([&] { (void)read_landmarks(folder / "", {}); }, ErrorKind::not_found, {".pts"});
  folder.write("a.pts", "version: 1\nn_points: 0\n{\n}\n");
  EXPECT_EQ(read_landmarks(folder / "", {}).annotations.size(), 1U);
  folder.write("a.mrk.json", sample("slicer/skull_1.mrk.json"));
  expect_error([&] { (void)read_landmarks(folder / "", {}); }, ErrorKind::invalid_input, {"both"});
  EXPECT_EQ(read_landmarks(folder / "", {.format = Format::pts}).annotations.size(), 1U);
  expect_error([&] { (void)read_landmarks(folder / "", {.format = Format::csv}); },
               ErrorKind::invalid_input, {"is a folder"});
}

TEST(LandmarkFile, ThatIsMissingIsNotFound) {
  expect_error([] { (void)read_landmarks("no/such.csv", {}); }, ErrorKind::not_found,
               {"no/such.csv"});
}

TEST(LandmarkFile, IsWrittenInEveryFormatAndReadBack) {
  const TempDir folder;
  FileOptions options;
  options.sizes = [](const std::string&) { return ImageSize{4, 4}; };
  options.tps.y = TpsY::bottom;
  for (const Format format : {Format::csv, Format::tps, Format::coco, Format::dlib,
                              Format::label_studio, Format::pts, Format::slicer}) {
    const std::string path = folder / ("out" + std::string(name_of(format)));
    options.format = format;
    EXPECT_THAT(write_landmarks(path, one, options), IsEmpty()) << name_of(format);
    EXPECT_EQ(read_landmarks(path, options).annotations[0].landmarks, one.annotations[0].landmarks);
  }
}

TEST(LandmarkFile, ForEachImageGoesIntoAFolder) {
  const TempDir folder;
  const LandmarkTable table{{{.image = "x/a.png", .landmarks = {{"n", 1, 2}}},
                             {.image = "b.c.png", .landmarks = {{"m", 3, 4}}}}};
  EXPECT_EQ(write_landmarks(folder / "out", table, {.format = Format::pts}).size(), 3U);
  EXPECT_EQ(folder.read("out/a.pts"), "version: 1\nn_points: 2\n{\n1.5 2.5\n-1 -1\n}\n");
  EXPECT_EQ(folder.read("out/b.c.pts"), "version: 1\nn_points: 2\n{\n-1 -1\n3.5 4.5\n}\n");
  expect_error([&] { write_landmarks(folder / "all.pts", table, {}); }, ErrorKind::invalid_input,
               {"one image"});
  write_landmarks(folder / "single.pts", one, {});
  EXPECT_THAT(folder.list(), ElementsAre("out", "single.pts"));
}

TEST(LandmarkFile, IsNotWrittenOverThatOfAnotherImage) {
  const TempDir folder;
  const LandmarkTable table{{{.image = "a.png"}, {.image = "a.jpg"}}};
  expect_error([&] { write_landmarks(folder / "out", table, {.format = Format::slicer}); },
               ErrorKind::invalid_input, {"'a.jpg'", "a.mrk.json"});
  EXPECT_THAT(folder.list(), IsEmpty());
}

TEST(LandmarkFile, InCocoShouldKnowTheSizesOfImages) {
  const TempDir folder;
  FileOptions options;
  options.format = Format::coco;
  EXPECT_THAT(write_landmarks(folder / "x.json", one, options),
              ElementsAre(testing::HasSubstr("sizes of images; those of 1 are unknown")));
  options.sizes = [](const std::string&) { return ImageSize{4, 4}; };
  EXPECT_THAT(write_landmarks(folder / "x.json", one, options), IsEmpty());
}

TEST(LandmarkFile, NeedsAFormatToBeWritten) {
  expect_error([] { (void)output_format("x.json", {}); }, ErrorKind::invalid_input, {"x.json"});
  EXPECT_EQ(output_format("x.MRK.JSON", {}), Format::slicer);
  EXPECT_EQ(output_format("x.json", {.format = Format::coco}), Format::coco);
}

TEST(Format, IsReadFromItsName) {
  EXPECT_EQ(parse_format("label-studio"), Format::label_studio);
  expect_error([] { (void)parse_format("json"); }, ErrorKind::invalid_input,
               {"'json'", "csv, tps, pts, coco, dlib, label-studio, slicer"});
}

}  // namespace
}  // namespace caos::landmarks
