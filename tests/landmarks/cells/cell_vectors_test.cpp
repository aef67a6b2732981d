#include "caos/landmarks/cells/cell_vectors.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/landmarks/cells/cell_problem.hpp"

namespace caos {
namespace {

using vision::BuiltinBackbone;
using vision::PointDescriptor;

vision::Image draw_picture(Rng& rng, std::size_t width, std::size_t height) {
  vision::Image image{.width = width, .height = height};
  for (std::size_t p = 0; p < width * height; ++p) {
    const auto value = static_cast<std::uint8_t>(rng.below(256));
    image.rgb.insert(image.rgb.end(), 3, value);
  }
  return image;
}

/// A drawn picture, its patches and what its cells are read from.
struct Drawn {
  explicit Drawn(BuiltinBackbone::Version version) {
    Rng rng(*rc::gen::inRange<std::uint64_t>(0, 1'000'000));
    const vision::Image image = draw_picture(rng, 1 + rng.below(70), 1 + rng.below(70));
    const BuiltinBackbone backbone(version);
    const vision::PatchGrid grid = backbone.grid_of(image.width, image.height);
    patches = unit_rows(backbone.embed({&image, 1})[0].view(), "drawn");
    source = {.patches = grid,
              .descriptor = backbone.point_descriptor(),
              .gray = std::make_shared<const vision::GrayImage>(
                  gray_of(image, image.width, image.height))};
  }
  Matrix<float> patches;
  CellSource source;
};

BuiltinBackbone::Version any_version() {
  return *rc::gen::element(BuiltinBackbone::Version::one, BuiltinBackbone::Version::two);
}

/// Cells of 16 pixels are the patches, where brightness is a whole number as in gray pictures.
RC_GTEST_PROP(CellVectors, OfWholePatchesAreTheDescriptor, ()) {
  const Drawn drawn(any_version());
  CellVectors vectors(drawn.source, drawn.patches.view(), drawn.source.patches);
  for (Label y = 0; y < drawn.source.patches.size(); ++y) {
    const float* const found = vectors.at(y);
    for (std::size_t d = 0; d < drawn.patches.cols(); ++d) {
      RC_ASSERT(std::abs(found[d] - drawn.patches(y, d)) < 1e-5F);
    }
  }
}

/// Read one by one or on the lattice: the same bits, which exchangeability needs.
RC_GTEST_PROP(CellVectors, AreThoseAtTheirCenters, ()) {
  const Drawn drawn(any_version());
  CellSource source = drawn.source;
  if (*rc::gen::arbitrary<bool>()) source.descriptor = PointDescriptor::interpolated;
  const vision::PatchGrid cells = cells_over(source.patches, *rc::gen::element<std::size_t>(4, 8));
  std::vector<vision::Point> centers;
  for (Label y = 0; y < cells.size(); ++y) centers.push_back(middle_of_cell(cells, y));
  const Matrix<float> expected = vectors_at(source, drawn.patches.view(), centers);
  CellVectors vectors(source, drawn.patches.view(), cells);
  for (Label y = cells.size(); y-- > 0;) {
    const float* const found = vectors.at(y);
    RC_ASSERT(std::equal(found, found + expected.cols(), expected.row(y).begin()));
  }
  RC_ASSERT(vectors.num_read() == cells.size());
}

RC_GTEST_PROP(CellVectors, AreReadOnceAndLazily, ()) {
  const Drawn drawn(any_version());
  const vision::PatchGrid cells = cells_over(drawn.source.patches, 4);
  CellVectors vectors(drawn.source, drawn.patches.view(), cells);
  const float* const first = vectors.at(3);
  static_cast<void>(vectors.at(0));
  RC_ASSERT(vectors.at(3) == first);
  RC_ASSERT(vectors.num_read() == 2U);
}

RC_GTEST_PROP(CellVectors, InterpolateBetweenPatches, ()) {
  Rng rng(*rc::gen::inRange<std::uint64_t>(0, 1'000'000));
  const cells::Image image = cells::draw_image(rng, 4, 3);
  const CellSource source = cells::Problem::source(image);
  const double width = static_cast<double>(image.grid.columns * image.grid.patch_size);
  const double height = static_cast<double>(image.grid.rows * image.grid.patch_size);
  const vision::Point at{rng.uniform() * width, rng.uniform() * height};
  const Matrix<float> found = vectors_at(source, image.patches.view(), std::span(&at, 1));
  const std::vector<float> expected = cells::vector_at(image.patches, image.grid, at);
  for (std::size_t d = 0; d < expected.size(); ++d) {
    RC_ASSERT(std::abs(found(0, d) - expected[d]) < 1e-6F);
  }
}

TEST(CellVectors, OppositePatchesHaveTheFirstBetweenThem) {
  Matrix<float> patches(2, 1);
  patches(0, 0) = 1;
  patches(1, 0) = -1;
  const CellSource source{.patches = {.patch_size = 16, .columns = 2, .rows = 1}};
  const vision::Point middle{16, 8};
  EXPECT_EQ(vectors_at(source, patches.view(), std::span(&middle, 1))(0, 0), 1);
}

TEST(CellVectors, CellsCoverPatchesOfAnySize) {
  const auto cells = cells_over({.patch_size = 14, .columns = 3, .rows = 2}, 4);
  EXPECT_EQ(cells, (vision::PatchGrid{.patch_size = 4, .columns = 11, .rows = 7}));
}

}  // namespace
}  // namespace caos
