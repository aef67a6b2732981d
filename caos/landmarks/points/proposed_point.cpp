#include "caos/landmarks/points/proposed_point.hpp"

#include <algorithm>
#include <cmath>

namespace caos {
namespace {

/// The patch of a refined point, which may be on the very edge of the image.
Label patch_of(vision::Point working, const vision::Frame& frame) {
  const auto inside = [](double value, std::size_t size) {
    return std::clamp(value, 0.0, std::nextafter(static_cast<double>(size), 0.0));
  };
  return frame.grid.patch_at(
      {inside(working.x, frame.scaled_width), inside(working.y, frame.scaled_height)});
}

}  // namespace

vision::Point proposed_point(const LandmarkPrediction& prediction, const vision::Frame& frame) {
  if (!prediction.refined) return frame.point_at(prediction.proposal, prediction.offset);
  const vision::Point point = frame.to_original(*prediction.refined);
  return {std::clamp(point.x, 0.0, static_cast<double>(frame.width)),
          std::clamp(point.y, 0.0, static_cast<double>(frame.height))};
}

bool is_inside_region(const LandmarkPrediction& prediction, const vision::Frame& frame) {
  const Label patch =
      prediction.refined ? patch_of(*prediction.refined, frame) : prediction.proposal;
  return std::ranges::binary_search(prediction.set, patch);
}

}  // namespace caos
