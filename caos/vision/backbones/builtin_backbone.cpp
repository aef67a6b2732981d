#include "caos/vision/backbones/builtin_backbone.hpp"

#include <algorithm>
#include <array>

#include "caos/error.hpp"
#include "caos/kernels/descriptor.hpp"
#include "caos/vision/backbones/orientation_energy.hpp"

namespace caos::vision {
namespace {

constexpr std::size_t patch_pixels = 16;
constexpr std::size_t directions = OrientationEnergy::directions;
constexpr std::size_t points_per_side = 4;
constexpr std::size_t values_per_scale = points_per_side * points_per_side * directions;
constexpr std::array<std::size_t, 3> cells = {8, 16, 32};

/// A weighted mean along one axis, of neighbouring pixels.
struct Window {
  std::size_t first = 0;
  std::vector<float> weights{};
};

/// The box mean at the pixel corner `at`: of the boxes about the pixels before and after it, which
/// are clamped to the axis as are the pixels of each box.
Window window_at(std::ptrdiff_t at, std::size_t cell, std::size_t length) {
  const auto last = static_cast<std::ptrdiff_t>(length) - 1;
  const auto half = static_cast<std::ptrdiff_t>(cell / 2);
  const auto clamped = [&](std::ptrdiff_t p) { return std::clamp<std::ptrdiff_t>(p, 0, last); };
  const std::ptrdiff_t before = clamped(at - 1);
  const std::ptrdiff_t after = clamped(at);
  Window window{.first = static_cast<std::size_t>(clamped(before - half))};
  const auto end = static_cast<std::size_t>(clamped(after + half)) + 1;
  window.weights.resize(end - window.first);
  for (const std::ptrdiff_t centre : {before, after}) {
    for (std::ptrdiff_t p = centre - half; p <= centre + half; ++p) {
      window.weights[static_cast<std::size_t>(clamped(p)) - window.first] += 1;
    }
  }
  for (float& weight : window.weights) weight /= static_cast<float>(2 * (cell + 1));
  return window;
}

/// Where the lattices of all patches along one axis have their points. Neighbouring patches share
/// points: patch p uses the points p * per_patch + i * stride for i = 0..3.
struct LatticeAxis {
  std::size_t per_patch = 0;
  std::size_t stride = 0;
  std::vector<Window> points{};

  [[nodiscard]] std::size_t point(std::size_t patch, std::size_t i) const {
    return patch * per_patch + i * stride;
  }
};

LatticeAxis lattice_axis(std::size_t patches, std::size_t cell) {
  const std::size_t step = std::min(cell, patch_pixels);
  LatticeAxis axis{.per_patch = patch_pixels / step, .stride = cell / step};
  const std::size_t count = axis.point(patches - 1, points_per_side - 1) + 1;
  const std::ptrdiff_t first =
      static_cast<std::ptrdiff_t>(patch_pixels / 2) - static_cast<std::ptrdiff_t>(3 * cell / 2);
  for (std::size_t i = 0; i < count; ++i) {
    axis.points.push_back(
        window_at(first + static_cast<std::ptrdiff_t>(i * step), cell, patches * patch_pixels));
  }
  return axis;
}

/// The histograms of one cell size at all lattice points. Rows are averaged along x as they come,
/// then along y, so that no more than a fraction of the energy is ever kept.
class Scale {
 public:
  Scale(const PatchGrid& grid, std::size_t cell)
      : across_(lattice_axis(grid.columns, cell)),
        down_(lattice_axis(grid.rows, cell)),
        rows_(grid.rows * patch_pixels, across_.points.size() * directions),
        points_(down_.points.size(), across_.points.size() * directions) {
    for (const Window& window : across_.points) {
      windows_.push_back({window.first, window.weights.data(), window.weights.size()});
    }
  }

  // Windows point into the axis, which moves with this object but is not copied along.
  Scale(Scale&&) = default;
  Scale(const Scale&) = delete;
  Scale& operator=(const Scale&) = delete;
  Scale& operator=(Scale&&) = delete;
  ~Scale() = default;

  /// Takes a row of pixels [width, 8].
  void add_row(std::size_t y, std::span<const float> energy) {
    kernels::windowed_sums(energy.data(), windows_.data(), windows_.size(), rows_.row(y).data());
  }

  void average_rows() {
    std::vector<const float*> rows;
    for (std::size_t i = 0; i < down_.points.size(); ++i) {
      const Window& window = down_.points[i];
      rows.clear();
      for (std::size_t j = 0; j < window.weights.size(); ++j) {
        rows.push_back(rows_.row(window.first + j).data());
      }
      kernels::weighted_sum(rows.data(), window.weights.data(), rows.size(), points_.cols(),
                            points_.row(i).data());
    }
  }

  /// The 4 x 4 histograms about a patch.
  void read_patch(std::size_t column, std::size_t row, std::span<float> values) const {
    float* to = values.data();
    for (std::size_t i = 0; i < points_per_side; ++i) {
      const std::span<const float> line = points_.row(down_.point(row, i));
      for (std::size_t j = 0; j < points_per_side; ++j) {
        const auto histogram = line.subspan(across_.point(column, j) * directions, directions);
        to = std::ranges::copy(histogram, to).out;
      }
    }
  }

 private:
  LatticeAxis across_;
  LatticeAxis down_;
  std::vector<kernels::WeightedWindow> windows_;  // those of across_
  Matrix<float> rows_;                            // [height, points across * 8]
  Matrix<float> points_;                          // [points down, points across * 8]
};

std::vector<Scale> measure(const Image& image, const PatchGrid& grid) {
  std::vector<Scale> scales;
  scales.reserve(cells.size());
  for (const std::size_t cell : cells) scales.emplace_back(grid, cell);
  OrientationEnergy energy(image, grid);
  for (std::size_t y = 0; y < energy.height(); ++y) {
    const std::span<const float> row = energy.row(y);
    for (Scale& scale : scales) scale.add_row(y, row);
  }
  for (Scale& scale : scales) scale.average_rows();
  return scales;
}

/// The square roots of the shares of each scale, and in version two of what they leave; the squares
/// of a scale sum to a third.
void describe(const std::vector<Scale>& scales, std::size_t column, std::size_t row,
              BuiltinBackbone::Version version, std::span<float> descriptor) {
  constexpr double offset = 1e-3;
  constexpr double noise = 4;
  for (std::size_t s = 0; s < scales.size(); ++s) {
    scales[s].read_patch(column, row, descriptor.subspan(s * values_per_scale, values_per_scale));
  }
  if (version == BuiltinBackbone::Version::one) {
    kernels::root_shares(descriptor.data(), scales.size(), values_per_scale, offset);
  } else {
    kernels::root_shares_and_rests(descriptor.data(), scales.size(), values_per_scale, noise,
                                   descriptor.data() + scales.size() * values_per_scale);
  }
}

Matrix<float> embed_one(const Image& image, const PatchGrid& grid, const BuiltinBackbone& backbone,
                        BuiltinBackbone::Version version) {
  const std::vector<Scale> scales = measure(image, grid);
  Matrix<float> embeddings(grid.size(), backbone.dimension());
  for (std::size_t row = 0; row < grid.rows; ++row) {
    for (std::size_t column = 0; column < grid.columns; ++column) {
      describe(scales, column, row, version, embeddings.row(row * grid.columns + column));
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
