#pragma once

#include <string>

#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/rng.hpp"
#include "caos/scorers/unit_rows.hpp"

namespace points {

/// How synthetic annotated images look.
struct ExampleSizes {
  std::size_t images = 12;
  std::size_t landmarks = 3;
  std::size_t missing = 0;   ///< one landmark in so many is absent; 0: none
  std::size_t subjects = 0;  ///< images of so many subjects; 0: all differ
  bool pixels = true;
  bool any_size = false;
};

/// Images of random pixels and random patches with random landmarks.
class Example {
 public:
  Example(std::uint64_t seed, const ExampleSizes& sizes) : rng_(seed), sizes_(sizes) {}

  caos::AnnotatedImages images() {
    caos::AnnotatedImages images;
    images.identity = "synthetic";
    images.points = caos::Matrix<caos::vision::Point>(0, sizes_.landmarks);
    images.patches.labels = caos::Matrix<std::int64_t>(0, sizes_.landmarks);
    for (std::size_t t = 0; t < sizes_.landmarks; ++t) {
      images.patches.tasks.push_back("landmark " + std::to_string(t));
    }
    for (std::size_t i = 0; i < sizes_.images; ++i) add(images);
    return images;
  }

 private:
  caos::vision::Frame frame() {
    const std::size_t width = sizes_.any_size ? 40 + rng_.below(60) : 64;
    const std::size_t height = sizes_.any_size ? 40 + rng_.below(60) : 48;
    return {.width = width,
            .height = height,
            .scaled_width = width,
            .scaled_height = height,
            .working_width = width,
            .working_height = height,
            .grid = caos::vision::grid_over(width, height, 16)};
  }

  void add(caos::AnnotatedImages& images) {
    const caos::vision::Frame where = frame();
    std::vector<caos::vision::Point> points(sizes_.landmarks);
    std::vector<std::int64_t> labels(sizes_.landmarks, caos::missing_label);
    for (std::size_t t = 0; t < sizes_.landmarks; ++t) {
      if (sizes_.missing > 0 && rng_.below(sizes_.missing) == 0) continue;
      points[t] = {.x = rng_.uniform() * static_cast<double>(where.width),
                   .y = rng_.uniform() * static_cast<double>(where.height)};
      labels[t] = static_cast<std::int64_t>(where.patch_at(points[t]));
    }
    const std::size_t i = images.names.size();
    images.names.push_back("image " + std::to_string(i));
    images.files.push_back(images.names.back());
    images.frames.push_back(where);
    images.scales.emplace_back();
    images.points.push_row(points);
    images.patches.labels.push_row(labels);
    images.patches.images.push_back(patches(where.grid.size()));
    if (sizes_.subjects > 0) images.patches.subjects.push_back(i % sizes_.subjects);
    if (sizes_.pixels) images.gray.push_back(gray(where));
  }

  caos::Matrix<float> patches(std::size_t count) {
    caos::Matrix<float> rows(count, 6);
    for (std::size_t y = 0; y < count; ++y) {
      for (float& value : rows.row(y)) value = static_cast<float>(rng_.uniform() - 0.5);
    }
    return caos::unit_rows(std::as_const(rows).view(), "synthetic");
  }

  caos::vision::GrayImage gray(const caos::vision::Frame& where) {
    caos::vision::GrayImage image(where.height, where.width);
    for (std::size_t y = 0; y < image.rows(); ++y) {
      for (std::uint8_t& value : image.row(y)) value = static_cast<std::uint8_t>(rng_.below(256));
    }
    return image;
  }

  caos::Rng rng_;
  ExampleSizes sizes_;
};

}  // namespace points
