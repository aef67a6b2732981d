#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "caos/conformal/subject_weights.hpp"
#include "caos/dist/communicator.hpp"
#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/points/point_error.hpp"

namespace caos {

/// Annotated images, of which some propose points for others.
struct PointTest {
  const AnnotatedImages& images;
  Indices labeled{};
  Indices test{};
  Indices landmarks{};              ///< those that are measured
  std::vector<ImageUnits> units{};  ///< by image
};

struct PointTestOptions {
  LandmarkCalibrateOptions model{};  ///< k, score and threads
  /// Which new image is meant where subjects have several: test images count accordingly.
  ImageTarget target = ImageTarget::subject;
  std::function<void(std::size_t done, std::size_t total)> progress{};
  dist::Communicator* processes = nullptr;  ///< that share the test images; null: one process
};

/// Proposes points for the test images from the labeled ones, and compares them, and the baselines,
/// with the true points. Without pixels (embeddings from a file) the nearest image is left out.
/// Requires k + 1 labeled images of different subjects for every landmark.
/// With `processes`, the first calls it, and the others `help_to_measure_points`.
[[nodiscard]] PointOutcomes measure_points(const PointTest& test, const PointTestOptions& options);
void help_to_measure_points(const PointTestOptions& options);

}  // namespace caos
