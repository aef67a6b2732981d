#include "caos/vision/backbones/orientation_energy.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "caos/kernels/descriptor.hpp"

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

std::size_t width_of(const Image& image) { return image.width; }
std::size_t width_of(const GrayImage& image) { return image.cols(); }
std::size_t height_of(const Image& image) { return image.height; }
std::size_t height_of(const GrayImage& image) { return image.rows(); }

void read_pixels(const Image& image, std::size_t y, float* row) {
  kernels::gray_of_rgb(image.rgb.data() + y * image.width * 3, image.width, row);
}

void read_pixels(const GrayImage& image, std::size_t y, float* row) {
  std::ranges::copy(image.row(y), row);
}

template <typename Pixels>
void read_gray(const Pixels& image, std::size_t y, std::span<float> row) {
  read_pixels(image, y, row.data());
  const std::size_t width = width_of(image);
  std::fill(row.begin() + static_cast<std::ptrdiff_t>(width), row.end(), row[width - 1]);
}

using Taps = std::array<const float*, gaussian.size()>;

/// Taps are added one after the other.
void blur(const Taps& taps, std::span<float> row) {
  kernels::weighted_sum(taps.data(), gaussian.data(), taps.size(), row.size(), row.data());
}

void blur_row(std::span<float> row, std::vector<float>& padded) {
  padded.resize(row.size() + 2 * radius);
  std::fill_n(padded.begin(), radius, row.front());
  std::ranges::copy(row, padded.begin() + radius);
  std::fill_n(padded.end() - radius, radius, row.back());
  Taps taps{};
  for (std::size_t i = 0; i < taps.size(); ++i) taps[i] = padded.data() + i;
  blur(taps, row);
}

Matrix<float> blur_columns(const Matrix<float>& gray) {
  Matrix<float> blurred(gray.rows(), gray.cols());
  Taps taps{};
  for (std::size_t y = 0; y < gray.rows(); ++y) {
    for (std::size_t i = 0; i < taps.size(); ++i) {
      taps[i] = gray.row(clamp_index(y, i, gray.rows())).data();
    }
    blur(taps, blurred.row(y));
  }
  return blurred;
}

template <typename Pixels>
Matrix<float> blurred_gray(const Pixels& image, const PatchGrid& grid) {
  Matrix<float> gray(grid.rows * grid.patch_size, grid.columns * grid.patch_size);
  std::vector<float> padded;
  for (std::size_t y = 0; y < gray.rows(); ++y) {
    read_gray(image, std::min(y, height_of(image) - 1), gray.row(y));
    blur_row(gray.row(y), padded);
  }
  return blur_columns(gray);
}

}  // namespace

OrientationEnergy::OrientationEnergy(const Image& image, const PatchGrid& grid)
    : OrientationEnergy(blurred_gray(image, grid)) {
  assert(image.rgb.size() == image.width * image.height * 3);
}

OrientationEnergy::OrientationEnergy(const GrayImage& image, const PatchGrid& grid)
    : OrientationEnergy(blurred_gray(image, grid)) {}

OrientationEnergy::OrientationEnergy(Matrix<float>&& blurred)
    : gray_(std::move(blurred)),
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
  const float* const above = gray_.row(y == 0 ? 0 : y - 1).data();
  const float* const here = gray_.row(y).data();
  const float* const below = gray_.row(std::min(y + 1, height() - 1)).data();
  const std::size_t last = width() - 1;
  for (std::size_t x = 0; x <= last; ++x) down_[x] = (below[x] - above[x]) * 0.5F;
  right_[0] = (here[1] - here[0]) * 0.5F;
  right_[last] = (here[last] - here[last - 1]) * 0.5F;
  for (std::size_t x = 1; x < last; ++x) right_[x] = (here[x + 1] - here[x - 1]) * 0.5F;
}

void OrientationEnergy::split_gradients() {
  kernels::split_gradients(right_.data(), down_.data(), width(),
                           {.axis_part = split_.axis_part.data(),
                            .diagonal_part = split_.diagonal_part.data(),
                            .axis = split_.axis.data(),
                            .diagonal = split_.diagonal.data()});
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
