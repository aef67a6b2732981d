#include "caos/landmarks/refinement/point_refiner.hpp"

#include <gtest/gtest.h>

#include "caos/scorers/unit_rows.hpp"
#include "tests/landmarks/refinement/slow_refiner.hpp"
#include "tests/landmarks/refinement/textures.hpp"

namespace {

using caos::ImagePixels;
using caos::Indices;
using caos::Label;
using caos::LabeledTemplates;
using caos::Matrix;
using caos::PatchEvidence;
using caos::PatchProposal;
using caos::PointRefiner;
using caos::Rng;
using caos::Shape;
using caos::vision::GrayImage;
using caos::vision::PatchGrid;
using caos::vision::Point;
using refinement::Proposals;

struct Sizes {
  std::size_t images = 8;
  std::size_t landmarks = 6;
  std::size_t missing = 0;  ///< one landmark in so many is absent; 0: none
  double spread = 3;        ///< of a landmark among images, in pixels
};

/// Labeled images with textures of their own, and a new one.
class Scene {
 public:
  Scene(std::uint64_t seed, const Sizes& sizes) : rng_(seed), sizes_(sizes) {
    for (std::size_t t = 0; t < sizes.landmarks; ++t) means_.push_back(anywhere());
    labeled_.pixels = Matrix<std::uint8_t>(0, caos::template_size);
    references_ = Matrix<float>(0, 5);
    for (std::size_t i = 0; i < sizes.images; ++i) add(refinement::texture(seed + i, 140, 100));
    gray_ = refinement::texture(seed, 140, 100);
    patches_ = draw_patches(grid_.size());
    for (std::size_t t = 0; t < sizes.landmarks; ++t) {
      const Point point = rng_.below(3) == 0 ? anywhere() : near(means_[t]);
      proposals_.push_back(PatchProposal{grid_.patch_at(point), point});
    }
  }

  [[nodiscard]] const LabeledTemplates& labeled() const { return labeled_; }
  [[nodiscard]] const Proposals& proposals() const { return proposals_; }
  [[nodiscard]] ImagePixels pixels() const { return {gray_, grid_}; }
  [[nodiscard]] PatchEvidence evidence() const {
    PatchEvidence evidence{.patches = patches_.view()};
    evidence.reference = [this](std::size_t image, std::size_t landmark) {
      return references_.row(image * sizes_.landmarks + landmark).data();
    };
    for (std::size_t i = 0; i < sizes_.images; ++i) evidence.references.push_back(i);
    return evidence;
  }
  [[nodiscard]] Shape refined() const {
    return PointRefiner(labeled_).refine(pixels(), proposals_, evidence());
  }

  /// The new image and all labeled ones become this one, with landmarks at these points.
  void make_identical(const GrayImage& image, const std::vector<Point>& points) {
    gray_ = image;
    for (std::size_t i = 0; i < sizes_.images; ++i) {
      for (std::size_t t = 0; t < sizes_.landmarks; ++t) {
        labeled_.points[i][t] = points[t];
        std::ranges::copy(template_at(image, points[t]),
                          labeled_.pixels.row(i * sizes_.landmarks + t).begin());
      }
    }
  }
  void propose(std::size_t landmark, std::optional<Point> point) {
    proposals_[landmark] =
        point ? std::optional(PatchProposal{grid_.patch_at(*point), *point}) : std::nullopt;
  }
  void make_flat() { gray_ = GrayImage(100, 140, 90); }

 private:
  Point anywhere() { return {20 + 100 * rng_.uniform(), 20 + 60 * rng_.uniform()}; }
  Point near(Point point) {
    const auto shift = [&] { return 2 * sizes_.spread * (rng_.uniform() - 0.5); };
    return {point.x + shift(), point.y + shift()};
  }

  void add(const GrayImage& image) {
    Shape shape(sizes_.landmarks);
    for (std::size_t t = 0; t < sizes_.landmarks; ++t) {
      std::array<std::uint8_t, caos::template_size> pixels{};
      if (sizes_.missing == 0 || rng_.below(sizes_.missing) != 0) {
        shape[t] = near(means_[t]);
        pixels = template_at(image, *shape[t]);
      }
      labeled_.pixels.push_row(pixels);
      references_.push_row(draw_patches(1).row(0));
    }
    labeled_.points.push_back(shape);
  }

