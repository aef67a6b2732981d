#include "caos/landmarks/formats/landmark_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/landmarks/formats/sample.hpp"

namespace caos::landmarks {
namespace {

using caos::test::expect_error;
using test::sample;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* empty_pts = "version: 1\nn_points: 0\n{\n}\n";

TEST(LandmarkText, IsReadAsItsNameOrItsContentSays) {
  const std::vector<NamedText> csv = {{"points.csv", sample("points.csv")}};
  EXPECT_EQ(parse_landmarks(csv, {}).annotations.size(), 2U);
  const std::vector<NamedText> coco = {{"x.json", sample("person_keypoints.json")}};
  EXPECT_EQ(parse_landmarks(coco, {}).annotations.size(), 3U);
  const std::vector<NamedText> unknown = {{"x.dat", "image,landmark,x,y\n"}};
  expect_error([&] { (void)parse_landmarks(unknown, {}); }, ErrorKind::invalid_input,
               {"x.dat", "format"});
  EXPECT_THAT(parse_landmarks(unknown, {.format = Format::csv}).annotations, IsEmpty());
}

TEST(LandmarkText, MayBeAFileForEachImage) {
  const std::vector<NamedText> files = {{"folder/b.pts", empty_pts}, {"a.pts", empty_pts}};
  const LandmarkTable table = parse_landmarks(files, {.image_extension = ".png"});
  ASSERT_EQ(table.annotations.size(), 2U);
  EXPECT_EQ(table.annotations[0].image, "b.png");
  EXPECT_EQ(table.annotations[1].image, "a.png");
}

TEST(LandmarkText, OfOneImageMayComeOnce) {
  const std::vector<NamedText> files = {{"x/a.pts", empty_pts}, {"y/a.pts", empty_pts}};
  expect_error([&] { (void)parse_landmarks(files, {}); }, ErrorKind::invalid_input, {"twice"});
}

TEST(LandmarkText, InSeveralFilesMustBeOfOneFormatThatHasAFileForEachImage) {
  expect_error([] { (void)parse_landmarks(std::vector<NamedText>{}, {}); },
               ErrorKind::invalid_input, {"no landmark file"});
  const std::vector<NamedText> mixed = {{"a.pts", empty_pts},
                                        {"b.mrk.json", sample("slicer/skull_1.mrk.json")}};
  expect_error([&] { (void)parse_landmarks(mixed, {}); }, ErrorKind::invalid_input,
               {"b.mrk.json", "a.pts"});
  const std::vector<NamedText> tables = {{"a.json", sample("person_keypoints.json")},
                                         {"b.json", sample("person_keypoints.json")}};
  expect_error([&] { (void)parse_landmarks(tables, {}); }, ErrorKind::invalid_input,
               {"b.json", "one file"});
}

TEST(LandmarkText, IsWrittenAndReadBackInEveryFormat) {
  const LandmarkTable table{{{.image = "a", .landmarks = {{"1", 1.5, 2.5}, {"2", 3.5, 0.5}}},
                             {.image = "b", .landmarks = {{"1", 0.5, 0.5}, {"2", 2.5, 2.5}}}}};
  FileOptions options;
  options.sizes = [](const std::string&) { return ImageSize{4, 4}; };
  options.tps.y = TpsY::bottom;
  for (const Format format :
       {Format::csv, Format::tps, Format::pts, Format::coco, Format::dlib, Format::label_studio,
        Format::slicer, Format::wide_csv, Format::deeplabcut, Format::deeplabcut_hdf5,
        Format::sleap, Format::tem, Format::asf, Format::points}) {
    options.format = format;
    std::vector<NamedText> files = {{"all", ""}};
    if (is_per_image(format))
      files = landmark_texts(table, format, options);
    else
      files[0].text = landmark_text(table, format, options);
    const LandmarkTable back = parse_landmarks(files, options);
    ASSERT_EQ(back.annotations.size(), 2U) << name_of(format);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(back.annotations[i].image, table.annotations[i].image);
      EXPECT_EQ(back.annotations[i].landmarks, table.annotations[i].landmarks) << name_of(format);
    }
    EXPECT_THAT(landmark_losses(table, format, options), IsEmpty()) << name_of(format);
  }
}

TEST(LandmarkText, InCsvIsToldApartByItsFirstLine) {
  EXPECT_EQ(format_of("image,landmark,x,y\n", "a.csv", {}), Format::csv);
  EXPECT_EQ(format_of("scorer,me,me\n", "a.csv", {}), Format::deeplabcut);
  EXPECT_EQ(format_of("id,X1,Y1\n", "a.csv", {}), Format::wide_csv);
  EXPECT_EQ(format_of("\"\",\"1.X\",\"1.Y\"\n", "a.CSV", {}), Format::wide_csv);
  EXPECT_EQ(format_of("\"unfinished\n", "a.csv", {}), Format::csv);
  EXPECT_EQ(format_of("scorer;me;me\n", "a.csv", {}), Format::deeplabcut);
  EXPECT_EQ(format_of("id;X1;Y1\n", "a.tsv", {}), Format::wide_csv);
  EXPECT_EQ(format_of("a.png,1,2,3,4\n", "a.csv", {}), Format::wide_csv);
  EXPECT_EQ(format_of("landmark,x,y\nnose,1,2\n", "a.csv", {}), Format::points);
  EXPECT_EQ(format_of("x,y\n1,2\n", "a.csv", {}), Format::points);
  EXPECT_EQ(format_of("835,996\n1473,1029\n", "a.csv", {}), Format::points);
}

TEST(LandmarkText, MayNumberLandmarksInTheColumnId) {
  EXPECT_EQ(format_of("id,x,y\n1,3,4\n2,5,6\n", "a.csv", {}), Format::points);
  EXPECT_EQ(format_of("id,name,x,y\n1,Sella,3,4\n2,Nasion,5,6\n", "a.csv", {}), Format::points);
  EXPECT_EQ(format_of("id,name,x,y\nf1,Sella,3,4\nf1,Nasion,5,6\n", "a.csv", {}), Format::csv);
  EXPECT_EQ(format_of("id,x,y\na.png,3,4\n", "a.csv", {}), Format::csv);
}

TEST(LandmarkText, InTextFilesIsToldApartByItsFirstLine) {
  EXPECT_EQ(format_of("\xef\xbb\xbfLM=1\n1 2\n", "a.txt", {}), Format::tps);
  EXPECT_EQ(format_of("version: 1\n", "a.txt", {}), Format::pts);
  EXPECT_EQ(format_of("id\tX1\tY1\n", "a.TXT", {}), Format::wide_csv);
  EXPECT_EQ(format_of("image,landmark,x,y\n", "a.txt", {}), Format::csv);
  EXPECT_EQ(format_of("835,996\n", "a.txt", {}), Format::points);
  EXPECT_EQ(format_of("whatever\n", "a.txt", {}), Format::points);
}

TEST(LandmarkText, InUtf16IsRefused) {
  const std::string text("\xff\xfeL\0M\0", 6);
  expect_error([&] { (void)parse_landmarks(text, "a.tps", {.tps = {.y = TpsY::top}}); },
               ErrorKind::bad_format, {"a.tps: is UTF-16; save it as UTF-8"});
}

TEST(LandmarkText, InJsonIsToldApartByItsContent) {
  const auto format = [](const char* text) { return format_of(text, "a.json", {}); };
  EXPECT_EQ(format(R"({"images": [], "annotations": []})"), Format::coco);
  EXPECT_EQ(format(R"({"alpha": 0.1, "images": []})"), Format::regions);
  EXPECT_EQ(format(R"({"markups": []})"), Format::slicer);
  EXPECT_EQ(format(R"([{"data": {"image": "a"}}])"), Format::label_studio);
  const auto refused = [&](const char* text, const char* what) {
    expect_error([&] { (void)format(text); }, ErrorKind::bad_format,
                 {"a.json", what, "known formats are csv (.csv)"});
  };
  refused(R"([{"image": "/data/upload/1.png", "label": []}])", "JSON-MIN");
  refused(R"([{"image_id": 1, "keypoints": [1, 2, 2], "score": 1}])", "list of COCO results");
  refused(R"([{"annotations": [], "filename": "a.png"}])", "is a list in JSON");
  refused(R"({"data": {}})", "one task of Label Studio");
  refused("{}", "is JSON, but not as COCO");
  refused("3", "is JSON, but not as COCO");
}

TEST(LandmarkText, OfAnUnknownFormatIsRefusedWithTheKnownOnes) {
  expect_error([] { (void)format_of("", "a.doc", {}); }, ErrorKind::invalid_input,
               {"a.doc", "tps (.tps)", "deeplabcut-h5 (.h5)", "sleap (.slp)", "asf (.asf)"});
  expect_error([] { (void)parse_format("excel"); }, ErrorKind::invalid_input,
               {"'excel' is not a known format", "wide-csv", "tem"});
}

TEST(LandmarkText, GetsExtensionsWhereNamesHaveNone) {
  const FileOptions options{.image_extension = ".png"};
  const LandmarkTable table =
      parse_landmarks("image,landmark,x,y\na,n,1,2\nb.jpg,n,1,2\n", "t.csv", options);
  EXPECT_EQ(table.annotations[0].image, "a.png");
  EXPECT_EQ(table.annotations[1].image, "b.jpg");
  const LandmarkTable other =
      parse_landmarks("image,landmark,x,y\nC:\\v1.0\\a,n,1,2\nwing.02,n,1,2\n", "t.csv", options);
  EXPECT_EQ(other.annotations[0].image, "C:\\v1.0\\a.png");
  EXPECT_EQ(other.annotations[1].image, "wing.02.png");
}

TEST(LandmarkText, ForEachImageIsNamedAsTheImage) {
  const LandmarkTable table{{{.image = "x/a.png", .landmarks = {{"n", 1, 2}}},
                             {.image = "b.c.png", .landmarks = {{"m", 3, 4}}}}};
  const std::vector<NamedText> files = landmark_texts(table, Format::pts, {});
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].name, "a.pts");
  EXPECT_EQ(files[0].text, "version: 1\nn_points: 2\n{\n1.5 2.5\n-1 -1\n}\n");
  EXPECT_EQ(files[1].name, "b.c.pts");
  EXPECT_EQ(landmark_losses(table, Format::pts, {}).size(), 3U);
}

TEST(LandmarkText, InCocoShouldKnowTheSizesOfImages) {
  const LandmarkTable table{{{.image = "a", .landmarks = {{"1", 1.5, 2.5}}}}};
  EXPECT_THAT(landmark_losses(table, Format::coco, {}),
              ElementsAre(testing::HasSubstr("sizes of images; those of 1 are unknown")));
}

}  // namespace
}  // namespace caos::landmarks
