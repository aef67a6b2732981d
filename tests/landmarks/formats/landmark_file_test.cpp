#include "caos/landmarks/formats/landmark_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

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
  const std::string path = folder.write("x.dat", "image,landmark,x,y\n");
  EXPECT_THAT(read_landmarks(path, {.format = Format::csv}).annotations, IsEmpty());
  expect_error([&] { (void)read_landmarks(path, {}); }, ErrorKind::invalid_input,
               {"x.dat", "--format", "tps (.tps)"});
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
  folder.write("notes.md", "");
  expect_error([&] { (void)read_landmarks(folder / "", {}); }, ErrorKind::not_found, {".pts"});
  folder.write("notes.txt", "see the other file");
  folder.write("a.pts", "version: 1\nn_points: 0\n{\n}\n");
  EXPECT_EQ(read_landmarks(folder / "", {}).annotations.size(), 1U);
  folder.write("a.mrk.json", sample("slicer/skull_1.mrk.json"));
  expect_error([&] { (void)read_landmarks(folder / "", {}); }, ErrorKind::invalid_input, {"both"});
  EXPECT_EQ(read_landmarks(folder / "", {.format = Format::pts}).annotations.size(), 1U);
  expect_error([&] { (void)read_landmarks(folder / "", {.format = Format::coco}); },
               ErrorKind::invalid_input, {"is a folder"});
  expect_error([&] { (void)read_landmarks(folder / "", {.format = Format::csv}); },
               ErrorKind::not_found, {"contains no .csv files"});
}

/// As cephalometric data are given: a list of points for each radiograph.
TEST(LandmarkFile, MayBeAFolderOfPointLists) {
  const TempDir folder;
  folder.write("001.txt", "835,996\n1473,1029\n1\n3\n");
  folder.write("002.txt", "843,1004\n1486,1014\n2\n1\n");
  std::vector<std::string> notes;
  FileOptions options;
  options.note = [&](const std::string& text) { notes.push_back(text); };
  const LandmarkTable table = read_landmarks(folder / "", options);
  ASSERT_EQ(table.annotations.size(), 2U);
  EXPECT_EQ(table.annotations[1].image, "002");
  EXPECT_EQ(table.annotations[1].landmarks,
            (std::vector<Landmark>{{"1", 843, 1004}, {"2", 1486, 1014}}));
  // Once, though each file has them.
  EXPECT_THAT(notes, ElementsAre(testing::HasSubstr(
                         ": 2 lines after the points are not read (so in 2 files, the first: ")));
  folder.write("003.txt", "850,990\n1480,1020\n2\n");
  notes.clear();
  EXPECT_EQ(read_landmarks(folder / "", options).annotations.size(), 3U);
  EXPECT_THAT(notes,
              ElementsAre(testing::HasSubstr("in 2 files"),
                          testing::EndsWith("003.txt: 1 lines after the points are not read")));
}

/// As 300-W is packed, or wings of several colonies.
TEST(LandmarkFile, MayBeAFolderOfFolders) {
  const TempDir folder;
  for (const char* name : {"indoor", "outdoor"}) std::filesystem::create_directory(folder / name);
  folder.write("outdoor/b.pts", "version: 1\nn_points: 1\n{\n1.5 2.5\n}\n");
  folder.write("indoor/a.pts", "version: 1\nn_points: 1\n{\n3.5 4.5\n}\n");
  const LandmarkTable table = read_landmarks(folder / "", {});
  ASSERT_EQ(table.annotations.size(), 2U);
  EXPECT_EQ(table.annotations[0].image, "indoor/a");
  EXPECT_EQ(table.annotations[1].image, "outdoor/b");
  EXPECT_EQ(table.annotations[1].landmarks[0], (Landmark{"1", 1, 2}));
  // Files in the folder itself are all that is read.
  folder.write("c.pts", "version: 1\nn_points: 0\n{\n}\n");
  EXPECT_EQ(read_landmarks(folder / "", {}).annotations.size(), 1U);
}

