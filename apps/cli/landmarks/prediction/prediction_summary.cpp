#include "apps/cli/landmarks/prediction/prediction_summary.hpp"

#include <cmath>
#include <utility>

namespace caos::cli {
namespace {

using predictions::corner_in_pixels;
using predictions::proposal_of;

std::vector<std::vector<vision::Point>> outline_of(const LandmarkPrediction& prediction,
                                                   const vision::Frame& frame) {
  std::vector<std::vector<vision::Point>> outline;
  for (const vision::Ring& ring : vision::outline(prediction.set, frame.grid)) {
    auto& points = outline.emplace_back();
    for (const vision::GridCorner& corner : ring) points.push_back(corner_in_pixels(corner, frame));
  }
  return outline;
}

/// Of a set of labels: colors show sizes in patches, also where labels are cells.
std::size_t size_in_patches(std::size_t labels, const ImagePrediction& image,
                            const LandmarkModel& model) {
  if (!model.labeled.has_cells()) return labels;
  const double side = side_in_patches(image.frame.grid, model.labeled.cells.sources.at(0).patches);
  return static_cast<std::size_t>(std::ceil(static_cast<double>(labels) * side * side));
}

}  // namespace

std::vector<vision::Region> regions_of(const ImagePrediction& image, const LandmarkModel& model) {
  std::vector<vision::Region> regions;
  for (std::size_t t = 0; t < image.landmarks.size(); ++t) {
    const LandmarkPrediction& prediction = image.landmarks[t];
    regions.push_back({.outline = outline_of(prediction, image.frame),
                       .proposal = proposal_of(prediction, image.frame),
                       .set_size = size_in_patches(prediction.set.size(), image, model),
                       .name = model.labeled.tasks[t]});
  }
  return regions;
}

}  // namespace caos::cli
