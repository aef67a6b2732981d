#include <fmt/format.h>

#include <cassert>

#include "caos/backbone.hpp"
#include "caos/error.hpp"

namespace caos::vision {
namespace {

/// Written so that NaN lies nowhere.
bool is_inside(const PatchGrid& grid, Point point) {
  const auto width = static_cast<double>(grid.columns * grid.patch_size);
  const auto height = static_cast<double>(grid.rows * grid.patch_size);
  return point.x >= 0 && point.y >= 0 && point.x < width && point.y < height;
}

std::size_t whole_patches(std::size_t pixels, std::size_t patch_size) {
  return (pixels - 1) / patch_size + 1;
}

}  // namespace

Label PatchGrid::patch_at(Point point) const {
  require(is_inside(*this, point), ErrorKind::invalid_input, [&] {
    return fmt::format("the point ({}, {}) lies outside the {} x {} pixels of the patch grid",
                       point.x, point.y, columns * patch_size, rows * patch_size);
  });
  return static_cast<std::size_t>(point.y) / patch_size * columns +
         static_cast<std::size_t>(point.x) / patch_size;
}

Point PatchGrid::corner(Label patch) const {
  assert(patch < size());
  const std::size_t row = patch / columns;
  const std::size_t column = patch % columns;
  return {.x = static_cast<double>(column * patch_size),
          .y = static_cast<double>(row * patch_size)};
}

PatchGrid grid_over(std::size_t width, std::size_t height, std::size_t patch_size) {
  require(width > 0 && height > 0 && patch_size > 0, ErrorKind::invalid_input,
          "an image and its patches must have positive sizes");
  return {.patch_size = patch_size,
          .columns = whole_patches(width, patch_size),
          .rows = whole_patches(height, patch_size)};
}

}  // namespace caos::vision
