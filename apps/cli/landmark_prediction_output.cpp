#include "landmark_prediction_output.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace caos::cli {
namespace {

/// More names than this cover the image.
constexpr std::size_t most_names = 30;

std::vector<std::vector<vision::Point>> outline_of(const LandmarkPrediction& prediction,
                                                   const vision::Frame& frame) {
  std::vector<std::vector<vision::Point>> outline;
  for (const vision::Ring& ring : vision::outline(prediction.set, frame.grid)) {
    auto& points = outline.emplace_back();
    for (const vision::GridCorner& corner : ring) points.push_back(corner_in_pixels(corner, frame));
  }
  return outline;
}

}  // namespace

double rounded(double value) { return std::round(value * 1000) / 1000; }

vision::Point corner_in_pixels(const vision::GridCorner& corner, const vision::Frame& frame) {
  const auto side = static_cast<double>(frame.grid.patch_size);
  const vision::Point working{
      std::min(static_cast<double>(corner.x) * side, static_cast<double>(frame.scaled_width)),
      std::min(static_cast<double>(corner.y) * side, static_cast<double>(frame.scaled_height))};
  return frame.to_original(working);
}

vision::Point proposal_of(const LandmarkPrediction& prediction, const vision::Frame& frame) {
  return frame.point_at(prediction.proposal, prediction.offset);
}

double area_of(const LandmarkPrediction& prediction, const vision::Frame& frame) {
  double area = 0;
  for (const Label patch : prediction.set) {
    const vision::Bounds bounds = frame.patch_bounds(patch);
    area += (bounds.right - bounds.left) * (bounds.bottom - bounds.top);
  }
  return area;
}

std::vector<vision::Region> regions_of(const ImagePrediction& image, const LandmarkModel& model) {
  std::vector<vision::Region> regions;
  for (std::size_t t = 0; t < image.landmarks.size(); ++t) {
    const LandmarkPrediction& prediction = image.landmarks[t];
    regions.push_back({.outline = outline_of(prediction, image.frame),
                       .proposal = proposal_of(prediction, image.frame),
                       .set_size = prediction.set.size(),
                       .name = image.landmarks.size() <= most_names ? model.labeled.tasks[t] : ""});
  }
  return regions;
}

}  // namespace caos::cli
