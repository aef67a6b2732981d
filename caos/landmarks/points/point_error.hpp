#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caos/backbone.hpp"
#include "caos/landmarks/points/point_units.hpp"
#include "caos/scores.hpp"

namespace caos {

/// Where a point comes from.
enum class PointSource {
  proposal,       ///< what CAOS proposes
  nearest_image,  ///< the point of the most similar labeled image (`PointBaselines`)
  mean_position,  ///< the mean of the labeled points
};

/// `nearest image`.
[[nodiscard]] std::string_view point_source_name(PointSource source);
/// For names of fields: `nearest_image`.
[[nodiscard]] std::string_view point_source_key(PointSource source);

/// What an error is given in.
enum class PointUnit {
  pixels,       ///< of the original image
  millimeters,  ///< of images that have a scale
  percent,      ///< of the reference distance, in images that have both landmarks
};

/// `px`, `mm` or `%`.
[[nodiscard]] std::string_view point_unit_name(PointUnit unit);

/// The points of one source in all test images of a split.
struct SourcePoints {
  PointSource source = PointSource::proposal;
  Matrix<vision::Point> points{};  ///< [test images, landmarks], in pixels of the original
  Matrix<double> errors{};         ///< distances to the true points; NaN where a landmark is absent
};

/// What the test images of one split say.
struct PointOutcomes {
  std::vector<SourcePoints> sources{};  ///< the proposal first
  std::vector<ImageUnits> units{};      ///< by test image
  std::vector<std::size_t> subjects{};  ///< by test image; empty where all differ
  /// Whether each of a subject's m test images weighs 1 / m; otherwise every image weighs 1.
  bool over_subjects = false;
};

/// Distances between predicted and true points, [images, landmarks]; NaN where the label is
/// missing.
[[nodiscard]] Matrix<double> point_distances(const Matrix<vision::Point>& predicted,
                                             const Matrix<vision::Point>& truth,
                                             const Matrix<std::int64_t>& labels);

/// A figure over the test points of all splits, and of each split.
struct PointFigure {
  double value = 0;  ///< over the points of all splits together
  /// Of one split, over test images, or subjects where they have several; only of averages.
  std::optional<double> standard_error{};
  std::vector<double> by_split{};  ///< of every split that has such a point

  [[nodiscard]] double smallest() const;
  [[nodiscard]] double largest() const;
};

/// Errors in one unit. Quantiles as in `ErrorQuantiles`.
struct PointDistances {
  std::size_t num_points = 0;  ///< in all splits
  PointFigure median{};
  PointFigure mean{};
  PointFigure q90{};  ///< the quantile at 90 %
};

/// How many points are at most a tolerance off.
struct PointShare {
  std::size_t num_points = 0;  ///< in all splits
  PointFigure share{};
};

/// The points of one source, of one landmark or of all.
struct PointErrors {
  std::vector<std::optional<PointDistances>> distances{};  ///< by unit of the summary
  std::vector<std::optional<PointShare>> within{};         ///< by tolerance of the summary
};

/// One source of points.
struct SourceErrors {
  PointSource source = PointSource::proposal;
  PointErrors all{};  ///< all landmarks together, every point counting alike
  std::vector<PointErrors> landmarks{};
  std::vector<double> percentiles{};  ///< in pixels, at 1 to 100 percent, of all points
};

/// How wrong points are, over one split or several.
struct PointSummary {
  std::vector<std::string> landmarks{};
  std::vector<PointUnit> units{};         ///< pixels first
  std::string reference{};                ///< `A-B`, of the percent
  std::vector<std::string> tolerances{};  ///< in words: `5 px`
  std::vector<SourceErrors> sources{};    ///< the proposal first; none without test points
  std::size_t num_splits = 0;
  std::size_t num_images = 0;                    ///< that have a landmark, in all splits
  std::vector<std::size_t> without_unit{};       ///< by unit: how many of these lack what it needs
  std::vector<std::size_t> without_tolerance{};  ///< by tolerance: likewise
  std::size_t num_clusters = 0;  ///< test images or subjects that standard errors are over
  bool by_subject = false;       ///< they are subjects
  bool over_subjects = false;    ///< each of a subject's m test images weighs 1 / m
};

/// Requires a split, and the same sources and landmarks in all.
[[nodiscard]] PointSummary summarize_points(const std::vector<PointOutcomes>& splits,
                                            const std::vector<std::string>& landmarks,
                                            const PointUnits& units);

}  // namespace caos
