#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "caos/backbone.hpp"

/// The built-in descriptors as their recipe says it, slowly and in double. Nothing here is shared
/// with the library.
namespace slow {

using Plane = std::vector<std::vector<double>>;  // [y][x]

/// Beyond the edges a plane goes on as at them.
inline double at(const Plane& plane, int y, int x) {
  const auto height = static_cast<int>(plane.size());
  const auto width = static_cast<int>(plane[0].size());
  return plane[static_cast<std::size_t>(std::clamp(y, 0, height - 1))]
              [static_cast<std::size_t>(std::clamp(x, 0, width - 1))];
}

/// A plane of the same size, made point by point.
template <typename Value>
Plane map(const Plane& plane, Value value) {
  Plane result = plane;
  for (std::size_t y = 0; y < plane.size(); ++y) {
    for (std::size_t x = 0; x < plane[y].size(); ++x) {
      result[y][x] = value(static_cast<int>(y), static_cast<int>(x));
    }
  }
  return result;
}

inline Plane padded_gray(const caos::vision::Image& image) {
  const std::size_t width = (image.width + 15) / 16 * 16;
  const std::size_t height = (image.height + 15) / 16 * 16;
  return map(Plane(height, std::vector<double>(width)), [&](int y, int x) {
    const std::size_t row = std::min(static_cast<std::size_t>(y), image.height - 1);
    const std::size_t column = std::min(static_cast<std::size_t>(x), image.width - 1);
    const auto* const p = &image.rgb[(row * image.width + column) * 3];
    return 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2];
  });
}

inline Plane blurred(const Plane& plane) {
  double total = 0;
  for (int i = -4; i <= 4; ++i) total += std::exp(-i * i / 2.0);
  return map(plane, [&](int y, int x) {
    double sum = 0;
    for (int i = -4; i <= 4; ++i) {
      for (int j = -4; j <= 4; ++j) {
        sum += std::exp(-(i * i + j * j) / 2.0) * at(plane, y + i, x + j);
      }
    }
    return sum / (total * total);
  });
}

/// The share of a gradient that direction `d` takes: linear between neighbors.
inline double energy(double right, double down, int d) {
  const double angle = std::atan2(down, right) / (std::numbers::pi / 4);
  const double distance = std::abs(std::remainder(angle - d, 8));
  return std::hypot(right, down) * std::max(0.0, 1 - distance);
}

inline Plane direction(const Plane& gray, int d) {
  return map(gray, [&](int y, int x) {
    return energy((at(gray, y, x + 1) - at(gray, y, x - 1)) / 2,
                  (at(gray, y + 1, x) - at(gray, y - 1, x)) / 2, d);
  });
}

inline double box_mean(const Plane& plane, int y, int x, int cell) {
  // The center is clamped first, then the pixels of the box.
  const int center_y = std::clamp(y, 0, static_cast<int>(plane.size()) - 1);
  const int center_x = std::clamp(x, 0, static_cast<int>(plane[0].size()) - 1);
  double sum = 0;
  for (int i = -cell / 2; i <= cell / 2; ++i) {
    for (int j = -cell / 2; j <= cell / 2; ++j) sum += at(plane, center_y + i, center_x + j);
  }
  return sum / ((cell + 1) * (cell + 1));
}

/// At the corner where four pixels meet.
inline double corner_mean(const Plane& plane, int y, int x, int cell) {
  return (box_mean(plane, y - 1, x - 1, cell) + box_mean(plane, y - 1, x, cell) +
          box_mean(plane, y, x - 1, cell) + box_mean(plane, y, x, cell)) /
         4;
}

/// Box means, without an offset.
inline std::vector<double> means(const std::vector<Plane>& planes, int row, int column, int cell) {
  std::vector<double> values;
  for (int i = -3; i <= 3; i += 2) {
    for (int j = -3; j <= 3; j += 2) {
      for (const Plane& plane : planes) {
        const int y = row * 16 + 8 + i * cell / 2;
        const int x = column * 16 + 8 + j * cell / 2;
        values.push_back(corner_mean(plane, y, x, cell));
      }
    }
  }
  return values;
}

inline double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

/// [patches][scales][128]
inline std::vector<std::vector<std::vector<double>>> all_means(const caos::vision::Image& image) {
  const Plane gray = blurred(padded_gray(image));
  std::vector<Plane> planes;
  for (int d = 0; d < 8; ++d) planes.push_back(direction(gray, d));
  std::vector<std::vector<std::vector<double>>> patches;
  for (int row = 0; row < static_cast<int>(gray.size()) / 16; ++row) {
    for (int column = 0; column < static_cast<int>(gray[0].size()) / 16; ++column) {
      auto& patch = patches.emplace_back();
      for (const int cell : {8, 16, 32}) patch.push_back(means(planes, row, column, cell));
    }
  }
  return patches;
}

/// `builtin`: [patches][384]
inline std::vector<std::vector<double>> describe(const caos::vision::Image& image) {
  std::vector<std::vector<double>> patches;
  for (const auto& scales : all_means(image)) {
    auto& patch = patches.emplace_back();
    for (const std::vector<double>& values : scales) {
      const double sum = sum_of(values) + 128 * 1e-3;
      for (const double value : values) patch.push_back(std::sqrt((value + 1e-3) / sum / 3));
    }
  }
  return patches;
}

/// `builtin-2`: [patches][387]
inline std::vector<std::vector<double>> describe_2(const caos::vision::Image& image) {
  std::vector<std::vector<double>> patches;
  for (const auto& scales : all_means(image)) {
    auto& patch = patches.emplace_back();
    for (const std::vector<double>& values : scales) {
      for (const double value : values) {
        patch.push_back(std::sqrt(value / (sum_of(values) + 4) / 3));
      }
    }
    for (const auto& values : scales) patch.push_back(std::sqrt(4 / (sum_of(values) + 4) / 3));
  }
  return patches;
}

}  // namespace slow
