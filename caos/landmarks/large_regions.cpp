#include "caos/landmarks/large_regions.hpp"

#include <fmt/format.h>

namespace caos {
namespace {

/// Regions of fewer cells, or patches, are large only because cells are.
constexpr double few_patches = 3;

std::string percent(double share) {
  return share < 0.1 ? fmt::format("{:.1f} %", 100 * share) : fmt::format("{:.0f} %", 100 * share);
}

std::string advice(const RegionSize& size, OptionNames names) {
  const bool dashes = names == OptionNames::command_line;
  if (size.patches < few_patches) {
    return fmt::format("cells are large here: try a larger {}",
                       dashes ? "--working-size" : "working_size");
  }
  return fmt::format(
      "for smaller ones try a smaller {}, {}more labeled images, or a stronger {}; and "
      "check with 'caos landmarks show' that the points lie where they should, y axis included",
      dashes ? "--working-size" : "working_size",
      dashes ? "--rotation any where images are rotated, " : "",
      dashes ? "--backbone" : "backbone");
}

}  // namespace

double region_share(const PredictionSet& set, const vision::Frame& frame) {
  double area = 0;
  for (const Label patch : set) {
    const vision::Bounds bounds = frame.patch_bounds(patch);
    area += (bounds.right - bounds.left) * (bounds.bottom - bounds.top);
  }
  return area / (static_cast<double>(frame.width) * static_cast<double>(frame.height));
}

std::optional<std::string> large_regions_text(const RegionSize& size, OptionNames names) {
  if (!(size.share > large_region_share)) return std::nullopt;
  return fmt::format("regions cover {} of the image on average; {}", percent(size.share),
                     advice(size, names));
}

}  // namespace caos
