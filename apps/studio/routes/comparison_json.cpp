#include "apps/studio/routes/comparison_json.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "apps/studio/routes/studio_json.hpp"

namespace caos::studio {
namespace {

struct Distances {
  std::vector<double> pixels{};
  std::vector<double> mm{};  // of those that have a scale

  void add(const PairOfPoints& pair) {
    pixels.push_back(pair.distance);
    if (pair.distance_mm) mm.push_back(*pair.distance_mm);
  }
};

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> mean_or_none(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(mean(values));
}

/// The smallest value that at least this share of them does not exceed.
double quantile(const std::vector<double>& sorted, double share) {
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

double median(const std::vector<double>& sorted) {
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

Json summary(Distances distances) {
  std::vector<double>& pixels = distances.pixels;
  const bool none = pixels.empty();
  std::ranges::sort(pixels);
  return {{"count", pixels.size()},
          {"mean", none ? 0 : mean(pixels)},
          {"median", none ? 0 : median(pixels)},
          {"p95", none ? 0 : quantile(pixels, 0.95)},
          {"largest", none ? 0 : pixels.back()},
          {"mean_mm", or_null(mean_or_none(distances.mm))}};
}

Json to_json(const PairOfPoints& pair) {
  return {{"image", pair.image},
          {"landmark", pair.landmark},
          {"distance", pair.distance},
          {"distance_mm", or_null(pair.distance_mm)},
          {"x1", pair.x1},
          {"y1", pair.y1},
          {"x2", pair.x2},
          {"y2", pair.y2}};
}

}  // namespace

Json comparison_json(const std::vector<PairOfPoints>& pairs) {
  Json list = Json::array();
  Distances all;
  std::map<Id, Distances> by_landmark;
  for (const PairOfPoints& pair : pairs) {
    list.push_back(to_json(pair));
    all.add(pair);
    by_landmark[pair.landmark].add(pair);
  }
  Json landmarks = Json::array();
  for (auto& [landmark, distances] : by_landmark) {
    Json one = {{"landmark", landmark}};
    one.update(summary(std::move(distances)));
    landmarks.push_back(std::move(one));
  }
  return {{"pairs", std::move(list)},
          {"summary", summary(std::move(all))},
          {"landmarks", std::move(landmarks)}};
}

}  // namespace caos::studio
