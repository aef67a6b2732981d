#include "caos/landmarks/landmark_tolerance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "caos/error.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"

namespace caos {
namespace {

[[noreturn]] void refuse(std::string_view text) {
  throw Error(ErrorKind::invalid_input,
              fmt::format("tolerance '{}': expected a positive number with its unit, such as 5px, "
                          "2mm or 4%:A-B (percent of the distance of the landmarks A and B)",
                          text));
}

}  // namespace

LandmarkTolerance LandmarkTolerance::parse(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value) || value <= 0) refuse(text);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (unit == "px") return {value, Unit::pixels, {}};
  if (unit == "mm") return {value, Unit::millimeters, {}};
  if (!unit.starts_with("%:") || unit.size() == 2) refuse(text);
  return {value, Unit::percent, std::string(unit.substr(2))};
}

LandmarkTolerance LandmarkTolerance::pixels(double value) {
  return parse(fmt::format("{}px", value));
}

std::string LandmarkTolerance::text() const {
  switch (unit_) {
    case Unit::pixels:
      return fmt::format("{}px", value_);
    case Unit::millimeters:
      return fmt::format("{}mm", value_);
    case Unit::percent:
      break;
  }
  return fmt::format("{}%:{}", value_, between_);
}

std::string LandmarkTolerance::words() const {
  switch (unit_) {
    case Unit::pixels:
      return fmt::format("{} px", value_);
    case Unit::millimeters:
      return fmt::format("{} mm", value_);
    case Unit::percent:
      break;
  }
  return fmt::format("{} % of the distance {}", value_, between_);
}

std::pair<std::size_t, std::size_t> LandmarkTolerance::ends(
    std::span<const std::string> landmarks) const {
  const auto index_of = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(landmarks, name) - landmarks.begin());
  };
  // Names may contain the dash themselves.
  std::vector<std::pair<std::size_t, std::size_t>> readings;
  for (std::size_t dash = 0; dash < between_.size(); ++dash) {
    if (between_[dash] != '-') continue;
    const std::size_t from = index_of(std::string_view(between_).substr(0, dash));
    const std::size_t to = index_of(std::string_view(between_).substr(dash + 1));
    if (from < landmarks.size() && to < landmarks.size() && from != to) {
      readings.emplace_back(from, to);
    }
  }
  require(readings.size() == 1, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "tolerance '{}': '{}' {}; give the names of two landmarks with a dash between them", text(),
        between_,
        readings.empty() ? "does not name two different landmarks of the file"
                         : "can be read in more than one way");
  });
  return readings[0];
}

std::optional<double> tolerance_in_pixels(
    const LandmarkTolerance& tolerance, const TrueLandmarks& truth,
    const std::optional<std::pair<std::size_t, std::size_t>>& ends) {
  switch (tolerance.unit()) {
    case LandmarkTolerance::Unit::pixels:
      return tolerance.value();
    case LandmarkTolerance::Unit::millimeters:
      return tolerance.value() / truth.millimeters.value();
    case LandmarkTolerance::Unit::percent:
      break;
  }
  const auto [from, to] = ends.value();
  if (truth.labels[from] == missing_label || truth.labels[to] == missing_label) return std::nullopt;
  const double distance = std::hypot(truth.points[from].x - truth.points[to].x,
                                     truth.points[from].y - truth.points[to].y);
  return tolerance.value() / 100 * distance;
}

}  // namespace caos
