#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/rng.hpp"
#include "caos/scorers/unit_rows.hpp"

// Random images with landmarks, without ties.
namespace caos::test {

inline constexpr vision::PatchGrid grid{.patch_size = 16, .columns = 4, .rows = 3};

/// Patches of positive values, unit rows.
inline Matrix<float> draw_image(Rng& rng, std::size_t dimension = 6) {
  Matrix<float> image(grid.size(), dimension);
  for (std::size_t p = 0; p < image.rows(); ++p) {
    for (float& value : image.row(p)) value = static_cast<float>(rng.uniform()) + 0.01F;
  }
  return unit_rows(image.view(), "image");
}

/// Images on a grid of 4 x 3 patches of 16 pixels, with three landmarks; some are missing.
inline AnnotatedImages draw_annotated(std::size_t count, bool subjects, Rng& rng) {
  AnnotatedImages images;
  images.patches.tasks = {"left eye", "right, \"eye\"", "nose"};
  images.patches.labels = Matrix<std::int64_t>(0, 3);
  images.points = Matrix<vision::Point>(0, 3);
  const vision::Frame frame{.width = 64,
                            .height = 48,
                            .scaled_width = 64,
                            .scaled_height = 48,
                            .working_width = 64,
                            .working_height = 48,
                            .grid = grid};
  for (std::size_t i = 0; i < count; ++i) {
    images.names.push_back("image " + std::to_string(i));
    images.files.push_back(images.names.back());
    images.frames.push_back(frame);
    images.patches.images.push_back(draw_image(rng));
    std::vector<vision::Point> points(3);
    std::vector<std::int64_t> labels(3);
    for (std::size_t t = 0; t < 3; ++t) {
      points[t] = {rng.uniform() * 63, rng.uniform() * 47};
      labels[t] = static_cast<std::int64_t>(frame.grid.patch_at(points[t]));
      if (t == 2 && i % 4 == 0) labels[t] = missing_label;
    }
    images.patches.labels.push_row(labels);
    images.points.push_row(points);
    if (subjects) images.patches.subjects.push_back(i / 2);
  }
  return images;
}

}  // namespace caos::test
