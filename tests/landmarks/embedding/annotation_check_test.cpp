#include "caos/landmarks/embedding/annotation_check.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caos/vision/codecs/encode.hpp"
#include "caos/vision/drawing/synthetic_face.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos {
namespace {

using landmarks::Annotation;
using landmarks::LandmarkTable;
using testing::HasSubstr;

constexpr std::size_t width = 160;
constexpr std::size_t height = 200;

/// Gray, with two crosses in the upper half; what they are differs from each other.
struct Drawing {
  explicit Drawing(std::size_t i)
      : image{.width = width,
              .height = height,
              .rgb = std::vector<std::uint8_t>(width * height * 3, std::uint8_t{120})},
        annotation{.image = fmt::format("{}.png", i)} {
    cross("plus", 40 + i % 5, 30 + i % 7, 1, 0);
    cross("bar", 110 + i % 3, 60 + i % 4, 0, 1);
    // The first pixel differs, so that no two images are the same.
    image.rgb[0] = static_cast<std::uint8_t>(i);
  }

  void cross(const std::string& name, std::size_t x, std::size_t y, std::size_t wide,
             std::size_t tall) {
    for (std::size_t d = 0; d < 15; ++d) {
      paint(x - 7 + d, y);
      paint(x - 7 + d, y + wide);
      paint(x, y - 7 + d);
      paint(x + tall, y - 7 + d);
    }
    annotation.landmarks.push_back(
        {.name = name, .x = static_cast<double>(x), .y = static_cast<double>(y)});
  }

  void paint(std::size_t x, std::size_t y) {
    for (std::size_t c = 0; c < 3; ++c) image.rgb[(y * width + x) * 3 + c] = 250;
  }

  vision::Image image;
  Annotation annotation;
};

class Annotations : public testing::Test {
 protected:
  explicit Annotations(std::size_t count = 8) {
    for (std::size_t i = 0; i < count; ++i) {
      const Drawing drawing(i);
      write(drawing.annotation.image, drawing.image);
      table_.annotations.push_back(drawing.annotation);
    }
  }

  void write(const std::string& name, const vision::Image& image) {
    const auto bytes = vision::encode_png(image);
    dir_.write(name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }

  template <typename Change>
  [[nodiscard]] LandmarkTable with(Change&& change) const {
    LandmarkTable table = table_;
    for (Annotation& annotation : table.annotations) {
      for (landmarks::Landmark& landmark : annotation.landmarks) change(landmark);
    }
    return table;
  }

  [[nodiscard]] LandmarkTable mirrored() const {
    return with([](landmarks::Landmark& l) { l.y = static_cast<double>(height) - l.y; });
  }

  [[nodiscard]] AnnotatedImages embed(const LandmarkTable& table) const {
    return embed_annotated(*open_patch_source({}, {}), dir_ / "", table, "points.tps", {});
  }

  [[nodiscard]] AnnotationCheck check(const LandmarkTable& table) const {
    return check_annotations(embed(table));
  }

  test::TempDir dir_;
  LandmarkTable table_;
};

TEST_F(Annotations, ThatSuitTheirImagesAreNotWarnedOf) {
  const AnnotationCheck found = check(table_);
  EXPECT_EQ(found.num_images, 8U);
  EXPECT_EQ(found.num_blank, 0U);
  EXPECT_LT(found.mirrored_structure, 0.5);
  EXPECT_EQ(warning_of(found, "points.tps"), std::nullopt);
}

TEST_F(Annotations, WithYMirroredAreWarnedOf) {
  const AnnotationCheck found = check(mirrored());
  EXPECT_GT(found.mirrored_structure, 2);
  EXPECT_TRUE(found.looks_mirrored());
  EXPECT_THAT(warning_of(found, "points.tps"),
              testing::Optional(HasSubstr("points.tps: the landmarks would suit the images far "
                                          "better with y mirrored")));
}

TEST_F(Annotations, OnNothingAreWarnedOf) {
  const AnnotationCheck found = check(with([](landmarks::Landmark& l) {
    l.x = 5 + l.x / 20;
    l.y = 100;  // mirroring does not help
  }));
  EXPECT_EQ(found.num_blank, 8U);
  EXPECT_FALSE(found.looks_mirrored());
  EXPECT_THAT(warning_of(found, "points.tps"),
              testing::Optional(HasSubstr("in 8 of 8 images most landmarks lie where the image "
                                          "has little structure")));
}

TEST_F(Annotations, OfFacesAreNotWarnedOf) {
  LandmarkTable faces;
  for (std::size_t i = 0; i < 8; ++i) {
    const vision::DrawnFace face = vision::draw_face(3, i);
    Annotation annotation{.image = fmt::format("face{}.png", i)};
    write(annotation.image, face.image);
    for (const vision::NamedPoint& point : face.landmarks) {
      annotation.landmarks.push_back(
          {.name = point.name, .x = point.position.x, .y = point.position.y});
    }
    faces.annotations.push_back(std::move(annotation));
  }
  EXPECT_EQ(warning_of(check(faces), "faces.csv"), std::nullopt);
}

TEST_F(Annotations, AreFewOrNone) {
  EXPECT_EQ(warning_of(check({}), "points.tps"), std::nullopt);
  LandmarkTable two = mirrored();
  two.annotations.resize(2);
  EXPECT_EQ(warning_of(check(two), "points.tps"), std::nullopt);
  LandmarkTable bare;
  bare.annotations.push_back({.image = "0.png"});
  EXPECT_EQ(check(bare).num_images, 0U);
}

/// Embeddings may come from arrays.
TEST_F(Annotations, NeedNoPixels) {
  AnnotatedImages images = embed(mirrored());
  for (vision::GrayImage& gray : images.gray) gray = {};
  const AnnotationCheck found = check_annotations(images);
  EXPECT_EQ(found.num_images, 0U);
  EXPECT_EQ(found.mirrored_structure, 1);
}

TEST(AnnotationCheck, NeedsOneClearRatioAndNoContradiction) {
  const auto looks = [](double structure, double conformity) {
    AnnotationCheck check{.num_images = 12};
    check.mirrored_structure = structure;
    check.mirrored_conformity = conformity;
    return check.looks_mirrored();
  };
  EXPECT_TRUE(looks(2.5, 1));
  EXPECT_TRUE(looks(1, 1.5));
  EXPECT_FALSE(looks(2.5, 0.7));
  EXPECT_FALSE(looks(0.7, 1.5));
  EXPECT_FALSE(looks(1.5, 1.2));
  EXPECT_FALSE(looks(0.3, 0.6));
}

}  // namespace
}  // namespace caos
