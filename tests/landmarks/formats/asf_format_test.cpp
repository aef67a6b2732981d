#include "caos/landmarks/formats/asf_format.hpp"

#include <gtest/gtest.h>

#include "tests/landmarks/formats/sample.hpp"

namespace caos::landmarks {
namespace {

using test::sample;

const ImageSizes sizes = [](const std::string&) { return ImageSize{200, 100}; };

LandmarkTable parse(const std::string& text) { return parse_asf(text, "t.asf", "t.png", sizes); }

TEST(Asf, HasSharesOfTheImageThatItNames) {
  const LandmarkTable table = parse(sample("face.asf"));
  ASSERT_EQ(table.annotations.size(), 1U);
  EXPECT_EQ(table.annotations[0].image, "face.bmp");
  EXPECT_EQ(table.annotations[0].width, 200U);
  EXPECT_EQ(table.annotations[0].landmarks,
            (std::vector<Landmark>{{"1", 50, 50}, {"2", 100, 25}, {"3", 150, 75}}));
}

TEST(Asf, WithoutAHostImageIsAboutTheImageOfItsName) {
  EXPECT_EQ(parse("1\n0 4 0.5 0.5 0 0 0\n").annotations[0].image, "t.png");
}

TEST(Asf, NeedsTheSizeOfTheImage) {
  caos::test::expect_error([] { (void)parse_asf(sample("face.asf"), "t.asf", "", {}); },
                           ErrorKind::invalid_input, {"image 'face.bmp'", "shares"});
}

TEST(Asf, ThatIsMalformedIsRefusedWithTheLine) {
  test::expect_refused(parse, {{"# only\n", "t.asf:1: expected the number of model points"},
                               {"2\n0 4 0 0 0 0 0\n", "t.asf:2: 2 points are announced, 1 follow"},
                               {"1\n0 4 0 0\n", "t.asf:2: point 1 has 4 fields"},
                               {"1\n0 4 x 0 0 0 0\n", "t.asf:2: 'x' is not a share"},
                               {"1\n0 4 40 0 0 0 0\n", "t.asf:2: '40' is not a share"},
                               {"0\na.png\nb.png\n", "t.asf:3: text follows"}});
}

}  // namespace
}  // namespace caos::landmarks
