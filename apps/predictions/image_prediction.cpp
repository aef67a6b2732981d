#include "apps/predictions/image_prediction.hpp"

#include <algorithm>
#include <cmath>

#include "caos/landmarks/points/proposed_point.hpp"

namespace caos::predictions {

double rounded(double value) { return std::round(value * 1000) / 1000; }

vision::Point corner_in_pixels(const vision::GridCorner& corner, const vision::Frame& frame) {
  const auto side = static_cast<double>(frame.grid.patch_size);
  const vision::Point working{
      std::min(static_cast<double>(corner.x) * side, static_cast<double>(frame.scaled_width)),
      std::min(static_cast<double>(corner.y) * side, static_cast<double>(frame.scaled_height))};
  return frame.to_original(working);
}

vision::Point proposal_of(const LandmarkPrediction& prediction, const vision::Frame& frame) {
  return proposed_point(prediction, frame);
}

double area_of(const LandmarkPrediction& prediction, const vision::Frame& frame) {
  double area = 0;
  for (const Label patch : prediction.set) {
    const vision::Bounds bounds = frame.patch_bounds(patch);
    area += (bounds.right - bounds.left) * (bounds.bottom - bounds.top);
  }
  return area;
}

}  // namespace caos::predictions
