#pragma once

#include <string>

#include "caos/landmarks/points/point_error.hpp"

namespace caos {

/// An error with three digits.
[[nodiscard]] std::string point_error_text(double error);

/// The unit of errors as a table has it: `% of A-B`.
[[nodiscard]] std::string unit_text(const PointSummary& summary, std::size_t unit);

/// What the figures of a summary are over, and what baselines are, in sentences.
[[nodiscard]] std::vector<std::string> point_notes(const PointSummary& summary);

/// Tables of all landmarks together and of single ones, and the notes. Empty without test points.
[[nodiscard]] std::string text_of(const PointSummary& summary);

}  // namespace caos
