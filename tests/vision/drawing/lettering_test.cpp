#include "caos/vision/drawing/lettering.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace caos::vision {
namespace {

struct Bounds {
  double left = 1e9;
  double top = 1e9;
  double right = -1e9;
  double bottom = -1e9;

  void include(Point p) {
    left = std::min(left, p.x);
    top = std::min(top, p.y);
    right = std::max(right, p.x);
    bottom = std::max(bottom, p.y);
  }
};

Bounds bounds_of(const TextShape& shape) {
  Bounds bounds;
  for (const Contour& contour : shape.contours) {
    bounds.include(contour.start);
    for (const Curve& curve : contour.curves) bounds.include(curve.end);
  }
  return bounds;
}

TEST(Lettering, IsUprightAndAboutAsHighAsItSays) {
  const Lettering lettering;
  for (const std::string text : {"H", "3", "M"}) {
    const Bounds bounds = bounds_of(lettering.shape_of(text));
    EXPECT_LT(bounds.top, -0.7) << text;
    EXPECT_GE(bounds.top, -Lettering::ascent) << text;
    EXPECT_LE(bounds.bottom, 0.02) << text;
  }
  const Bounds below = bounds_of(lettering.shape_of("g"));
  EXPECT_GT(below.bottom, 0.15);
  EXPECT_LE(below.bottom, Lettering::descent);
}

TEST(Lettering, SetsLettersOneAfterAnother) {
  const Lettering lettering;
  const TextShape one = lettering.shape_of("nose");
  const TextShape both = lettering.shape_of("nosenose");
  EXPECT_DOUBLE_EQ(both.width, 2 * one.width);
  EXPECT_EQ(both.contours.size(), 2 * one.contours.size());
  EXPECT_DOUBLE_EQ(both.contours[one.contours.size()].start.x, one.contours[0].start.x + one.width);
  EXPECT_EQ(lettering.shape_of("").width, 0);
  EXPECT_TRUE(lettering.shape_of(" ").contours.empty());
  EXPECT_GT(lettering.shape_of(" ").width, 0);
}

TEST(Lettering, ClosesEveryContourOfLettersWithHoles) {
  const TextShape shape = Lettering().shape_of("8");
  ASSERT_EQ(shape.contours.size(), 3U);
  for (const Contour& contour : shape.contours) {
    EXPECT_DOUBLE_EQ(contour.curves.back().end.x, contour.start.x);
    EXPECT_DOUBLE_EQ(contour.curves.back().end.y, contour.start.y);
  }
}

TEST(Lettering, HasLatinGreekAndCyrillicLetters) {
  const Lettering lettering;
  const TextShape box = lettering.shape_of("\U0001F600");
  EXPECT_FALSE(box.contours.empty());
  for (const std::string text : {"é", "ß", "ł", "Ω", "μ", "ж", "Я", "µ", "€", "…"}) {
    const TextShape shape = lettering.shape_of(text);
    EXPECT_FALSE(shape.contours.empty()) << text;
    EXPECT_NE(bounds_of(shape).right, bounds_of(box).right) << text;
  }
}

TEST(Lettering, DrawsBytesThatAreNotUtf8AsTheReplacementCharacter) {
  const Lettering lettering;
  const double replacement = lettering.shape_of("\xEF\xBF\xBD").width;
  EXPECT_GT(replacement, 0.5);
  for (const std::string text : {"\xff", "\x80", "\xc3", "\xe2\x82", "\xf8"}) {
    const TextShape shape = lettering.shape_of(text);
    EXPECT_DOUBLE_EQ(shape.width, static_cast<double>(text.size()) * replacement);
  }
  EXPECT_DOUBLE_EQ(lettering.shape_of("\xc3g").width, replacement + lettering.shape_of("g").width);
}

}  // namespace
}  // namespace caos::vision
