#include "caos/vision/working_size.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "caos/vision/backbones/builtin_backbone.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::vision {
namespace {

using test::expect_error;

Frame frame_of(const WorkingSize& size, std::size_t width, std::size_t height) {
  return size.frame_of(width, height, BuiltinBackbone());
}

TEST(WorkingSize, LimitsTheLongestSideTo512ByDefault) {
  for (const WorkingSize& size : {WorkingSize(), WorkingSize::parse(default_working_size)}) {
    EXPECT_EQ(frame_of(size, 1935, 2400).working_width, 413U);
    EXPECT_EQ(frame_of(size, 1935, 2400).working_height, 512U);
    EXPECT_EQ(frame_of(size, 4000, 3000).grid, grid_over(512, 384, 16));
    EXPECT_EQ(frame_of(size, 513, 10).working_width, 512U);
    EXPECT_EQ(frame_of(size, 512, 512).grid, grid_over(512, 512, 16));
    EXPECT_EQ(frame_of(size, 178, 218).working_width, 178U);
    EXPECT_EQ(size.description(), "longest side 512");
  }
}

TEST(WorkingSize, LeavesImagesAsTheyAre) {
  const WorkingSize size = WorkingSize::parse("original");
  EXPECT_EQ(frame_of(size, 178, 218).working_width, 178U);
  EXPECT_EQ(frame_of(size, 9000, 3000).working_width, 9000U);
  EXPECT_EQ(frame_of(size, 9000, 3000).grid, grid_over(9000, 3000, 16));
  EXPECT_EQ(size.description(), "original size");
}

TEST(WorkingSize, OfFirstModelsLeavesImagesBelowTwelveMegapixels) {
  const WorkingSize size = WorkingSize::recorded("");
  const Frame frame = frame_of(size, 3999, 3000);
  EXPECT_EQ(frame.working_width, 3999U);
  EXPECT_EQ(frame.working_height, 3000U);
  EXPECT_EQ(frame.grid, grid_over(3999, 3000, 16));
  EXPECT_EQ(frame_of(size, 4000, 3000).working_width, 1024U);
  EXPECT_EQ(frame_of(size, 4000, 3000).working_height, 768U);
  EXPECT_EQ(size.description(), "longest side 1024 at 12 megapixels or more");
}

TEST(WorkingSize, OfOtherModelsIsAsGiven) {
  EXPECT_EQ(WorkingSize::recorded("100").description(), "longest side 100");
  EXPECT_EQ(WorkingSize::recorded("192x224").description(), "box 192x224");
  EXPECT_EQ(WorkingSize::recorded("original").description(), "original size");
  expect_error([&] { (void)WorkingSize::recorded("large"); }, ErrorKind::invalid_input,
               {"working size 'large'"});
}

TEST(WorkingSize, LimitsTheLongestSide) {
  const WorkingSize size = WorkingSize::parse("512");
  EXPECT_EQ(frame_of(size, 500, 1000).working_width, 256U);
  EXPECT_EQ(frame_of(size, 500, 1000).working_height, 512U);
  EXPECT_EQ(frame_of(size, 300, 200).working_width, 300U);
  EXPECT_EQ(frame_of(size, 1, 100'000).working_width, 1U);
}

TEST(WorkingSize, FitsAndPadsToABox) {
  const WorkingSize size = WorkingSize::parse("192x224");
  for (const auto& [width, height] : {std::pair{178U, 218U}, {1000U, 1000U}, {50U, 500U}}) {
    const Frame frame = frame_of(size, width, height);
    EXPECT_EQ(frame.working_width, 192U);
    EXPECT_EQ(frame.working_height, 224U);
    EXPECT_EQ(frame.grid.size(), 168U);
  }
  EXPECT_EQ(frame_of(size, 178, 218).scaled_width, 178U);
  EXPECT_EQ(frame_of(size, 1000, 1000).scaled_height, 192U);
  EXPECT_EQ(frame_of(size, 50, 448).scaled_width, 25U);
}

TEST(WorkingSize, RefusesOtherTexts) {
  for (const std::string text : {"", "0", "-5", "12.5", "10x", "x10", "0x10", "1x2x3", "70000",
                                 "large", " 12", "99999999999999999999"}) {
    expect_error([&] { (void)WorkingSize::parse(text); }, ErrorKind::invalid_input,
                 {"working size '" + text + "': expected a longest side such as 512"});
  }
}

TEST(WorkingSize, CutsPatchesOffAtTheEdge) {
  const Frame frame = frame_of(WorkingSize(), 20, 30);
  const Bounds bounds = frame.patch_bounds(3);
  EXPECT_EQ(bounds.left, 16);
  EXPECT_EQ(bounds.right, 20);
  EXPECT_EQ(bounds.top, 16);
  EXPECT_EQ(bounds.bottom, 30);
  const Frame padded = frame_of(WorkingSize::parse("64x64"), 20, 30);
  EXPECT_EQ(padded.patch_bounds(3).left, padded.patch_bounds(3).right);
}

RC_GTEST_PROP(WorkingSize, CarriesEveryPointOverAndBack, ()) {
  const auto width = *rc::gen::inRange<std::size_t>(1, 3000);
  const auto height = *rc::gen::inRange<std::size_t>(1, 3000);
  const auto text = *rc::gen::element<std::string>("16", "100", "192x224", "1024", "31x700");
  const Frame frame = frame_of(WorkingSize::parse(text), width, height);
  const double part = *rc::gen::element(0.0, 0.25, 1.0 / 3, 0.999);
  const Point point{
      std::min(part * static_cast<double>(width), std::nextafter(static_cast<double>(width), 0.0)),
      std::nextafter(static_cast<double>(height), 0.0)};
  const Point working = frame.to_working(point);
  const Label patch = frame.grid.patch_at(working);  // throws outside the grid
  const Bounds bounds = frame.patch_bounds(patch);
  const double rounding = 1e-9 * static_cast<double>(width + height);
  RC_ASSERT(bounds.left <= point.x + rounding && point.x <= bounds.right + rounding);
  RC_ASSERT(bounds.top <= point.y + rounding && point.y <= bounds.bottom + rounding);
  RC_ASSERT(std::abs(frame.to_original(working).x - point.x) < rounding);
  RC_ASSERT(std::abs(frame.to_original(working).y - point.y) < rounding);
  RC_ASSERT(frame.patch_at(point) == patch);
  const Point offset = frame.offset_at(point);
  RC_ASSERT(0 <= offset.x && offset.x <= 1 && 0 <= offset.y && offset.y <= 1);
  RC_ASSERT(std::abs(frame.point_at(patch, offset).x - point.x) < rounding);
  RC_ASSERT(std::abs(frame.point_at(patch, offset).y - point.y) < rounding);
}

TEST(WorkingSize, RefusesPointsOutsideTheImageEvenWithinItsPatches) {
  const Frame frame = frame_of(WorkingSize(), 20, 30);
  EXPECT_EQ(frame.patch_at({19.5, 29}), 3U);
  for (const Point outside : {Point{20, 5}, Point{5, 30}, Point{-0.1, 5}, Point{std::nan(""), 5}}) {
    expect_error([&] { (void)frame.patch_at(outside); }, ErrorKind::invalid_input,
                 {"outside of the image's 20 x 30 pixels"});
  }
}

TEST(WorkingSize, CutsPlacesInPatchesOffAtTheEdge) {
  const Frame frame = frame_of(WorkingSize(), 20, 30);
  EXPECT_EQ(frame.point_at(3, {0.125, 0.5}).x, 18);
  EXPECT_EQ(frame.point_at(3, {1, 1}).x, 20);
  EXPECT_EQ(frame.point_at(3, {1, 1}).y, 30);
}

Image checks(std::size_t width, std::size_t height) {
  Image image{.width = width, .height = height};
  for (std::size_t i = 0; i < width * height; ++i) {
    const bool is_light = (i % width + i / width) % 2 == 0;
    image.rgb.insert(image.rgb.end(), 3, is_light ? std::uint8_t{200} : std::uint8_t{100});
  }
  return image;
}

TEST(ToWorking, AveragesAreasAndRepeatsEdges) {
  const Image image = checks(80, 40);
  const Frame frame = frame_of(WorkingSize::parse("40x30"), 80, 40);
  const Image working = to_working(image, frame);
  EXPECT_EQ(working.width, 40U);
  EXPECT_EQ(working.height, 30U);
  EXPECT_TRUE(std::ranges::all_of(working.rgb, [](int value) { return value == 150; }));
}

TEST(ToWorking, KeepsAnImageThatFits) {
  const Image image = checks(7, 5);
  EXPECT_EQ(to_working(image, frame_of(WorkingSize(), 7, 5)).rgb, image.rgb);
  const Image padded = to_working(image, frame_of(WorkingSize::parse("8x6"), 7, 5));
  EXPECT_EQ(padded.rgb[6 * 3], padded.rgb[7 * 3]);
  EXPECT_EQ(padded.rgb.size(), std::size_t{8 * 6 * 3});
}

}  // namespace
}  // namespace caos::vision
