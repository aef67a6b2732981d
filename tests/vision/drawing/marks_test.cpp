#include "caos/vision/drawing/marks.hpp"

#include <gtest/gtest.h>

#include "caos/vision/drawing/contact_sheet.hpp"
#include "caos/vision/drawing/overlay.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::vision {
namespace {

using test::expect_error;

constexpr Rgb gray = {128, 128, 128};

Image plain(std::size_t width, std::size_t height) {
  return {.width = width,
          .height = height,
          .rgb = std::vector<std::uint8_t>(width * height * 3, std::uint8_t{128})};
}

Rgb pixel(const Image& image, std::size_t x, std::size_t y) {
  const auto* const p = &image.rgb[(y * image.width + x) * 3];
  return {p[0], p[1], p[2]};
}

std::size_t num_touched(const Image& image) {
  std::size_t count = 0;
  for (std::size_t y = 0; y < image.height; ++y) {
    for (std::size_t x = 0; x < image.width; ++x) count += pixel(image, x, y) != gray ? 1U : 0U;
  }
  return count;
}

TEST(Marks, AreWhereThePointsAre) {
  const std::vector<Mark> marks = {{{20, 30}, "", false}, {{100, 150}, "", true}};
  const Image image = draw_marks(plain(178, 218), marks);
  EXPECT_EQ(image.height, 654U);
  EXPECT_EQ(pixel(image, 60, 90), (Rgb{255, 80, 60}));
  EXPECT_EQ(pixel(image, 300, 450), (Rgb{255, 255, 255}));  // a ring
  EXPECT_EQ(pixel(image, 180, 270), gray);
}

TEST(Marks, HaveNamesAsAskedFor) {
  const std::vector<Mark> marks = {{{50, 60}, "nose"}};
  const std::size_t without = num_touched(draw_marks(plain(178, 218), marks, Labels::off));
  EXPECT_GT(num_touched(draw_marks(plain(178, 218), marks, Labels::on)), without + 100);
  EXPECT_EQ(draw_marks(plain(178, 218), marks, Labels::on).rgb,
            draw_marks(plain(178, 218), marks).rgb);
}

/// 400 landmarks leave most of the face to be seen.
TEST(Marks, LeaveTheImageVisibleWhereThereAreMany) {
  std::vector<Mark> marks;
  for (std::size_t i = 0; i < 400; ++i) {
    marks.push_back({{static_cast<double>(10 + i % 20 * 8), static_cast<double>(10 + i / 20 * 10)},
                     "landmark"});
  }
  const Image image = draw_marks(plain(178, 218), marks);
  EXPECT_LT(num_touched(image), image.width * image.height / 8);
}

TEST(Overlay, HasNoNamesWhereThereAreMany) {
  std::vector<Region> regions;
  for (std::size_t i = 0; i < 400; ++i) {
    const Point place{static_cast<double>(10 + i % 20 * 8), static_cast<double>(10 + i / 20 * 10)};
    regions.push_back({.outline = {{{place.x - 8, place.y - 8},
                                    {place.x + 8, place.y - 8},
                                    {place.x + 8, place.y + 8},
                                    {place.x - 8, place.y + 8}}},
                       .proposal = place,
                       .set_size = 1,
                       .name = "landmark"});
  }
  const Image image = draw_overlay(plain(178, 218), regions);
  EXPECT_EQ(image.rgb, draw_overlay(plain(178, 218), regions, Labels::off).rgb);
  EXPECT_GT(num_touched(draw_overlay(plain(178, 218), regions, Labels::on)), num_touched(image));
}

TEST(SmallPictures, FitATile) {
  const std::vector<Mark> marks = {{{500, 500}, "nose"}};
  const Image marked = draw_small_marks(plain(1000, 600), marks);
  EXPECT_EQ(marked.width, tile_side);
  EXPECT_EQ(marked.height, 180U);
  EXPECT_EQ(pixel(marked, 150, 150), (Rgb{255, 80, 60}));
  const std::vector<Region> regions = {{.proposal = {500, 500}, .set_size = 1}};
  const Image drawn = draw_small_overlay(plain(1000, 600), regions);
  EXPECT_EQ(drawn.width, tile_side);
  EXPECT_EQ(pixel(drawn, 150, 150), color_of(1));
  EXPECT_EQ(draw_small_marks(plain(100, 60), {}).width, 100U);
}

TEST(ContactSheet, HasTilesSideBySideWithCaptions) {
  std::vector<Tile> tiles(5, {plain(100, 60), "wing.jpg"});
  const Image sheet = contact_sheet(tiles);
  EXPECT_EQ(sheet.width, 3 * (100U + 6) + 6);
  EXPECT_EQ(sheet.height, 2 * (60U + 18 + 6) + 6);
  EXPECT_EQ(pixel(sheet, 10, 10), gray);
  EXPECT_EQ(pixel(sheet, 6 + 2 * 106 + 50, 6 + 84 + 30), (Rgb{28, 28, 28}));  // the sixth is free
  for (Tile& tile : tiles) tile.caption = std::string(300, 'w') + ".jpg";
  EXPECT_EQ(contact_sheet(tiles).width, sheet.width);
  expect_error([] { (void)contact_sheet({}); }, ErrorKind::invalid_input, {"needs an image"});
}

}  // namespace
}  // namespace caos::vision
