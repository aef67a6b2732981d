#include "caos/landmarks/formats/json/coco_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/landmarks/formats/sample.hpp"

namespace caos::landmarks {
namespace {

using test::expect_refused;
using test::Malformed;
using test::sample;
using testing::ElementsAre;

LandmarkTable parse(const std::string& text) { return parse_coco(text, "t.json"); }

TEST(Coco, HasPixelsWhoseCentersAreTheLandmarks) {
  const LandmarkTable table = parse(sample("person_keypoints.json"));
  ASSERT_EQ(table.annotations.size(), 3U);
  const Annotation first{.image = "000000000785.jpg",
                         .landmarks = {{"nose", 367.5, 81.5, Visibility::visible},
                                       {"left_eye", 374.5, 73.5, Visibility::hidden},
                                       {"right_eye", 0, 0, Visibility::missing},
                                       {"left_ear", 386.5, 74.5, Visibility::visible}},
                         .width = 640,
                         .height = 425};
  EXPECT_EQ(table.annotations[0], first);
}

TEST(Coco, KeepsImagesWithoutMarkedKeypoints) {
  const LandmarkTable table = parse(sample("person_keypoints.json"));
  EXPECT_EQ(table.annotations[1],
            (Annotation{.image = "000000000802.jpg", .width = 424, .height = 640}));
  EXPECT_EQ(table.annotations[2].landmarks.size(), 4U);
  EXPECT_EQ(table.annotations[2].landmarks[0].visibility, Visibility::missing);
}

TEST(Coco, IsWrittenWithABoxAroundTheMarkedKeypoints) {
  const LandmarkTable table{{{.image = "a.png",
                              .landmarks = {{"n", 2.5, 3, Visibility::visible},
                                            {"m", 4.5, 9, Visibility::hidden},
                                            {"o", 0, 0, Visibility::missing}}}}};
  const auto object = nlohmann::json::parse(write_coco(table))["annotations"][0];
  EXPECT_EQ(object["keypoints"], nlohmann::json({2.0, 2.5, 2, 4.0, 8.5, 1, 0, 0, 0}));
  EXPECT_EQ(object["num_keypoints"], 2);
  EXPECT_EQ(object["bbox"], nlohmann::json({2.5, 3.0, 2.0, 6.0}));
  EXPECT_EQ(object["area"], 12.0);
}

/// A file with these images, annotations and keypoints.
std::string file(const std::string& images, const std::string& annotations,
                 const std::string& keypoints = R"(["n"])") {
  return R"({"images": [)" + images + R"(], "annotations": [)" + annotations +
         R"(], "categories": [{"id": 1, "keypoints": )" + keypoints + "}]}";
}

const std::string image = R"({"id": 1, "file_name": "a"})";

std::string object(const std::string& keypoints) {
  return R"({"image_id": 1, "category_id": 1, "keypoints": )" + keypoints + "}";
}

TEST(Coco, ThatIsMalformedIsRefusedWithThePlace) {
  expect_refused(
      parse,
      {{"", "t.json:1: not valid JSON here; look for a missing quote"},
       {"{\n\"images\": [1,\n}", "t.json:3: not valid JSON here"},
       {"{\"images\": [NaN]}", "t.json:1: not valid JSON here"},
       {std::string(100, '[') + std::string(100, ']'), "t.json: is nested too deeply"},
       {"[]", "t.json: not an object"},
       {"{}", "t.json: has no 'images'"},
       {R"({"images": 3})", "t.json: images: not a list"},
       {file(R"({"id": 1})", ""), "t.json: images[0]: has no 'file_name'"},
       {file(R"({"id": 1, "file_name": "a", "width": 0})", ""), "images[0].width: not a whole"},
       {file(R"({"id": 1, "file_name": "a", "width": 2.5})", ""), "images[0].width: not a"},
       {file(image + "," + image, ""), "t.json: images[1].file_name: 'a' is listed twice"},
       {file(image + R"(, {"id": 1, "file_name": "b"})", ""),
        "images[1].id: is also that of another image"},
       {file(image, object("[1, 2]")),
        "annotations[0].keypoints: has 2 numbers; 1 keypoints need 3"},
       {file(image, object("[1, 2, 3]")), "annotations[0].keypoints[2]: not a visibility"},
       {file(image, object("[1, null, 2]")), "annotations[0].keypoints[1]: not a number"},
       {file(image, object("[1, 1e300, 2]")),
        "annotations[0].keypoints[1]: is 1e+300, which is no"},
       {file(image, object("[1, 1e999, 2]")), "t.json: holds a number that is too large"},
       {file(image, object("[1, 2, 2]") + "," + object("[1, 2, 2]")),
        "annotations[1]: is a second object with keypoints in image 'a'"},
       {file(image, R"({"image_id": 2, "category_id": 1, "keypoints": [1, 2, 2]})"),
        "annotations[0].image_id: not that of an image"},
       {file(image, R"({"image_id": 1, "category_id": 2, "keypoints": [1, 2, 2]})"),
        "annotations[0].category_id: not that of a category"},
       {file(image, "", R"(["n", "n"])"),
        "categories[0].keypoints[1]: is also the name of another"},
       {file(image, "", R"([""])"), "categories[0].keypoints[0]: is empty"}});
}

TEST(Coco, WithoutNamesNumbersKeypoints) {
  const LandmarkTable table = parse(file(image, object("[1, 2, 2, 3, 4, 2]"), "[]"));
  EXPECT_THAT(table.landmark_names(), ElementsAre("keypoint_1", "keypoint_2"));
}

TEST(Coco, WithoutVisibility2SaysThat1IsVisible) {
  std::vector<std::string> notes;
  const auto note = [&](const std::string& text) { notes.push_back(text); };
  const std::string text = file(image, object("[1, 2, 1, 3, 4, 0]"), R"(["n", "m"])");
  const LandmarkTable table = parse_coco(text, "t.json", {}, note);
  EXPECT_EQ(table.annotations[0].landmarks[0].visibility, Visibility::visible);
  EXPECT_EQ(table.annotations[0].landmarks[1].visibility, Visibility::missing);
  EXPECT_THAT(notes, ElementsAre("t.json: no keypoint has visibility 2; 1 is read as visible and 0 "
                                 "as missing (1 keypoints with 0 have a position, which is not "
                                 "read)"));
  notes.clear();
  (void)parse_coco(file(image, object("[1, 2, 2]")), "t.json", {}, note);
  EXPECT_TRUE(notes.empty());
}

TEST(Coco, WithSeveralObjectsReadsTheOneThatIsChosen) {
  const std::string text = R"({"images": [{"id": 1, "file_name": "a"}], "annotations": [
    {"id": 7, "image_id": 1, "category_id": 1, "keypoints": [1, 1, 2, 3, 3, 2]},
    {"id": 9, "image_id": 1, "category_id": 2, "keypoints": [1, 1, 2, 9, 9, 2]}],
    "categories": [{"id": 1, "name": "dog", "keypoints": ["n", "m"]},
                   {"id": 2, "name": "cat", "keypoints": ["n", "m"]}]})";
  const auto x_of_m = [&](const char* which) {
    const LandmarkTable table = parse_coco(text, "t.json", parse_instances(which));
    return table.annotations.at(0).landmarks.at(1).x;
  };
  EXPECT_EQ(x_of_m("first"), 3.5);
  EXPECT_EQ(x_of_m("largest"), 9.5);
  EXPECT_EQ(x_of_m("7"), 3.5);
  EXPECT_EQ(x_of_m("cat"), 9.5);
  caos::test::expect_error([&] { (void)parse(text); }, ErrorKind::bad_format,
                           {"t.json: annotations[1]: is a second object", "2 instances (7, 9)",
                            "--instances largest, first, each"});
  caos::test::expect_error([&] { (void)x_of_m("8"); }, ErrorKind::bad_format,
                           {"--instances 8", "there are 7, 9"});
  const LandmarkTable each = parse_coco(text, "t.json", parse_instances("each"));
  ASSERT_EQ(each.annotations.size(), 2U);
  EXPECT_EQ(each.annotations[0].image, "a#7");
  EXPECT_EQ(each.annotations[1].image, "a#9");
  EXPECT_EQ(each.annotations[1].subject, "a");
}

TEST(Coco, IsNotWrittenWithNamesThatAreNoUtf8) {
  caos::test::expect_error([] { (void)write_coco({{{.image = "\xff"}}}); },
                           ErrorKind::invalid_input, {"UTF-8"});
}

}  // namespace
}  // namespace caos::landmarks
