#include "apps/cli/landmarks/prediction/landmark_prediction_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "caos/landmarks/large_regions.hpp"

namespace caos::cli {
namespace {

/// More names than this do not help.
constexpr std::size_t most_named = 5;

Indices order_of(const PredictionSummary& summary) {
  return caos::review_order(std::span<const ImageConformity>(summary.conformities));
}

std::string description(const std::string& image, const ImageConformity& conformity) {
  const std::string empty =
      conformity.num_empty == 0
          ? ""
          : fmt::format("; {} of {} regions empty", conformity.num_empty, conformity.num_landmarks);
  const std::string shape =
      conformity.shape_deviation
          ? fmt::format("; shape off by {:.2f} patches", *conformity.shape_deviation)
          : "";
  return fmt::format("{} (score over threshold {:.2f} on average{}{})", image,
                     conformity.mean_score_over_threshold, shape, empty);
}

std::string area_text(const PredictionSummary& summary) {
  const std::string pixels = fmt::format("{:.4g} px²", summary.mean_area());
  const auto millimeters = summary.mean_area_mm2();
  return millimeters ? fmt::format("{} or {:.4g} mm²", pixels, *millimeters) : pixels;
}

}  // namespace

PredictionSummary::PredictionSummary(std::string out, std::vector<std::string> names,
                                     EmbeddingRecord how)
    : file(std::move(out)),
      landmarks(std::move(names)),
      embedding(std::move(how)),
      total_size(landmarks.size()) {}

ImageSummary::ImageSummary(const ImagePrediction& prediction, const LabeledShapes& shapes)
    : image(prediction.image) {
  const std::span<const LandmarkPrediction> landmarks(prediction.landmarks);
  const Shape shape = shapes.shape_of(landmarks, prediction.frame.grid.columns);
  conformity = conformity_of(landmarks, shapes.deviation(shape));
  double total_share = 0;
  for (const LandmarkPrediction& one : prediction.landmarks) {
    set_sizes.push_back(one.set.size());
    total_share += caos::region_share(one.set, prediction.frame);
    region_area += predictions::area_of(one, prediction.frame);
  }
  const auto count = static_cast<double>(prediction.landmarks.size());
  region_share = total_share / count;
  region_area /= count;
  if (prediction.scale) region_area_mm2 = region_area * *prediction.scale * *prediction.scale;
}

void PredictionSummary::add(const ImageSummary& image) {
  double total = 0;
  for (std::size_t t = 0; t < image.set_sizes.size(); ++t) {
    total_size[t] += static_cast<double>(image.set_sizes[t]);
    total += static_cast<double>(image.set_sizes[t]);
  }
  total_share += image.region_share;
  total_area += image.region_area;
  total_area_mm2 = total_area_mm2 && image.region_area_mm2
                       ? std::optional(*total_area_mm2 + *image.region_area_mm2)
                       : std::nullopt;
  ++num_images;
  images.push_back(image.image);
  conformities.push_back(image.conformity);
  const double mean = total / static_cast<double>(image.set_sizes.size());
  if (mean <= largest_mean) return;
  largest_mean = mean;
  largest_image = image.image;
}

double PredictionSummary::mean_size(std::size_t landmark) const {
  return total_size[landmark] / static_cast<double>(num_images);
}

double PredictionSummary::mean_size() const {
  double total = 0;
  for (std::size_t t = 0; t < landmarks.size(); ++t) total += mean_size(t);
  return total / static_cast<double>(landmarks.size());
}

double PredictionSummary::mean_share() const {
  return total_share / static_cast<double>(num_images);
}

double PredictionSummary::mean_area() const { return total_area / static_cast<double>(num_images); }

std::optional<double> PredictionSummary::mean_area_mm2() const {
  if (!total_area_mm2) return std::nullopt;
  return *total_area_mm2 / static_cast<double>(num_images);
}

std::optional<std::string> PredictionSummary::large_warning() const {
  if (!feasible) return std::nullopt;
  return large_regions_text({.share = mean_share(), .patches = mean_size()});
}

std::vector<std::string> PredictionSummary::review_order() const {
  std::vector<std::string> names;
  for (const std::size_t i : order_of(*this)) names.push_back(images[i]);
  return names;
}

std::optional<std::string> PredictionSummary::empty_warning() const {
  std::size_t regions = 0;
  std::vector<std::string> names;
  for (const std::size_t i : order_of(*this)) {
    regions += conformities[i].num_empty;
    if (conformities[i].num_empty > 0) names.push_back(images[i]);
  }
  if (names.empty()) return std::nullopt;
  const std::size_t count = names.size();
  names.resize(std::min(count, most_named));
  return fmt::format("{} empty region{} in {} image{} ({}{}): {}", regions, regions == 1 ? "" : "s",
                     count, count == 1 ? "" : "s", fmt::join(names, ", "),
                     count > names.size() ? ", ..." : "", nothing_conforms);
}

Json to_json(const PredictionSummary& summary) {
  Json landmarks = Json::array();
  for (std::size_t t = 0; t < summary.landmarks.size(); ++t) {
    landmarks.push_back(
        {{"landmark", summary.landmarks[t]}, {"mean_set_size", summary.mean_size(t)}});
  }
  const auto large = summary.large_warning();
  return {{"file", summary.file},
          {"num_images", summary.num_images},
          {"num_failed", summary.num_failed},
          {"guarantee", summary.guarantee},
          {"working_size", summary.embedding.working_size},
          {"precision", precision_name(summary.embedding.precision)},
          {"cell", summary.embedding.cell ? Json(*summary.embedding.cell) : Json(nullptr)},
          {"mean_set_size", summary.mean_size()},
          {"mean_region_share", summary.mean_share()},
          {"mean_region_area", summary.mean_area()},
          {"mean_region_area_mm2", json_number(summary.mean_area_mm2())},
          {"large_regions", large ? Json(*large) : Json(nullptr)},
          {"largest", summary.largest_image},
          {"landmarks", std::move(landmarks)},
          {"review_order", summary.review_order()}};
}

std::string to_text(const PredictionSummary& summary) {
  const std::string failed =
      summary.num_failed == 0
          ? ""
          : fmt::format("; images that could not be used: {}", summary.num_failed);
  std::string first;
  for (const std::size_t i : order_of(summary) | std::views::take(most_named)) {
    first += fmt::format("  {}\n", description(summary.images[i], summary.conformities[i]));
  }
  return fmt::format(
      "{}: {} images, {} landmarks, sets of {:.2f} {} ({:.2f} % of the image, {}) on average{}\n"
      "Check first (least conforming first; an order, not a guarantee):\n{}Embeddings: {}.\n"
      "Guarantee: {}.\n",
      summary.file, summary.num_images, summary.landmarks.size(), summary.mean_size(),
      labels_text(summary.embedding), 100 * summary.mean_share(), area_text(summary), failed, first,
      size_and_precision(summary.embedding), summary.guarantee);
}

}  // namespace caos::cli
