#include "caos/landmarks/large_regions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "caos/vision/backbones/builtin_backbone.hpp"

namespace caos {
namespace {

using testing::HasSubstr;

vision::Frame frame_of(const std::string& size, std::size_t width, std::size_t height) {
  return vision::WorkingSize::parse(size).frame_of(width, height, vision::BuiltinBackbone());
}

TEST(RegionShare, IsTheAreaOfItsPatches) {
  const vision::Frame frame = frame_of("original", 64, 32);  // 4 x 2 patches
  EXPECT_EQ(region_share({}, frame), 0);
  EXPECT_EQ(region_share({0}, frame), 0.125);
  EXPECT_EQ(region_share({1, 6}, frame), 0.25);
}

TEST(RegionShare, EndsWhereTheImageEnds) {
  const vision::Frame frame = frame_of("original", 20, 16);  // the second patch is 4 wide
  EXPECT_DOUBLE_EQ(region_share({0}, frame), 0.8);
  EXPECT_DOUBLE_EQ(region_share({1}, frame), 0.2);
  EXPECT_EQ(region_share({3}, frame_of("64x64", 20, 16)), 0) << "padding";
}

RC_GTEST_PROP(RegionShare, OfAllPatchesIsTheWholeImage, ()) {
  const auto width = *rc::gen::inRange<std::size_t>(1, 900);
  const auto height = *rc::gen::inRange<std::size_t>(1, 900);
  const auto size = *rc::gen::element<std::string>("original", "512", "100", "192x224");
  const vision::Frame frame = frame_of(size, width, height);
  PredictionSet all(frame.grid.size());
  std::iota(all.begin(), all.end(), Label{0});
  RC_ASSERT(std::abs(region_share(all, frame) - 1) < 1e-9);
}

TEST(LargeRegions, AreToldAboveFivePercent) {
  EXPECT_FALSE(large_regions_text({.share = 0.05, .patches = 50}).has_value());
  const auto text = large_regions_text({.share = 0.051, .patches = 50});
  ASSERT_TRUE(text.has_value());
  EXPECT_THAT(*text, HasSubstr("regions cover 5.1 % of the image on average"));
  for (const char* option :
       {"smaller --working-size", "more labeled images", "--backbone", "caos landmarks show"}) {
    EXPECT_THAT(*text, HasSubstr(option));
  }
  EXPECT_THAT(*large_regions_text({.share = 0.331, .patches = 900}), HasSubstr("cover 33 %"));
}

TEST(LargeRegions, AreNamedByArguments) {
  const auto text = large_regions_text({.share = 0.2, .patches = 50}, OptionNames::arguments);
  EXPECT_THAT(*text, HasSubstr("a smaller working_size, more"));
}

TEST(LargeRegions, OfFewPatchesNeedSmallerPatches) {
  const auto text = large_regions_text({.share = 0.08, .patches = 1.5});
  EXPECT_THAT(*text, HasSubstr("try a larger --working-size"));
}

}  // namespace
}  // namespace caos
