#include "caos/landmarks/formats/json/label_studio_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/landmarks/formats/sample.hpp"

namespace caos::landmarks {
namespace {

using test::expect_refused;
using test::sample;

LandmarkTable parse(const std::string& text) { return parse_label_studio(text, "t.json"); }

TEST(LabelStudio, CountsInPercentOfTheImage) {
  const LandmarkTable table = parse(sample("label_studio.json"));
  ASSERT_EQ(table.annotations.size(), 2U);
  const Annotation& first = table.annotations[0];
  EXPECT_EQ(first.image, "plane one.jpg");
  EXPECT_EQ(first.width, 1920U);
  EXPECT_EQ(first.height, 1280U);
  ASSERT_EQ(first.landmarks.size(), 2U);
  EXPECT_EQ(first.landmarks[0].name, "Engine");
  EXPECT_EQ(first.landmarks[0].x, 480);
  EXPECT_NEAR(first.landmarks[0].y, 104.96, 1e-9);
  EXPECT_EQ(first.landmarks[1].name, "Tail");
  EXPECT_NEAR(first.landmarks[1].x, 916.48, 1e-9);
  EXPECT_NEAR(first.landmarks[1].y, 675.404255319149, 1e-9);
}

TEST(LabelStudio, KeepsTasksThatWereNotAnnotated) {
  const Annotation expected{.image = "planes/two.jpg", .subject = "D-ABCD"};
  EXPECT_EQ(parse(sample("label_studio.json")).annotations[1], expected);
}

std::string image_named(const std::string& task) { return parse(task).annotations[0].image; }

TEST(LabelStudio, NamesImagesInManyWays) {
  EXPECT_EQ(image_named(R"([{"data": {"image": "sub/a b%20.png"}}])"), "sub/a b%20.png");
  EXPECT_EQ(image_named(R"([{"data": {"image": "https://x.org/p/a%20b.png?size=2"}}])"), "a b.png");
  EXPECT_EQ(image_named(R"([{"data": {"image": "s3://bucket/a-b.png"}}])"), "a-b.png");
  EXPECT_EQ(image_named(R"([{"data": {"image": "/data/upload/7/0123abcd-a-b.png"}}])"), "a-b.png");
  EXPECT_EQ(image_named(R"([{"data": {}, "file_upload": "0123abcd-a.png"}])"), "a.png");
  EXPECT_EQ(image_named(R"([{"data": {"image": "/data/local-files/?d=x%2Fa.png"}}])"), "x/a.png");
}

TEST(LabelStudio, NeedsSizesToBeWritten) {
  const LandmarkTable table{{{.image = "a.png", .landmarks = {{"n", 1, 2}}}}};
  caos::test::expect_error([&] { (void)write_label_studio(table); }, ErrorKind::invalid_input,
                           {"'a.png'", "percent", "size"});
}

std::string task(const std::string& annotations) {
  return R"([{"data": {"image": "a"}, "annotations": [)" + annotations + "]}]";
}

std::string region(const std::string& labels, const std::string& x = "1",
                   const std::string& more = "") {
  return R"({"type": "keypointlabels", "original_width": 4, "original_height": 4, "value": {"x": )" +
         x + R"(, "y": 2, "keypointlabels": )" + labels + "}" + more + "}";
}

std::string result(const std::string& regions) { return R"({"result": [)" + regions + "]}"; }

TEST(LabelStudio, ThatIsMalformedIsRefusedWithThePlace) {
  expect_refused(
      parse,
      {{"{}", "t.json: not a list"},
       {R"([{"image": "a", "kp": []}])", "t.json: [0]: has no 'data'; export from Label Studio as"},
       {R"([{"data": {"text": "a"}}])", "t.json: [0]: has no file name in data.image"},
       {R"([{"data": {"image": 3}}])", "t.json: [0].data.image: not a text"},
       {R"([{"data": {"image": "a"}}, {"data": {"image": "a"}}])", "[1]: image 'a' has a task"},
       {R"([{"data": {"image": "a", "mm_per_pixel": -1}}])", "mm_per_pixel: not a positive"},
       {task("{}"), "[0].annotations[0]: has no 'result'"},
       {task(result("") + "," + result("")), "[0].annotations[1]: is a second annotation"},
       {task(result(region(R"(["n", "m"])"))), "value.keypointlabels: must hold one label"},
       {task(result(region(R"([""])"))), "value.keypointlabels[0]: is empty"},
       {task(result(region(R"(["n"])", "\"1\""))), "result[0].value.x: not a number"},
       {task(result(region(R"(["n"])") + "," + region(R"(["n"])"))),
        "[0].annotations[0].result[1]: landmark 'n' is given twice"},
       {task(result(region(R"(["n"])", "1", R"(, "image_rotation": 90)"))),
        "result[0].image_rotation: is not 0"},
       {task(result(R"({"type": "keypointlabels", "value": {}})")), "has no 'original_width'"},
       {task(result(region(R"(["n"])") +
                    R"(, {"type": "keypointlabels", "original_width": 5, "original_height": 4,
                        "value": {"x": 1, "y": 1, "keypointlabels": ["m"]}})")),
        "result[1].original_width: is another one than before"}});
}

}  // namespace
}  // namespace caos::landmarks
