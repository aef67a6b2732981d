#pragma once

#include <string>
#include <string_view>

#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// Reads a table with the columns image, landmark, x and y, and where they are there visible (1 or
/// 0), subject, scale, width and height, in any order.
/// Positions are those of `Landmark`: (0.5, 0.5) is the centre of the upper left pixel. Empty x and
/// y: missing. An empty landmark too: an image without landmarks. What is said of an image must be
/// the same in all its rows, or empty. Anything else is an Error bad_format with file and line.
[[nodiscard]] LandmarkTable parse_csv(std::string_view text, const std::string& name);

/// The table with the columns that it needs: holds all that a `LandmarkTable` says.
[[nodiscard]] std::string write_csv(const LandmarkTable& table);

}  // namespace caos::landmarks
