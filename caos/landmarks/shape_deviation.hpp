#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "caos/landmarks/landmark_predictor.hpp"

namespace caos {

/// Where the landmarks of an image lie, in patches from its upper left corner; nothing for a
/// landmark that is absent.
using Shape = std::vector<std::optional<vision::Point>>;

/// Where one landmark lies, given its patch, its place in that patch and the columns of the grid.
[[nodiscard]] vision::Point position_of(Label patch, Offset offset, std::size_t columns);

/// The proposed points of an image whose grid has so many columns.
[[nodiscard]] Shape shape_of(std::span<const LandmarkPrediction> landmarks, std::size_t columns);

/// The shapes of labeled images, to see whether the proposed points of an image form one that is
/// like them. Each is mapped onto the points by the similarity transform that fits best: five
/// rounds of least squares, first with weights 1, then with weights 1 / (1 + (r / m)^2), where r is
/// a landmark's distance after the round before and m the median of these. Used for the review
/// order only, which has no guarantee.
class LabeledShapes {
 public:
  /// Without shapes, no deviation is known.
  LabeledShapes() = default;
  explicit LabeledShapes(std::vector<Shape> shapes) : shapes_(std::move(shapes)) {}
  /// Those of a model that knows the grids of its images.
  explicit LabeledShapes(const LandmarkModel& model);

  /// The mean distance between the points and a labeled shape that is mapped onto them, in patches,
  /// on average over the three labeled shapes where it is smallest. Shapes that share fewer than
  /// four landmarks with the points do not count; nothing where none counts.
  [[nodiscard]] std::optional<double> deviation(const Shape& points) const;

 private:
  std::vector<Shape> shapes_{};
};

}  // namespace caos
