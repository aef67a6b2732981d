#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/studio/store/records.hpp"

namespace caos::studio {

/// A length or an angle between landmarks that a project defines.
struct Measure {
  enum class Kind {
    distance,  ///< of two landmarks
    angle,     ///< at the second of three landmarks, or between the lines ab and cd of four
  };

  std::string name{};
  Kind kind = Kind::distance;
  std::vector<Id> landmarks{};

  friend bool operator==(const Measure&, const Measure&) = default;
};

/// All that a project measures, and the lines that it draws between landmarks.
struct Measures {
  std::int64_t revision = 0;
  std::vector<Measure> measures{};
  std::vector<std::pair<Id, Id>> skeleton{};

  friend bool operator==(const Measures&, const Measures&) = default;
};

/// `distance` or `angle`; other texts are an Error invalid_input.
[[nodiscard]] std::string name_of(Measure::Kind kind);
[[nodiscard]] Measure::Kind parse_measure_kind(const std::string& text);

/// Throws `invalid_input` unless names differ and every landmark is one of `landmarks`.
void check_measures(const Measures& measures, const std::vector<Id>& landmarks);

/// The value in one image: pixels, or degrees from 0 to 180. Nothing where a landmark that it needs
/// is missing, or where a line has no length.
[[nodiscard]] std::optional<double> value_of(const Measure& measure,
                                             const std::vector<Point>& points);

}  // namespace caos::studio
