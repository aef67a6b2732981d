#include "apps/cli/landmarks/prediction/prediction_summary.hpp"

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

/// More than one where labels are cells: colors tell sizes in patches.
std::size_t labels_per_patch(const ImagePrediction& image, const LandmarkModel& model) {
  if (!model.labeled.has_cells()) return 1;
  const std::size_t side = model.labeled.cells.sources.at(0).patches.patch_size;
  const std::size_t along = side / image.frame.grid.patch_size;
  return along * along;
}

}  // namespace

std::vector<vision::Region> regions_of(const ImagePrediction& image, const LandmarkModel& model) {
  std::vector<vision::Region> regions;
  const std::size_t per_patch = labels_per_patch(image, model);
  for (std::size_t t = 0; t < image.landmarks.size(); ++t) {
    const LandmarkPrediction& prediction = image.landmarks[t];
    regions.push_back({.outline = outline_of(prediction, image.frame),
                       .proposal = proposal_of(prediction, image.frame),
                       .set_size = (prediction.set.size() + per_patch - 1) / per_patch,
                       .name = model.labeled.tasks[t]});
  }
  return regions;
}

}  // namespace caos::cli
