#include "caos/vision/backbones/descriptor_lattice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace caos::vision {
namespace {

constexpr std::size_t directions = OrientationEnergy::directions;
constexpr std::size_t points_per_side = 4;
constexpr std::size_t values_per_scale = points_per_side * points_per_side * directions;
constexpr std::array<std::size_t, 3> boxes = {8, 16, 32};

/// The box mean at the pixel corner `at`: of the boxes about the pixels before and after it, which
/// are clamped to the axis as are the pixels of each box.
BoxWindow window_at(std::ptrdiff_t at, std::size_t box, std::size_t length) {
  const auto last = static_cast<std::ptrdiff_t>(length) - 1;
  const auto half = static_cast<std::ptrdiff_t>(box / 2);
  const auto clamped = [&](std::ptrdiff_t p) { return std::clamp<std::ptrdiff_t>(p, 0, last); };
  const std::ptrdiff_t before = clamped(at - 1);
  const std::ptrdiff_t after = clamped(at);
  BoxWindow window{.first = static_cast<std::size_t>(clamped(before - half))};
  const auto end = static_cast<std::size_t>(clamped(after + half)) + 1;
  window.weights.resize(end - window.first);
  for (const std::ptrdiff_t center : {before, after}) {
    for (std::ptrdiff_t p = center - half; p <= center + half; ++p) {
      window.weights[static_cast<std::size_t>(clamped(p)) - window.first] += 1;
    }
  }
  for (float& weight : window.weights) weight /= static_cast<float>(2 * (box + 1));
  return window;
}

/// How far before a center the first of the four points is.
std::ptrdiff_t before_center(std::size_t box) { return static_cast<std::ptrdiff_t>(3 * box / 2); }

using PointWindows = std::array<BoxWindow, points_per_side>;

/// The four windows around a pixel corner.
PointWindows windows_around(std::ptrdiff_t center, std::size_t box, std::size_t length) {
  PointWindows windows;
  std::ptrdiff_t at = center - before_center(box);
  for (BoxWindow& window : windows) {
    window = window_at(at, box, length);
    at += static_cast<std::ptrdiff_t>(box);
  }
  return windows;
}

/// From histograms of energy to the square roots of the shares of each scale, and in version two of
/// what they leave; the squares of a scale sum to a third.
void to_shares(BuiltinBackbone::Version version, std::span<float> values) {
  constexpr double offset = 1e-3;
  constexpr double noise = 4;
  if (version == BuiltinBackbone::Version::one) {
    kernels::root_shares(values.data(), boxes.size(), values_per_scale, offset);
  } else {
    kernels::root_shares_and_rests(values.data(), boxes.size(), values_per_scale, noise,
                                   values.data() + boxes.size() * values_per_scale);
  }
}

}  // namespace

DescriptorLattice::Axis::Axis(std::size_t cells, std::size_t side, std::size_t box,
                              std::size_t length)
    : per_cell(side / std::min(box, side)), stride(box / std::min(box, side)) {
  const std::size_t step = std::min(box, side);
  const std::size_t count = point(cells - 1, points_per_side - 1) + 1;
  const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(side / 2) - before_center(box);
  for (std::size_t i = 0; i < count; ++i) {
    points.push_back(window_at(first + static_cast<std::ptrdiff_t>(i * step), box, length));
  }
}

DescriptorLattice::Scale::Scale(const OrientationEnergy& energy, const PatchGrid& cells,
                                std::size_t box)
    : across_(cells.columns, cells.patch_size, box, energy.width()),
      down_(cells.rows, cells.patch_size, box, energy.height()),
      rows_(energy.height(), across_.points.size() * directions),
      points_(down_.points.size(), across_.points.size() * directions) {
  for (const BoxWindow& window : across_.points) {
    windows_.push_back({window.first, window.weights.data(), window.weights.size()});
  }
}

