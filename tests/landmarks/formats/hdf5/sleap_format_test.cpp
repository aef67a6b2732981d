#include "caos/landmarks/formats/hdf5/sleap_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/landmarks/formats/sample.hpp"

namespace caos::landmarks {
namespace {

using caos::test::expect_error;
using test::sample;
using testing::ElementsAre;
using testing::StartsWith;

TEST(Sleap, HasImageFilesAndPixelsWhoseCentersAreTheLandmarks) {
  std::vector<std::string> notes;
  const LandmarkTable table =
      parse_sleap(sample("sleap_images.slp"), "t.slp", parse_instances("right"),
                  [&](const std::string& text) { notes.push_back(text); });
  ASSERT_EQ(table.annotations.size(), 2U);
  EXPECT_EQ(table.annotations[0].image, "/data/run/a.png");
  EXPECT_EQ(table.annotations[0].landmarks,
            (std::vector<Landmark>{{"snout", 10.5, 20.5, Visibility::visible},
                                   {"tail", 30.5, 40.5, Visibility::hidden}}));
  EXPECT_THAT(notes, ElementsAre(StartsWith("t.slp: 1 frames have predicted instances only")));
}

TEST(Sleap, WithSeveralInstancesNeedsAChoice) {
  const std::string bytes = sample("sleap_images.slp");
  expect_error(
      [&] { (void)parse_sleap(bytes, "t.slp"); }, ErrorKind::bad_format,
      {"t.slp: instances[1]: is a second instance in image '/data/run/a.png'", "(left, right)"});
  const LandmarkTable each = parse_sleap(bytes, "t.slp", parse_instances("each"));
  ASSERT_EQ(each.annotations.size(), 3U);
  EXPECT_EQ(each.annotations[0].image, "/data/run/a.png#left");
  EXPECT_EQ(each.annotations[2].landmarks[0], (Landmark{"snout", 5.5, 6.5}));
  EXPECT_EQ(each.annotations[2].landmarks[1].visibility, Visibility::missing);
}

TEST(Sleap, MayHoldItsImages) {
  const std::string bytes = sample("sleap_embedded.pkg.slp");
  const LandmarkTable table = parse_sleap(bytes, "t.slp");
  ASSERT_EQ(table.annotations.size(), 1U);
  EXPECT_EQ(table.annotations[0].image, "video0_000007.png");
  EXPECT_EQ(table.annotations[0].landmarks[0], (Landmark{"snout", 1, 2}));  // before format 1.1
  const std::vector<EmbeddedImage> images = embedded_images(bytes, "t.slp");
  ASSERT_EQ(images.size(), 1U);
  EXPECT_EQ(images[0].name, "video0_000007.png");
  EXPECT_THAT(images[0].bytes, StartsWith("\x89PNG"));
}

TEST(Sleap, WithOtherVideosIsRefusedByTheirNames) {
  expect_error([] { (void)parse_sleap(sample("sleap_video.slp"), "t.slp"); }, ErrorKind::bad_format,
               {"t.slp: frame 7 is labeled in the video 'clip.mp4'", ".pkg.slp"});
}

TEST(Sleap, ThatIsDamagedIsRefused) {
  const auto parse = [](const std::string& bytes) { return parse_sleap(bytes, "t.slp"); };
  test::expect_refused(parse, {{"", "t.slp: not an HDF5 file"},
                               {sample("deeplabcut_fixed.h5"), "t.slp: has no metadata"}});
  const std::string whole = sample("sleap_images.slp");
  for (std::size_t size = 0; size < whole.size(); size += 61) {
    try {
      (void)parse(whole.substr(0, size));
      ADD_FAILURE() << size;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_format) << size;
    }
  }
}

}  // namespace
}  // namespace caos::landmarks
