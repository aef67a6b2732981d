#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/landmark_tolerance.hpp"

namespace caos {

/// Two landmarks whose distance in the same image is 100 %.
struct ReferenceDistance {
  std::string from{};
  std::string to{};
  std::pair<std::size_t, std::size_t> ends{};  ///< the two, by index

  /// For sentences: `A-B`.
  [[nodiscard]] std::string text() const { return from + "-" + to; }
};

/// A distance at most that far off is within it.
struct PointTolerance {
  LandmarkTolerance tolerance;
  std::optional<std::pair<std::size_t, std::size_t>> ends{};  ///< for percent
};

/// What errors of points are reported in, besides pixels.
struct PointUnits {
  std::optional<ReferenceDistance> reference{};
  std::vector<PointTolerance> tolerances{};
  std::vector<std::optional<double>> millimeters{};  ///< per pixel, by image; empty: none has any
};

/// Reads `A,B`. Throws `invalid_input` unless exactly one way to read it names two different
/// landmarks; the message begins with `option`.
[[nodiscard]] ReferenceDistance parse_reference_distance(const std::string& text,
                                                         std::span<const std::string> landmarks,
                                                         const std::string& option);

/// Reads `5` or `5px`, `2mm`, `4%:A-B`, or `4%` of the reference distance. Throws `invalid_input`
/// for other texts, and for `4%` without a reference distance.
[[nodiscard]] PointTolerance parse_point_tolerance(
    const std::string& text, std::span<const std::string> landmarks,
    const std::optional<ReferenceDistance>& reference);

/// What the errors of one image are divided by and compared with; nothing where the image lacks
/// what is needed.
struct ImageUnits {
  std::optional<double> millimeters{};         ///< per pixel
  std::optional<double> reference{};           ///< the reference distance in pixels, positive
  std::vector<std::optional<double>> radii{};  ///< by tolerance, in pixels
};

/// By image. Throws `invalid_input` where a tolerance is in millimeters and no image has a scale.
[[nodiscard]] std::vector<ImageUnits> image_units(const AnnotatedImages& images,
                                                  const PointUnits& units);

}  // namespace caos