void DescriptorLattice::Scale::add_row(std::size_t y, std::span<const float> energy) {
  kernels::windowed_sums(energy.data(), windows_.data(), windows_.size(), rows_.row(y).data());
}

void DescriptorLattice::Scale::average_rows() {
  std::vector<const float*> rows;
  for (std::size_t i = 0; i < down_.points.size(); ++i) {
    const BoxWindow& window = down_.points[i];
    rows.clear();
    for (std::size_t y = window.first; y < window.end(); ++y) rows.push_back(rows_.row(y).data());
    kernels::weighted_sum(rows.data(), window.weights.data(), rows.size(), points_.cols(),
                          points_.row(i).data());
  }
}

void DescriptorLattice::Scale::read_cell(std::size_t column, std::size_t row, float* values) const {
  for (std::size_t i = 0; i < points_per_side; ++i) {
    const std::span<const float> line = points_.row(down_.point(row, i));
    for (std::size_t j = 0; j < points_per_side; ++j) {
      const auto histogram = line.subspan(across_.point(column, j) * directions, directions);
      values = std::ranges::copy(histogram, values).out;
    }
  }
}

DescriptorLattice::DescriptorLattice(OrientationEnergy& energy, const PatchGrid& cells) {
  scales_.reserve(boxes.size());
  for (const std::size_t box : boxes) scales_.emplace_back(energy, cells, box);
  for (std::size_t y = 0; y < energy.height(); ++y) {
    const std::span<const float> row = energy.row(y);
    for (Scale& scale : scales_) scale.add_row(y, row);
  }
  for (Scale& scale : scales_) scale.average_rows();
}

void DescriptorLattice::describe(std::size_t column, std::size_t row,
                                 BuiltinBackbone::Version version, std::span<float> values) const {
  for (std::size_t s = 0; s < scales_.size(); ++s) {
    scales_[s].read_cell(column, row, values.data() + s * values_per_scale);
  }
  to_shares(version, values);
}

DescriptorPoints::DescriptorPoints(OrientationEnergy energy)
    : width_(energy.width()), energy_(energy.height(), energy.width() * directions) {
  for (std::size_t y = 0; y < energy.height(); ++y) {
    std::ranges::copy(energy.row(y), energy_.row(y).begin());
  }
}

void DescriptorPoints::describe(Point point, BuiltinBackbone::Version version,
                                std::span<float> values) const {
  const auto x = static_cast<std::ptrdiff_t>(std::floor(point.x + 0.5));
  const auto y = static_cast<std::ptrdiff_t>(std::floor(point.y + 0.5));
  for (std::size_t s = 0; s < boxes.size(); ++s) {
    read_scale(x, y, boxes[s], values.data() + s * values_per_scale);
  }
  to_shares(version, values);
}

/// Along x, then along y, as the lattice does it.
void DescriptorPoints::read_scale(std::ptrdiff_t x, std::ptrdiff_t y, std::size_t box,
                                  float* values) const {
  const PointWindows across = windows_around(x, box, width_);
  const PointWindows down = windows_around(y, box, energy_.rows());
  std::vector<kernels::WeightedWindow> windows;
  for (const BoxWindow& one : across) {
    windows.push_back({one.first, one.weights.data(), one.weights.size()});
  }
  constexpr std::size_t row_size = points_per_side * directions;
  const std::size_t first = down.front().first;
  Matrix<float> sums(down.back().end() - first, row_size);
  for (std::size_t r = 0; r < sums.rows(); ++r) {
    kernels::windowed_sums(energy_.row(first + r).data(), windows.data(), windows.size(),
                           sums.row(r).data());
  }
  std::vector<const float*> rows;
  for (const BoxWindow& one : down) {
    rows.clear();
    for (std::size_t r = one.first; r < one.end(); ++r) {
      rows.push_back(sums.row(r - first).data());
    }
    kernels::weighted_sum(rows.data(), one.weights.data(), rows.size(), row_size, values);
    values += row_size;
  }
}

}  // namespace caos::vision
