#include "caos/vision/gray_image.hpp"

#include <gtest/gtest.h>

namespace caos::vision {
namespace {

TEST(GrayImage, RoundsTheLumaOfEachPixel) {
  const Image image{.width = 3, .height = 1, .rgb = {255, 255, 255, /**/ 1, 0, 2, /**/ 10, 20, 30}};
  const GrayImage gray = gray_of(image, 3, 1);
  EXPECT_EQ(gray(0, 0), 255);
  EXPECT_EQ(gray(0, 1), 1);   // 0.299 + 0.228 = 0.527
  EXPECT_EQ(gray(0, 2), 18);  // 2.99 + 11.74 + 3.42 = 18.15
}

TEST(GrayImage, LeavesPaddingOut) {
  Image image{.width = 2, .height = 2, .rgb = std::vector<std::uint8_t>(12, 9)};
  image.rgb[6] = image.rgb[7] = image.rgb[8] = 200;
  const GrayImage gray = gray_of(image, 1, 2);
  ASSERT_EQ(gray.rows(), 2);
  ASSERT_EQ(gray.cols(), 1);
  EXPECT_EQ(gray(0, 0), 9);
  EXPECT_EQ(gray(1, 0), 200);
}

}  // namespace
}  // namespace caos::vision