  Matrix<float> draw_patches(std::size_t count) {
    Matrix<float> rows(count, 5);
    for (std::size_t y = 0; y < count; ++y) {
      for (float& value : rows.row(y)) value = static_cast<float>(rng_.uniform() - 0.3);
    }
    return caos::unit_rows(std::as_const(rows).view(), "drawn");
  }

  Rng rng_;
  Sizes sizes_;
  PatchGrid grid_ = caos::vision::grid_over(140, 100, 16);
  std::vector<Point> means_;
  LabeledTemplates labeled_;
  Matrix<float> references_;
  GrayImage gray_;
  Matrix<float> patches_;
  Proposals proposals_;
};

void expect_equals_the_definition(const Scene& scene) {
  const ImagePixels pixels = scene.pixels();
  const PatchEvidence evidence = scene.evidence();
  const Shape found = scene.refined();
  const Shape expected =
      refinement::SlowRefiner(scene.labeled(), pixels, evidence).refine(scene.proposals());
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t t = 0; t < found.size(); ++t) {
    ASSERT_EQ(found[t].has_value(), expected[t].has_value()) << t;
    if (!found[t]) continue;
    EXPECT_NEAR(found[t]->x, expected[t]->x, 1e-6) << t;
    EXPECT_NEAR(found[t]->y, expected[t]->y, 1e-6) << t;
  }
}

TEST(PointRefiner, EqualsItsDefinition) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    expect_equals_the_definition(Scene(seed, {.images = 3 + seed}));
  }
}

TEST(PointRefiner, EqualsItsDefinitionWhereLandmarksAreAbsent) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Scene scene(seed, {.landmarks = 8, .missing = 5});
    scene.propose(seed % 8, std::nullopt);
    expect_equals_the_definition(scene);
  }
}

TEST(PointRefiner, FindsTheTruePointsOfIdenticalImages) {
  const GrayImage image = refinement::texture(3, 140, 100);
  const std::vector<Point> truth = {{30.5, 30.5}, {100.5, 28.5}, {60.5, 70.5},
                                    {0.5, 50.5},  {139.5, 99.5}, {70.5, 0.5}};
  Scene scene(1, {});
  scene.make_identical(image, truth);
  for (std::size_t t = 0; t < truth.size(); ++t) {
    scene.propose(
        t, Point{std::clamp(truth[t].x + 5, 0.0, 139.9), std::clamp(truth[t].y - 6, 0.0, 99.9)});
  }
  const Shape found = scene.refined();
  for (std::size_t t = 0; t < truth.size(); ++t) {
    EXPECT_NEAR(found[t]->x, truth[t].x, 0.1) << t;
    EXPECT_NEAR(found[t]->y, truth[t].y, 0.1) << t;
  }
}

TEST(PointRefiner, WorksWithOneImageAndWithOneLandmark) {
  for (const Sizes& sizes : {Sizes{.images = 1}, Sizes{.landmarks = 1}, Sizes{1, 1}, Sizes{2, 3}}) {
    const Shape found = Scene(5, sizes).refined();
    ASSERT_EQ(found.size(), sizes.landmarks);
    for (const auto& point : found) {
      ASSERT_TRUE(point);
      EXPECT_TRUE(0 <= point->x && point->x <= 140 && 0 <= point->y && point->y <= 100);
    }
  }
}

TEST(PointRefiner, HasNoPointWithoutProposalOrReference) {
  Scene scene(6, {.images = 1, .missing = 2});
  scene.propose(0, std::nullopt);
  const Shape found = scene.refined();
  EXPECT_FALSE(found[0]);
  for (std::size_t t = 1; t < found.size(); ++t) {
    EXPECT_EQ(found[t].has_value(), scene.labeled().points[0][t].has_value());
  }
}

TEST(PointRefiner, LeavesAConstantImageToProposalsAndShapes) {
  Scene scene(7, {.landmarks = 2});
  scene.make_flat();
  const Shape found = scene.refined();
  for (std::size_t t = 0; t < 2; ++t) {
    EXPECT_NEAR(found[t]->x, scene.proposals()[t]->point.x, 1e-9);
    EXPECT_NEAR(found[t]->y, scene.proposals()[t]->point.y, 1e-9);
  }
  Scene many(8, {});
  many.make_flat();
  for (const auto& point : many.refined()) EXPECT_TRUE(std::isfinite(point->x + point->y));
}

}  // namespace