TEST(LandmarkFile, InAFolderBelowNamesImagesFromThere) {
  const TempDir folder;
  for (const char* name : {"a", "b"}) std::filesystem::create_directory(folder / name);
  folder.write("a/w.tps", "LM=1\n1 2\nIMAGE=1.jpg\n");
  folder.write("b/w.tps", "LM=1\n3 4\nIMAGE=1.jpg\nLM=1\n5 6\nIMAGE=C:\\bees\\2.jpg\n");
  std::vector<std::string> asked;
  FileOptions options;
  options.sizes = [&](const std::string& image) {
    asked.push_back(image);
    return ImageSize{10, 10};
  };
  const LandmarkTable table = read_landmarks(folder / "", options);
  const auto names = std::vector<std::string>{"a/1.jpg", "b/1.jpg", "C:\\bees\\2.jpg"};
  ASSERT_EQ(table.annotations.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(table.annotations[i].image, names[i]);
  EXPECT_EQ(asked, names);
  EXPECT_EQ(table.annotations[1].landmarks[0], (Landmark{"1", 3, 6}));
}

/// Its networks' tables lie beside the labels of a person, and so do the labels once more.
TEST(LandmarkFile, MayBeAProjectOfDeepLabCut) {
  const TempDir project;
  std::filesystem::create_directories(project / "labeled-data/one");
  std::filesystem::create_directories(project / "labeled-data/two");
  std::filesystem::create_directories(project / "training-datasets/iteration-0");
  std::filesystem::create_directory(project / "videos");
  const auto table_of = [](const std::string& image) {
    return "scorer,me,me\nbodyparts,nose,nose\ncoords,x,y\n" + image + ",1,2\n";
  };
  project.write("config.yaml", "Task: x\n");
  project.write("labeled-data/one/CollectedData_me.csv", table_of("labeled-data/one/img1.png"));
  project.write("labeled-data/one/machinelabels.csv", table_of("labeled-data/one/img2.png"));
  project.write("labeled-data/two/CollectedData_me.csv", table_of("labeled-data/two/img1.png"));
  project.write("training-datasets/iteration-0/CollectedData_me.csv",
                table_of("labeled-data/one/img1.png"));
  project.write("videos/oneDLC_resnet50.csv", table_of("0"));
  for (const char* place : {"", "labeled-data"}) {
    const LandmarkTable table = read_landmarks(project / place, {});
    ASSERT_EQ(table.annotations.size(), 2U) << place;
    EXPECT_EQ(table.annotations[0].image, "labeled-data/one/img1.png");
    EXPECT_EQ(table.annotations[1].image, "labeled-data/two/img1.png");
  }
}

TEST(LandmarkFile, InAFolderIsNamedWhereAnotherAnnotatesTheSameImage) {
  const TempDir folder;
  folder.write("back.tps", "LM=0\nIMAGE=f_01.jpg\n");
  folder.write("fore.tps", "LM=0\nIMAGE=f_01.jpg\n");
  expect_error([&] { (void)read_landmarks(folder / "", {}); }, ErrorKind::invalid_input,
               {"image 'f_01.jpg'", "back.tps and in ", "fore.tps; give one of them"});
}

TEST(LandmarkFile, MayBeAFolderOfTables) {
  const TempDir folder;
  folder.write("a.csv", "landmark,x,y\nSella,1,2\n");
  folder.write("b.csv", "landmark;x;y\nSella;1,5;2\n");
  const LandmarkTable table = read_landmarks(folder / "", {});
  ASSERT_EQ(table.annotations.size(), 2U);
  EXPECT_EQ(table.annotations[1].image, "b");
  EXPECT_EQ(table.annotations[1].landmarks[0], (Landmark{"Sella", 1.5, 2}));
  const TempDir videos;
  videos.write("one.csv", "id,X1,Y1\na,1,2\nb,3,4\n");
  videos.write("two.csv", "id,X1,Y1\nc,1,2\n");
  EXPECT_EQ(read_landmarks(videos / "", {}).annotations.size(), 3U);
  videos.write("one.txt", "1 2\n");
  expect_error([&] { (void)read_landmarks(videos / "", {}); }, ErrorKind::invalid_input,
               {"contains both .csv and .txt files; choose with --format"});
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
