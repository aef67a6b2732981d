#include "caos/landmarks/refinement/correlation_map.hpp"

#include <gtest/gtest.h>

#include "tests/landmarks/refinement/refinement_oracle.hpp"
#include "tests/landmarks/refinement/textures.hpp"

namespace {

using caos::CorrelationMap;
using caos::Correlations;
using caos::PointTemplate;
using caos::template_at;
using caos::TemplatePixels;
using caos::vision::GrayImage;
using caos::vision::Point;
using refinement::correlation;

constexpr int radius = CorrelationMap::search_radius;

std::vector<PointTemplate> matched(const std::vector<TemplatePixels>& templates) {
  return {templates.begin(), templates.end()};
}

/// The mean of r^2 over templates and widths, where r > 0.
double slow_value(const std::vector<TemplatePixels>& templates, const GrayImage& image, Point at) {
  double sum = 0;
  for (const TemplatePixels& one : templates) {
    for (const int half : {8, 19}) {
      const double r = correlation(one, half, image, at);
      if (r > 0) sum += r * r;
    }
  }
  return sum / static_cast<double>(2 * templates.size());
}

void expect_equals_the_definition(const GrayImage& image, Point place,
                                  const std::vector<TemplatePixels>& templates) {
  const Correlations found = correlate(image, place, matched(templates));
  for (int dy = -radius; dy <= radius; dy += 4) {
    for (int dx = -radius; dx <= radius; dx += 4) {
      const Point at{place.x + dx, place.y + dy};
      EXPECT_NEAR(
          found.map(static_cast<std::size_t>(dy + radius), static_cast<std::size_t>(dx + radius)),
          slow_value(templates, image, at), 1e-12);
    }
  }
}

TEST(CorrelationMap, EqualsItsDefinition) {
  const GrayImage image = refinement::texture(1, 90, 70);
  const GrayImage other = refinement::texture(2, 80, 60);
  const std::vector<TemplatePixels> templates = {
      template_at(image, {40.3, 31.9}), template_at(other, {0, 0}), template_at(other, {79.5, 30})};
  for (const Point place : {Point{41.2, 30.7}, Point{0, 0}, Point{89.9, 69.9}, Point{3, 66}}) {
    expect_equals_the_definition(image, place, templates);
  }
}

TEST(CorrelationMap, OfFlatImagesIsZero) {
  const GrayImage flat(50, 60, 200);
  const GrayImage image = refinement::texture(3, 60, 50);
  const auto of = [](const GrayImage& one, const GrayImage& other) {
    return correlate(one, {30, 25}, matched({template_at(other, {30, 25})}));
  };
  for (const Correlations& found : {of(flat, image), of(image, flat), of(flat, flat)}) {
    for (const double value : found.map.values()) EXPECT_EQ(value, 0);
  }
}

TEST(CorrelationMap, IsLargestWhereTheTemplateIsFrom) {
  const GrayImage image = refinement::texture(4, 90, 70);
  for (const Point point : {Point{40.5, 30.5}, Point{2.5, 3.5}, Point{89.5, 69.5}}) {
    const Correlations found =
        correlate(image, {point.x + 4, point.y - 6}, matched({template_at(image, point)}));
    const Point peak = found.map.peak({0, 0}, 0);
    EXPECT_NEAR(peak.x, -4, 0.1);
    EXPECT_NEAR(peak.y, 6, 0.1);
    EXPECT_EQ(found.agreement, 1);
  }
}

TEST(CorrelationMap, FindsPartsOfAPixel) {
  const GrayImage image = refinement::texture(5, 90, 70);
  for (const double part : {0.0, 0.25, 0.5, 0.8}) {
    const Point point{40.5 + part, 30.5 - part};
    const auto templates = matched({template_at(image, point)});
    const Point peak = correlate(image, {40, 30}, templates).map.peak({0, 0}, 0);
    EXPECT_NEAR(peak.x, part, 0.15);
    EXPECT_NEAR(peak.y, -part, 0.15);
  }
}

TEST(CorrelationMap, AgreesAsManyTemplatesAsHaveTheirPeakThere) {
  const GrayImage image = refinement::texture(6, 120, 90);
  const Point point{60.5, 45.5};
  std::vector<TemplatePixels> templates(6, template_at(image, point));
  templates.resize(8, template_at(image, {point.x + 7, point.y}));
  EXPECT_EQ(correlate(image, point, matched(templates)).agreement, 0.75);
}

TEST(CorrelationMap, PrefersThePriorWhereWeightIsLarge) {
  CorrelationMap map;
  map(radius, radius + 5) = 1;
  EXPECT_EQ(map.peak({-3, 2}, 0).x, 5);
  const Point far = map.peak({-3, 2}, 1);
  EXPECT_NEAR(far.x, -3, 1e-9);
  EXPECT_NEAR(far.y, 2, 1e-9);
}

TEST(CorrelationMap, HasItsPeakAtTheFirstOfEqualPlaces) {
  const CorrelationMap map;
  EXPECT_EQ(map.peak({0, 0}, 0).x, -radius);
  EXPECT_EQ(map.peak({0, 0}, 0).y, -radius);
}

TEST(TemplateAt, HoldsThePixelsAroundTheCenterOfAPixel) {
  const GrayImage image = refinement::texture(7, 90, 70);
  const TemplatePixels pixels = template_at(image, {30.5, 40.5});
  for (std::size_t i = 0; i < 39; ++i) {
    for (std::size_t j = 0; j < 39; ++j) {
      EXPECT_EQ(pixels[i * 39 + j], image(std::min<std::size_t>(40 + i - 19, 69), 30 + j - 19));
    }
  }
}

TEST(TemplateAt, RepeatsTheBorder) {
  const GrayImage image = refinement::texture(8, 30, 20);
  const TemplatePixels pixels = template_at(image, {0, 0});
  for (std::size_t p = 0; p < 19; ++p) EXPECT_EQ(pixels[p], image(0, 0));
}

}  // namespace
