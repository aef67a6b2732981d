#include "caos/landmarks/matching/fitting_place.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace caos {
namespace {

/// References whose places are combined into one.
constexpr std::size_t num_fitting = 5;

/// Of an even number, the mean of the middle two.
double median(std::vector<double>& values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace

vision::Point median_of_fitting(std::vector<FittingPlace> places) {
  std::ranges::stable_sort(places, std::ranges::greater(), &FittingPlace::support);
  places.resize(std::min(num_fitting, places.size()));
  std::vector<double> x;
  std::vector<double> y;
  for (const FittingPlace& one : places) {
    x.push_back(one.place.x);
    y.push_back(one.place.y);
  }
  return {.x = median(x), .y = median(y)};
}

vision::Point point_of_estimate(vision::Point in_patches, const vision::PatchGrid& patches) {
  const auto side = static_cast<double>(patches.patch_size);
  return {.x = std::clamp(in_patches.x, 0.0, static_cast<double>(patches.columns)) * side,
          .y = std::clamp(in_patches.y, 0.0, static_cast<double>(patches.rows)) * side};
}

}  // namespace caos
