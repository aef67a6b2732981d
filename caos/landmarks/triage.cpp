#include "caos/landmarks/triage.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace caos {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <typename Conformity>
std::vector<std::size_t> least_conforming_first(std::span<const Conformity> items) {
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, [&](std::size_t i, std::size_t j) { return conforms_less(items[i], items[j]); });
  return order;
}

/// Smaller keys are checked first.
auto key_of(const LandmarkConformity& one) {
  return std::tuple(!one.is_empty(), one.p_value, -one.score_over_threshold,
                    -static_cast<double>(one.set_size));
}

auto key_of(const ImageConformity& image) {
  return std::tuple(-image.strangeness(), -image.share_empty(), image.mean_p_value,
                    -image.mean_set_size);
}

}  // namespace

double score_over_threshold(Score score, Score threshold) {
  if (score == infinity) return infinity;
  if (threshold > 0) return score / threshold;
  return score <= threshold ? 1 : infinity;
}

LandmarkConformity conformity_of(const LandmarkPrediction& prediction) {
  return {.set_size = prediction.set.size(),
          .p_value = prediction.proposal_p_value,
          .score_over_threshold = prediction.score_over_threshold.value_or(0)};
}

bool conforms_less(const LandmarkConformity& a, const LandmarkConformity& b) {
  return key_of(a) < key_of(b);
}

std::vector<std::size_t> review_order(std::span<const LandmarkConformity> landmarks) {
  return least_conforming_first(landmarks);
}

double ImageConformity::share_empty() const {
  return num_landmarks == 0 ? 0
                            : static_cast<double>(num_empty) / static_cast<double>(num_landmarks);
}

double ImageConformity::strangeness() const {
  if (mean_score_over_threshold == infinity) return infinity;  // also where the deviation is 0
  return mean_score_over_threshold * mean_score_over_threshold * shape_deviation.value_or(1);
}

ImageConformity conformity_of(std::span<const LandmarkConformity> landmarks,
                              std::optional<double> shape_deviation) {
  ImageConformity image{
      .num_landmarks = landmarks.size(), .mean_p_value = 0, .shape_deviation = shape_deviation};
  for (const LandmarkConformity& one : landmarks) {
    if (one.is_empty()) ++image.num_empty;
    image.mean_p_value += one.p_value;
    image.mean_score_over_threshold += one.score_over_threshold;
    image.mean_set_size += static_cast<double>(one.set_size);
  }
  const auto count = static_cast<double>(landmarks.size());
  image.mean_p_value /= count;
  image.mean_score_over_threshold /= count;
  image.mean_set_size /= count;
  return image;
}

ImageConformity conformity_of(std::span<const LandmarkPrediction> landmarks,
                              std::optional<double> shape_deviation) {
  std::vector<LandmarkConformity> conformities;
  for (const LandmarkPrediction& one : landmarks) conformities.push_back(conformity_of(one));
  return conformity_of(conformities, shape_deviation);
}

bool conforms_less(const ImageConformity& a, const ImageConformity& b) {
  return key_of(a) < key_of(b);
}

std::vector<std::size_t> review_order(std::span<const ImageConformity> images) {
  return least_conforming_first(images);
}

}  // namespace caos
