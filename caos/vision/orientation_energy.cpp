#include "caos/vision/orientation_energy.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace caos::vision {
namespace {

constexpr std::size_t radius = 4;
/// exp(-i^2 / 2) for i = -4..4, divided by their sum.
constexpr std::array<float, 2 * radius + 1> gaussian = {
    0.00013383062F, 0.00443186145F, 0.05399112776F, 0.24197144806F, 0.39894348383F,
    0.24197144806F, 0.05399112776F, 0.00443186145F, 0.00013383062F};

std::size_t clamp_index(std::size_t i, std::size_t offset, std::size_t size) {
  return std::clamp(i + offset, radius, size - 1 + radius) - radius;
}

void read_grey(const Image& image, std::size_t y, std::span<float> row) {
  const std::uint8_t* pixel = image.rgb.data() + y * image.width * 3;
  for (std::size_t x = 0; x < image.width; ++x, pixel += 3) {
    row[x] = 0.299F * static_cast<float>(pixel[0]) + 0.587F * static_cast<float>(pixel[1]) +
             0.114F * static_cast<float>(pixel[2]);
  }
  std::fill(row.begin() + static_cast<std::ptrdiff_t>(image.width), row.end(),
            row[image.width - 1]);
}

/// Adds weight * from to `to`. One tap at a time over a whole row: the order of additions per pixel
/// is that of the taps, and the compiler sees independent lanes.
void add_weighted(std::span<float> to, float weight, const float* from) {
  for (std::size_t x = 0; x < to.size(); ++x) to[x] += weight * from[x];
}

void blur_row(std::span<float> row, std::vector<float>& padded) {
  padded.resize(row.size() + 2 * radius);
  std::fill_n(padded.begin(), radius, row.front());
  std::ranges::copy(row, padded.begin() + radius);
  std::fill_n(padded.end() - radius, radius, row.back());
  std::ranges::fill(row, 0.0F);
  for (std::size_t i = 0; i < gaussian.size(); ++i) {
    add_weighted(row, gaussian[i], padded.data() + i);
  }
}

Matrix<float> blur_columns(const Matrix<float>& grey) {
  Matrix<float> blurred(grey.rows(), grey.cols());
  for (std::size_t y = 0; y < grey.rows(); ++y) {
    for (std::size_t i = 0; i < gaussian.size(); ++i) {
      const std::size_t from = clamp_index(y, i, grey.rows());
      add_weighted(blurred.row(y), gaussian[i], grey.row(from).data());
    }
  }
  return blurred;
}

Matrix<float> blurred_grey(const Image& image, const PatchGrid& grid) {
  assert(image.rgb.size() == image.width * image.height * 3);
  Matrix<float> grey(grid.rows * grid.patch_size, grid.columns * grid.patch_size);
  std::vector<float> padded;
  for (std::size_t y = 0; y < grey.rows(); ++y) {
    read_grey(image, std::min(y, image.height - 1), grey.row(y));
    blur_row(grey.row(y), padded);
  }
  return blur_columns(grey);
}

/// 4 / pi * atan(ratio) for ratio in [0, 1], within 4e-7: which part of the 45 degrees between an
/// axis and a diagonal. A polynomial of our own, since the library's arc tangent differs between
/// machines.
inline float part_of_octant(float ratio) {
  const float s = ratio * ratio;
  float p = 0.008673545904F;
  p = p * s - 0.042787734419F;
  p = p * s + 0.101381741464F;
  p = p * s - 0.168493092060F;
  p = p * s + 0.252201199532F;
  p = p * s - 0.424209922552F;
  p = p * s + 1.273234605789F;
  return std::min(p * ratio, 1.0F);
}

}  // namespace

OrientationEnergy::OrientationEnergy(const Image& image, const PatchGrid& grid)
    : grey_(blurred_grey(image, grid)),
      right_(width()),
      down_(width()),
      split_{std::vector<float>(width()), std::vector<float>(width()),
             std::vector<std::int32_t>(width()), std::vector<std::int32_t>(width())},
      energy_(width() * directions) {}

std::span<const float> OrientationEnergy::row(std::size_t y) {
  measure_gradients(y);
  split_gradients();
  scatter();
  return energy_;
}

/// Central differences; beyond the edges the image goes on as at them.
void OrientationEnergy::measure_gradients(std::size_t y) {
  const float* const above = grey_.row(y == 0 ? 0 : y - 1).data();
  const float* const here = grey_.row(y).data();
  const float* const below = grey_.row(std::min(y + 1, height() - 1)).data();
  const std::size_t last = width() - 1;
  for (std::size_t x = 0; x <= last; ++x) down_[x] = (below[x] - above[x]) * 0.5F;
  right_[0] = (here[1] - here[0]) * 0.5F;
  right_[last] = (here[last] - here[last - 1]) * 0.5F;
  for (std::size_t x = 1; x < last; ++x) right_[x] = (here[x + 1] - here[x - 1]) * 0.5F;
}

void OrientationEnergy::split_gradients() {
  constexpr float tiny = 1e-30F;  // instead of a division by zero where there is no gradient
  const std::size_t count = width();
  const float* const right = right_.data();
  const float* const down = down_.data();
  float* const axis_part = split_.axis_part.data();
  float* const diagonal_part = split_.diagonal_part.data();
  for (std::size_t x = 0; x < count; ++x) {
    const float across = std::abs(right[x]);
    const float along = std::abs(down[x]);
    const float larger = std::max(across, along);
    const float part = part_of_octant(std::min(across, along) / std::max(larger, tiny));
    const float length = std::sqrt(right[x] * right[x] + down[x] * down[x]);
    diagonal_part[x] = length * part;
    axis_part[x] = length - diagonal_part[x];
  }
  std::int32_t* const axis = split_.axis.data();
  std::int32_t* const diagonal = split_.diagonal.data();
  for (std::size_t x = 0; x < count; ++x) {
    const std::int32_t to_left = right[x] < 0 ? 1 : 0;
    const std::int32_t upwards = down[x] < 0 ? 1 : 0;
    const std::int32_t steep = std::abs(down[x]) > std::abs(right[x]) ? 1 : 0;
    // 0, 2, 4, 6 are right, down, left, up; 1, 3, 5, 7 the diagonals after them.
    axis[x] = steep != 0 ? 2 + 4 * upwards : 4 * to_left;
    diagonal[x] = upwards != 0 ? 7 - 2 * to_left : 1 + 2 * to_left;
  }
}

void OrientationEnergy::scatter() {
  std::ranges::fill(energy_, 0.0F);
  float* pixel = energy_.data();
  for (std::size_t x = 0; x < width(); ++x, pixel += directions) {
    pixel[split_.axis[x]] = split_.axis_part[x];
    pixel[split_.diagonal[x]] = split_.diagonal_part[x];
  }
}

}  // namespace caos::vision
