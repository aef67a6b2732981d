#include "caos/landmarks/shape_deviation.hpp"

#include <algorithm>
#include <numeric>

namespace caos {
namespace {

constexpr std::size_t fewest_landmarks = 4;  // a similarity transform maps any two onto any two
constexpr std::size_t num_nearest = 3;

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

vision::Point scaled(vision::Point point, double scale) {
  return {.x = point.x * scale, .y = point.y * scale};
}

}  // namespace

Shape LabeledShapes::shape_of(std::span<const LandmarkPrediction> landmarks,
                              std::size_t columns) const {
  Shape shape;
  for (const LandmarkPrediction& one : landmarks) {
    shape.push_back(scaled(position_of(one.proposal, one.offset, columns), side_));
  }
  return shape;
}

LabeledShapes::LabeledShapes(const LandmarkModel& model) {
  if (model.labeled.has_cells()) {
    side_ = side_in_patches(model.labeled.grids[0], model.labeled.patch_grid(0));
  }
  for (std::size_t i = 0; i < model.grid_columns.size(); ++i) {
    Shape& shape = shapes_.emplace_back(model.labeled.num_tasks());
    for (std::size_t t = 0; t < shape.size(); ++t) {
      const std::int64_t label = model.labeled.labels(i, t);
      if (label == missing_label) continue;
      shape[t] =
          scaled(position_of(static_cast<Label>(label), model.offsets(i, t), model.grid_columns[i]),
                 side_);
    }
  }
}

std::optional<double> LabeledShapes::deviation(const Shape& points) const {
  std::vector<double> found;
  for (const Shape& shape : shapes_) {
    const MatchedPoints both = matched(shape, points);
    if (both.from.size() >= fewest_landmarks) found.push_back(mean(robust_fit(both).distances));
  }
  if (found.empty()) return std::nullopt;
  std::ranges::sort(found);
  found.resize(std::min(found.size(), num_nearest));
  return mean(found);
}

}  // namespace caos
