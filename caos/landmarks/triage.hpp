#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/scores.hpp"

namespace caos {

// Which predictions to check first: those that conform least. The order is a heuristic without a
// guarantee; docs/project/theory.md says how it was chosen and how well it finds large errors.

/// What every output says of an empty region.
inline constexpr std::string_view nothing_conforms = "no location conforms: check this one";

/// How well the most conforming location of one landmark conforms.
struct LandmarkConformity {
  std::size_t set_size = 0;         ///< patches in the region; 0: no location conforms
  double p_value = 1;               ///< the proposal's, a measure of conformity
  double score_over_threshold = 0;  ///< the proposal's, from `score_over_threshold`

  [[nodiscard]] bool is_empty() const { return set_size == 0; }
};

/// score / threshold, extended so that it never decreases in the score and is at most 1 exactly
/// where the score conforms: where the threshold is not positive it is 1 if the score is at most
/// the threshold, else +infinity. A score of +infinity gives +infinity; with a threshold of
/// +infinity every other score gives 0. Neither argument may be NaN.
[[nodiscard]] double score_over_threshold(Score score, Score threshold);

/// What review needs of a prediction.
[[nodiscard]] LandmarkConformity conformity_of(const LandmarkPrediction& prediction);

/// Whether `a` should be checked before `b`: empty regions first, then smaller p-values, then
/// larger scores over the threshold, then larger regions. A strict weak order.
[[nodiscard]] bool conforms_less(const LandmarkConformity& a, const LandmarkConformity& b);

/// Positions of an image's landmarks, least conforming first; ties in the order given.
[[nodiscard]] std::vector<std::size_t> review_order(std::span<const LandmarkConformity> landmarks);

/// How well an image conforms: its landmarks together.
struct ImageConformity {
  std::size_t num_landmarks = 0;
  std::size_t num_empty = 0;  ///< landmarks without a conforming location
  double mean_p_value = 1;
  double mean_score_over_threshold = 0;
  double mean_set_size = 0;
  std::optional<double> shape_deviation{};  ///< of its proposed points (`LabeledShapes`)

  [[nodiscard]] double share_empty() const;
  /// How unlike the labeled images it is: the square of the mean score over the threshold, times
  /// the shape deviation where that is known.
  [[nodiscard]] double strangeness() const;
};

/// Requires landmarks, in an order that is the same for all images.
[[nodiscard]] ImageConformity conformity_of(std::span<const LandmarkConformity> landmarks,
                                            std::optional<double> shape_deviation = {});
[[nodiscard]] ImageConformity conformity_of(std::span<const LandmarkPrediction> landmarks,
                                            std::optional<double> shape_deviation = {});

/// Whether image `a` should be checked before `b`: the larger `strangeness` first, then the larger
/// share of empty regions, then the smaller mean p-value, then larger regions. A strict weak order.
[[nodiscard]] bool conforms_less(const ImageConformity& a, const ImageConformity& b);

/// Positions of images, least conforming first; ties in the order given.
[[nodiscard]] std::vector<std::size_t> review_order(std::span<const ImageConformity> images);

}  // namespace caos
