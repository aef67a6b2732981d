#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "caos/backbone.hpp"

namespace caos {

/// How far a proposed point may be from the true one.
class LandmarkTolerance {
 public:
  enum class Unit {
    pixels,       ///< of the original image
    millimeters,  ///< needs the scale of each image
    percent,      ///< of the distance between two landmarks of the same image
  };

  /// Reads `5px`, `2mm` or `4%:A-B`, where A and B are names of landmarks.
  /// Throws `invalid_input` unless the number is positive and finite.
  [[nodiscard]] static LandmarkTolerance parse(std::string_view text);
  [[nodiscard]] static LandmarkTolerance pixels(double value);

  [[nodiscard]] Unit unit() const { return unit_; }
  [[nodiscard]] double value() const { return value_; }

  /// As it can be read again: `5px`.
  [[nodiscard]] std::string text() const;
  /// For sentences: `5 px`, `4 % of the distance A-B`.
  [[nodiscard]] std::string words() const;

  /// The two landmarks whose distance is 100 %, by index. Requires the unit percent; throws
  /// `invalid_input` unless exactly one way to read `A-B` names two different landmarks.
  [[nodiscard]] std::pair<std::size_t, std::size_t> ends(
      std::span<const std::string> landmarks) const;

 private:
  LandmarkTolerance(double value, Unit unit, std::string between)
      : value_(value), unit_(unit), between_(std::move(between)) {}

  double value_;
  Unit unit_;
  std::string between_;  ///< for percent: A-B
};

/// The true position of a labeled image's landmarks, and what they are measured with.
struct TrueLandmarks {
  std::span<const vision::Point> points;   ///< in pixels of the original
  std::span<const std::int64_t> labels;    ///< `missing_label` where a landmark is absent
  std::optional<double> millimeters = {};  ///< per pixel
};

/// The tolerance in pixels of one labeled image; nothing where it cannot be measured, because a
/// landmark that the distance needs is absent. `ends` are those of a tolerance in percent.
/// Requires the scale for a tolerance in millimeters.
[[nodiscard]] std::optional<double> tolerance_in_pixels(
    const LandmarkTolerance& tolerance, const TrueLandmarks& truth,
    const std::optional<std::pair<std::size_t, std::size_t>>& ends);

}  // namespace caos
