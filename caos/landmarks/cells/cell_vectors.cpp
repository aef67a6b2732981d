#include "caos/landmarks/cells/cell_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "caos/error.hpp"
#include "caos/kernels/dot.hpp"

namespace caos {
namespace {

using vision::BuiltinBackbone;
using vision::PatchGrid;
using vision::Point;
using vision::PointDescriptor;

constexpr std::uint32_t not_read = std::numeric_limits<std::uint32_t>::max();

BuiltinBackbone::Version version_of(PointDescriptor descriptor) {
  return descriptor == PointDescriptor::builtin ? BuiltinBackbone::Version::one
                                                : BuiltinBackbone::Version::two;
}

/// Two neighbors along one axis, and how far the point is from the first to the second.
struct Between {
  Between(double at, std::size_t side, std::size_t count) {
    const double last = static_cast<double>(count) - 1;
    const double place = std::clamp(at / static_cast<double>(side) - 0.5, 0.0, last);
    first = static_cast<std::size_t>(place);
    second = std::min(first + 1, count - 1);
    part = place - static_cast<double>(first);
  }
  std::size_t first;
  std::size_t second;
  double part;
};

double squared_length(std::span<const float> values) {
  double squared = 0;
  kernels::dot_rows(values.data(), 1, values.data(), 1, values.size(), &squared, 1);
  return squared;
}

void make_unit(std::span<float> values) {
  const double length = std::sqrt(squared_length(values));
  for (float& value : values) value = static_cast<float>(double{value} / length);
}

void interpolate(MatrixView<const float> patches, const PatchGrid& grid, Point point,
                 std::span<float> values) {
  const Between x(point.x, grid.patch_size, grid.columns);
  const Between y(point.y, grid.patch_size, grid.rows);
  const auto row = [&](std::size_t r, std::size_t c) { return patches.row(r * grid.columns + c); };
  const std::span<const float> corners[] = {row(y.first, x.first), row(y.first, x.second),
                                            row(y.second, x.first), row(y.second, x.second)};
  for (std::size_t d = 0; d < values.size(); ++d) {
    const double above = (1 - x.part) * corners[0][d] + x.part * corners[1][d];
    const double below = (1 - x.part) * corners[2][d] + x.part * corners[3][d];
    values[d] = static_cast<float>((1 - y.part) * above + y.part * below);
  }
  // Opposite vectors have no middle.
  if (!(squared_length(values) > 0)) std::ranges::copy(corners[0], values.begin());
  make_unit(values);
}

vision::OrientationEnergy energy_of(const CellSource& source) {
  return {*source.gray, source.patches};
}

}  // namespace

PatchGrid cells_over(const PatchGrid& patches, std::size_t side) {
  return vision::grid_over(patches.columns * patches.patch_size, patches.rows * patches.patch_size,
                           side);
}

Point middle_of_cell(const PatchGrid& cells, Label cell) {
  const Point corner = cells.corner(cell);
  const double half = static_cast<double>(cells.patch_size) / 2;
  return {.x = corner.x + half, .y = corner.y + half};
}

Matrix<float> vectors_at(const CellSource& source, MatrixView<const float> patches,
                         std::span<const Point> points) {
  Matrix<float> vectors(points.size(), patches.cols());
  if (source.descriptor == PointDescriptor::interpolated) {
    for (std::size_t p = 0; p < points.size(); ++p) {
      interpolate(patches, source.patches, points[p], vectors.row(p));
    }
    return vectors;
  }
  const vision::DescriptorPoints described(energy_of(source));
  for (std::size_t p = 0; p < points.size(); ++p) {
    described.describe(points[p], version_of(source.descriptor), vectors.row(p));
    make_unit(vectors.row(p));
  }
  return vectors;
}

CellVectors::CellVectors(const CellSource& source, MatrixView<const float> patches,
                         const PatchGrid& cells)
    : source_(source), patches_(patches), cells_(cells), row_of_(cells.size(), not_read) {}

const float* CellVectors::at(Label cell) {
  std::uint32_t& row = row_of_[cell];
  if (row == not_read) {
    read(cell, rows_.emplace_back(patches_.cols()));
    row = static_cast<std::uint32_t>(rows_.size() - 1);
  }
  return rows_[row].data();
}

void CellVectors::read(Label cell, std::span<float> values) {
  if (source_.descriptor == PointDescriptor::interpolated) {
    interpolate(patches_, source_.patches, middle_of_cell(cells_, cell), values);
    return;
  }
  if (!lattice_) {
    vision::OrientationEnergy energy = energy_of(source_);
    lattice_.emplace(energy, cells_);
  }
  lattice_->describe(cell % cells_.columns, cell / cells_.columns, version_of(source_.descriptor),
                     values);
  make_unit(values);
}

}  // namespace caos
