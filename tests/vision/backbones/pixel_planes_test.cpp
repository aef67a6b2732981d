#include "caos/vision/backbones/pixel_planes.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using caos::vision::Image;
using caos::vision::PixelPlanes;

TEST(PixelPlanes, PutsChannelsApartScalesThemAndPadsWithBlack) {
  const Image image{.width = 2, .height = 1, .rgb = {0, 51, 255, 102, 153, 204}};
  const PixelPlanes planes({0.5, 0, 0.2}, {0.5, 1, 0.1});
  std::vector<float> found(18, 99.0F);
  planes.fill(image, 3, 2, found);
  const std::vector<float> expected{-1,   -0.2F, -1, -1, -1, -1,   // red, black being -1
                                    0.2F, 0.6F,  0,  0,  0,  0,    // green
                                    8,    6,     -2, -2, -2, -2};  // blue
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_FLOAT_EQ(found[i], expected[i]) << i;
}

TEST(PixelPlanes, RoundEachValueOnce) {
  Image image{.width = 256, .height = 1};
  for (int v = 0; v < 256; ++v) image.rgb.insert(image.rgb.end(), 3, static_cast<std::uint8_t>(v));
  std::vector<float> found(3 * 256);
  PixelPlanes({0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}).fill(image, 256, 1, found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i], static_cast<float>((static_cast<double>(i % 256) / 255 - 0.5) / 0.5));
  }
}

}  // namespace
