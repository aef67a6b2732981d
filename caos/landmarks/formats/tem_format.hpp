#pragma once

#include <string>
#include <string_view>

#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// Reads the points of one image from a template of WebMorph or Psychomorph: their number, a line x
/// and y for each, from the upper left corner of the image; they are called 1, 2, ... Lines between
/// points, which follow, are not read. `-1 -1`, `0 0` and `NA NA` are read as missing, which is
/// this library's own habit. Errors are bad_format with the line.
[[nodiscard]] LandmarkTable parse_tem(std::string_view text, const std::string& name,
                                      const std::string& image);

/// The points of the one image of the table, without lines between them. Holds positions, and
/// missing landmarks as `-1 -1`.
[[nodiscard]] std::string write_tem(const LandmarkTable& table);

}  // namespace caos::landmarks
