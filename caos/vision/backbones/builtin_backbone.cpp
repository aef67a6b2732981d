#include "caos/vision/backbones/builtin_backbone.hpp"

#include "caos/error.hpp"
#include "caos/vision/backbones/descriptor_lattice.hpp"

namespace caos::vision {
namespace {

constexpr std::size_t patch_pixels = 16;

Matrix<float> embed_one(const Image& image, const PatchGrid& grid, const BuiltinBackbone& backbone,
                        BuiltinBackbone::Version version) {
  OrientationEnergy energy(image, grid);
  const DescriptorLattice lattice(energy, grid);
  Matrix<float> embeddings(grid.size(), backbone.dimension());
  for (std::size_t row = 0; row < grid.rows; ++row) {
    for (std::size_t column = 0; column < grid.columns; ++column) {
      lattice.describe(column, row, version, embeddings.row(row * grid.columns + column));
    }
  }
  return embeddings;
}

}  // namespace

PatchGrid BuiltinBackbone::grid_of(std::size_t width, std::size_t height) const {
  return grid_over(width, height, patch_pixels);
}

std::vector<Matrix<float>> BuiltinBackbone::embed(std::span<const Image> images) const {
  std::vector<Matrix<float>> embeddings;
  for (const Image& image : images) {
    const PatchGrid grid = grid_of(image.width, image.height);
    require(grid == grid_of(images[0].width, images[0].height), ErrorKind::invalid_input,
            "images that are embedded together must have the same patch grid");
    embeddings.push_back(embed_one(image, grid, *this, version_));
  }
  return embeddings;
}

}  // namespace caos::vision
