#include "caos/vision/drawing/synthetic_face.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace caos::vision {
namespace {

Point landmark(const DrawnFace& face, const std::string& name) {
  const auto found = std::ranges::find(face.landmarks, name, &NamedPoint::name);
  return found == face.landmarks.end() ? Point{-1, -1} : found->position;
}

TEST(DrawnFace, IsTheSameForTheSameNumbers) {
  const DrawnFace first = draw_face(1, 5);
  const DrawnFace second = draw_face(1, 5);
  EXPECT_EQ(first.image.rgb, second.image.rgb);
  EXPECT_NE(first.image.rgb, draw_face(1, 6).image.rgb);
  EXPECT_NE(first.image.rgb, draw_face(2, 5).image.rgb);
}

TEST(DrawnFace, HasTheSizeOfAlignedPortraits) {
  const DrawnFace face = draw_face(1, 0);
  EXPECT_EQ(face.image.width, 178U);
  EXPECT_EQ(face.image.height, 218U);
  EXPECT_EQ(face.image.rgb.size(), std::size_t{178} * 218 * 3);
}

TEST(DrawnFace, NamesEachLandmarkOnceAndAlwaysInOneOrder) {
  const DrawnFace face = draw_face(1, 0);
  const DrawnFace other = draw_face(9, 9);
  std::set<std::string> names;
  for (std::size_t i = 0; i < face.landmarks.size(); ++i) {
    names.insert(face.landmarks[i].name);
    EXPECT_EQ(face.landmarks[i].name, other.landmarks[i].name);
  }
  EXPECT_EQ(face.landmarks.size(), 42U);
  EXPECT_EQ(names.size(), 42U);
}

TEST(DrawnFace, KeepsItsLandmarksInTheImageAndInOrder) {
  for (std::uint64_t index = 0; index < 60; ++index) {
    const DrawnFace face = draw_face(3, index);
    for (const NamedPoint& point : face.landmarks) {
      EXPECT_TRUE(point.position.x > 0 && point.position.x < 178) << index << ' ' << point.name;
      EXPECT_TRUE(point.position.y > 0 && point.position.y < 218) << index << ' ' << point.name;
    }
    EXPECT_LT(landmark(face, "left_pupil").x, landmark(face, "right_pupil").x);
    EXPECT_LT(landmark(face, "nose_bridge").y, landmark(face, "nose_tip").y);
    EXPECT_LT(landmark(face, "nose_base").y, landmark(face, "mouth_middle").y);
    EXPECT_LT(landmark(face, "lower_lip").y, landmark(face, "chin").y);
  }
}

/// The mean brightness of the 3 x 3 pixels about a point.
double brightness(const Image& image, Point point) {
  double sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const auto x = static_cast<std::size_t>(point.x + dx);
      const auto y = static_cast<std::size_t>(point.y + dy);
      for (std::size_t c = 0; c < 3; ++c) sum += image.rgb[(y * image.width + x) * 3 + c];
    }
  }
  return sum / 27;
}

TEST(DrawnFace, HasDarkPupilsWhereItSaysSo) {
  for (std::uint64_t index = 0; index < 60; ++index) {
    const DrawnFace face = draw_face(3, index);
    EXPECT_LT(brightness(face.image, landmark(face, "left_pupil")), 140) << index;
    EXPECT_LT(brightness(face.image, landmark(face, "right_pupil")), 140) << index;
  }
}

}  // namespace
}  // namespace caos::vision
