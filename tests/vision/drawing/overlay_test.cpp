#include "caos/vision/drawing/overlay.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "caos/vision/drawing/synthetic_face.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::vision {
namespace {

using test::expect_error;

Image plain(std::size_t width, std::size_t height) {
  return {.width = width,
          .height = height,
          .rgb = std::vector<std::uint8_t>(width * height * 3, std::uint8_t{128})};
}

Region square(std::size_t set_size, double from, double to, const std::string& name = {}) {
  return {.outline = {{{from, from}, {to, from}, {to, to}, {from, to}}},
          .proposal = {(from + to) / 2, (from + to) / 2},
          .set_size = set_size,
          .name = name};
}

Rgb pixel(const Image& image, std::size_t x, std::size_t y) {
  const auto* const p = &image.rgb[(y * image.width + x) * 3];
  return {p[0], p[1], p[2]};
}

TEST(Overlay, EnlargesSmallImagesOnly) {
  EXPECT_EQ(draw_overlay(plain(178, 218), {}).width, 178U * 3);
  EXPECT_GE(draw_overlay(plain(178, 218), {}).height, 218U * 3);
  EXPECT_EQ(draw_overlay(plain(900, 1200), {}).width, 900U);
  EXPECT_EQ(draw_overlay(plain(10, 1), {}).width, 7000U);
}

TEST(Overlay, LimitsTheWidthOfFlatImagesThatAreEnlarged) {
  EXPECT_EQ(draw_overlay(plain(100, 1), {}).width, 8000U);
  EXPECT_EQ(draw_overlay(plain(9000, 1), {}).width, 9000U);
}

TEST(Overlay, ColorsByTheSizeOfTheSet) {
  EXPECT_EQ(color_of(1), (Rgb{40, 200, 80}));
  EXPECT_EQ(color_of(2), color_of(4));
  EXPECT_NE(color_of(4), color_of(5));
  EXPECT_EQ(color_of(17), color_of(100'000));
  EXPECT_NE(color_of(0), color_of(1));
  EXPECT_EQ(size_classes().size(), 6U);
}

TEST(Overlay, WarnsOfEmptySets) {
  const Rgb warning = color_of(0);
  EXPECT_GT(warning[0], 200);  // not gray, which would look harmless
  EXPECT_LT(warning[1], 100);
  EXPECT_STREQ(size_classes()[0].text, "no location conforms: check this one");
  const std::vector<Region> sized = {square(1, 20, 100)};
  std::vector<Region> regions = sized;
  regions.push_back({.proposal = {120, 120}});
  const Image image = draw_overlay(plain(178, 218), regions);
  EXPECT_EQ(pixel(image, 360, 360), warning);
  // A line of the legend of its own.
  const Image without = draw_overlay(plain(178, 218), sized);
  EXPECT_EQ(image.height - 654, 2 * (without.height - 654));
  EXPECT_EQ(pixel(image, 14, without.height + 15), warning);
}

TEST(Overlay, ShowsTheProposalInItsColor) {
  const std::vector<Region> regions = {square(20, 20, 100)};
  const Image image = draw_overlay(plain(178, 218), regions);
  EXPECT_EQ(pixel(image, 180, 180), color_of(20));
  EXPECT_NE(pixel(image, 100, 100), (Rgb{128, 128, 128}));  // tinted inside
  EXPECT_EQ(pixel(image, 400, 400), (Rgb{128, 128, 128}));  // untouched outside
}

TEST(Overlay, LeavesHolesUntouched) {
  Region region = square(30, 20, 150);
  const Region hole = square(30, 60, 110);
  region.outline.push_back(hole.outline[0]);
  region.proposal = {30, 30};
  const Image image = draw_overlay(plain(178, 218), {&region, 1});
  EXPECT_EQ(pixel(image, 255, 255), (Rgb{128, 128, 128}));
  EXPECT_NE(pixel(image, 120, 255), (Rgb{128, 128, 128}));
}

TEST(Overlay, DoesNotDependOnTheOrderOfRegionsOfDifferentSizes) {
  std::vector<Region> regions = {square(1, 30, 60, "eye"), square(9, 20, 90, "nose")};
  const Image image = draw_overlay(draw_face(1, 1).image, regions);
  std::ranges::reverse(regions);
  EXPECT_EQ(draw_overlay(draw_face(1, 1).image, regions).rgb, image.rgb);
}

/// The columns from `left` on.
std::vector<std::uint8_t> columns(const Image& image, std::size_t left, std::size_t count,
                                  std::size_t height) {
  std::vector<std::uint8_t> rgb;
  for (std::size_t y = 0; y < height; ++y) {
    const auto row = image.rgb.begin() + static_cast<std::ptrdiff_t>((y * image.width + left) * 3);
    rgb.insert(rgb.end(), row, row + static_cast<std::ptrdiff_t>(3 * count));
  }
  return rgb;
}

TEST(Overlay, DrawsImagesThatAreLargerThanASurfaceOfCairo) {
  const auto drawn_at = [](double left, std::size_t width) {
    const Region region{.outline = {{{left + 20, 100}, {left + 180, 150}, {left + 90, 390}}},
                        .proposal = {left + 100, 200},
                        .set_size = 3,
                        .name = "the bridge of the nose"};
    return draw_overlay(plain(width, 700), {&region, 1});
  };
  const auto expected = columns(drawn_at(200, 9000), 200, 400, 700);
  EXPECT_NE(expected, columns(plain(9000, 700), 0, 400, 700));
  for (const std::size_t left : {200U, 31'900U, 32'500U, 39'500U}) {
    const auto found = columns(drawn_at(static_cast<double>(left), 40'000), left, 400, 700);
    EXPECT_TRUE(found == expected) << left;
  }
}

TEST(Overlay, DrawsRegionsThatAreLargerThanASurfaceOfCairo) {
  const Region region{.outline = {{{100, 100}, {39'900, 100}, {39'900, 400}, {100, 400}}},
                      .proposal = {20'000, 200},
                      .set_size = 3};
  const Image image = draw_overlay(plain(40'000, 700), {&region, 1});
  const auto column = [&](std::size_t x) { return columns(image, x, 1, 700); };
  EXPECT_TRUE(column(50) == std::vector<std::uint8_t>(700 * 3, 128));
  EXPECT_FALSE(column(500) == column(50));
  for (std::size_t x = 501; x < 39'800; ++x) {
    if (x > 19'900 && x < 20'100) continue;  // the proposal
    ASSERT_TRUE(column(x) == column(500)) << x;
  }
}

TEST(Overlay, WritesNamesInAnyLettersAndWithinTheImage) {
  const auto drawn = [](const std::string& name) {
    const Region region{.proposal = {170, 5}, .set_size = 1, .name = name};
    return draw_overlay(plain(178, 218), {&region, 1}).rgb;
  };
  const auto unnamed = drawn("");
  EXPECT_NE(drawn("nose"), unnamed);
  EXPECT_NE(drawn("nez"), drawn("nose"));
  EXPECT_NE(drawn("\u00e9"), drawn("e"));
  EXPECT_NE(drawn("\xff"), unnamed);  // not UTF-8
}

TEST(Overlay, TakesRegionsWithoutOutlineAndPointsOutside) {
  const std::vector<Region> regions = {{.proposal = {-50, 900}, .name = "somewhere else"},
                                       square(3, -100, 1000, "everywhere")};
  EXPECT_EQ(draw_overlay(plain(178, 218), regions).width, 534U);
}

TEST(Overlay, RefusesImagesWithoutPixels) {
  expect_error([] { (void)draw_overlay({}, {}); }, ErrorKind::invalid_input,
               {"an image with pixels"});
}

}  // namespace
}  // namespace caos::vision
