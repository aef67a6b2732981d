#include "caos/landmarks/points/point_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "caos/error.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"

namespace caos {
namespace {

using Ends = std::pair<std::size_t, std::size_t>;
using Unit = LandmarkTolerance::Unit;

std::size_t index_of(const std::string& name, std::span<const std::string> landmarks) {
  return static_cast<std::size_t>(std::ranges::find(landmarks, name) - landmarks.begin());
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.eE+-") == std::string::npos;
}

TrueLandmarks truth_of(const AnnotatedImages& images, std::size_t i,
                       const std::optional<double>& millimeters) {
  return {.points = images.points.row(i),
          .labels = images.patches.labels.row(i),
          .millimeters = millimeters};
}

std::optional<double> distance_between(const Ends& ends, const TrueLandmarks& truth) {
  const auto [from, to] = ends;
  if (truth.labels[from] == missing_label || truth.labels[to] == missing_label) return std::nullopt;
  const double distance = std::hypot(truth.points[from].x - truth.points[to].x,
                                     truth.points[from].y - truth.points[to].y);
  return distance > 0 ? std::optional(distance) : std::nullopt;
}

std::optional<double> radius_of(const PointTolerance& tolerance, const TrueLandmarks& truth) {
  const bool needs_scale = tolerance.tolerance.unit() == Unit::millimeters;
  if (needs_scale && !truth.millimeters) return std::nullopt;
  const auto radius = tolerance_in_pixels(tolerance.tolerance, truth, tolerance.ends);
  return radius && *radius > 0 ? radius : std::nullopt;
}

void check_scales(const PointUnits& units) {
  const bool any =
      std::ranges::any_of(units.millimeters, [](const auto& scale) { return scale.has_value(); });
  for (const PointTolerance& tolerance : units.tolerances) {
    require(any || tolerance.tolerance.unit() != Unit::millimeters, ErrorKind::invalid_input, [&] {
      return fmt::format("tolerance {}: no image has a scale; give millimeters per pixel",
                         tolerance.tolerance.text());
    });
  }
}

}  // namespace

ReferenceDistance parse_reference_distance(const std::string& text,
                                           std::span<const std::string> landmarks,
                                           const std::string& option) {
  // Names may contain the comma themselves.
  std::vector<ReferenceDistance> readings;
  for (std::size_t comma = 0; comma < text.size(); ++comma) {
    if (text[comma] != ',') continue;
    const std::string from = text.substr(0, comma);
    const std::string to = text.substr(comma + 1);
    const Ends ends(index_of(from, landmarks), index_of(to, landmarks));
    if (std::max(ends.first, ends.second) < landmarks.size() && ends.first != ends.second) {
      readings.push_back({.from = from, .to = to, .ends = ends});
    }
  }
  require(readings.size() == 1, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{}: '{}' {}; give two names with a comma between them, such as '{},{}'", option, text,
        readings.empty() ? "does not name two different landmarks of the file"
                         : "can be read in more than one way",
        landmarks.empty() ? "A" : landmarks.front(), landmarks.empty() ? "B" : landmarks.back());
  });
  return readings[0];
}

PointTolerance parse_point_tolerance(const std::string& text,
                                     std::span<const std::string> landmarks,
                                     const std::optional<ReferenceDistance>& reference) {
  if (is_number(text)) return {.tolerance = LandmarkTolerance::parse(text + "px")};
  if (text.ends_with('%') && is_number(text.substr(0, text.size() - 1))) {
    require(reference.has_value(), ErrorKind::invalid_input, [&] {
      return fmt::format("tolerance '{}': percent of what? Name two landmarks, as in {}:A-B", text,
                         text);
    });
    return {.tolerance = LandmarkTolerance::parse(text + ":" + reference->text()),
            .ends = reference->ends};
  }
  PointTolerance result{.tolerance = LandmarkTolerance::parse(text)};
  if (result.tolerance.unit() == Unit::percent) result.ends = result.tolerance.ends(landmarks);
  return result;
}

std::vector<ImageUnits> image_units(const AnnotatedImages& images, const PointUnits& units) {
  check_scales(units);
  std::vector<ImageUnits> result;
  for (std::size_t i = 0; i < images.points.rows(); ++i) {
    ImageUnits of_image;
    if (!units.millimeters.empty()) of_image.millimeters = units.millimeters[i];
    const TrueLandmarks truth = truth_of(images, i, of_image.millimeters);
    if (units.reference) of_image.reference = distance_between(units.reference->ends, truth);
    for (const PointTolerance& tolerance : units.tolerances) {
      of_image.radii.push_back(radius_of(tolerance, truth));
    }
    result.push_back(std::move(of_image));
  }
  return result;
}

}  // namespace caos
