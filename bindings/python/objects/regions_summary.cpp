#include <algorithm>

#include "bindings/python/objects/regions.hpp"
#include "caos/landmarks/large_regions.hpp"

namespace caos::python {
namespace {

/// Of one image, on average over landmarks.
double share_of(const RegionsOfImage& image) {
  double sum = 0;
  for (const LandmarkPrediction& one : image.landmarks) {
    sum += image.grid
               ? region_share(one.set, image.grid->frame)
               : static_cast<double>(one.set.size()) / static_cast<double>(image.num_patches);
  }
  return image.landmarks.empty() ? 0 : sum / static_cast<double>(image.landmarks.size());
}

/// In patches.
double size_of(const RegionsOfImage& image) {
  double sum = 0;
  for (const LandmarkPrediction& one : image.landmarks) sum += static_cast<double>(one.set.size());
  return image.landmarks.empty() ? 0 : sum / static_cast<double>(image.landmarks.size());
}

}  // namespace

double Regions::mean_region_share() const {
  double sum = 0;
  for (const auto& image : images) sum += share_of(*image);
  return images.empty() ? 0 : sum / static_cast<double>(size());
}

std::optional<std::string> Regions::large_regions() const {
  if (images.empty() || std::ranges::count(head->feasible, false) > 0) return std::nullopt;
  double patches = 0;
  for (const auto& image : images) patches += size_of(*image);
  return large_regions_text(
      {.share = mean_region_share(), .patches = patches / static_cast<double>(size())},
      OptionNames::arguments);
}

}  // namespace caos::python
