#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/landmarks/refinement/similarity.hpp"

namespace caos {

/// The shapes of labeled images, to see whether the proposed points of an image form one that is
/// like them. Shapes are in patches. Each is mapped onto the points by `robust_fit`. Used for the
/// review order only, which has no guarantee.
class LabeledShapes {
 public:
  /// Without shapes, no deviation is known.
  LabeledShapes() = default;
  explicit LabeledShapes(std::vector<Shape> shapes) : shapes_(std::move(shapes)) {}
  /// Those of a model that knows the grids of its images.
  explicit LabeledShapes(const LandmarkModel& model);

  /// The proposed points of an image of the model, whose labels lie on a grid with so many columns.
  [[nodiscard]] Shape shape_of(std::span<const LandmarkPrediction> landmarks,
                               std::size_t columns) const;

  /// The mean distance between the points and a labeled shape that is mapped onto them, in patches,
  /// on average over the three labeled shapes where it is smallest. Shapes that share fewer than
  /// four landmarks with the points do not count; nothing where none counts.
  [[nodiscard]] std::optional<double> deviation(const Shape& points) const;

 private:
  std::vector<Shape> shapes_{};
  double side_ = 1;  ///< of a label, in patches
};

}  // namespace caos
