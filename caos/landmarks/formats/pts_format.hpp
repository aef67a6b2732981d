#pragma once

#include <string>
#include <string_view>

#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// Reads the points of one image from a PTS file, as iBUG gives them for 300-W; they are called 1,
/// 2, ... by their places.
/// PTS counts as Matlab does: (1, 1) is the center of the upper left pixel, which is (0.5, 0.5) as
/// a `Landmark`. So 0.5 is taken off. `-1 -1`, `0 0` and `NA NA` are read as missing, which is this
/// library's own habit: PTS has no word for it. `name` is what errors, bad_format with the line,
/// call the file.
[[nodiscard]] LandmarkTable parse_pts(std::string_view text, const std::string& name,
                                      const std::string& image);

/// The points of the one image of the table. Holds positions, and missing landmarks as `-1 -1`.
[[nodiscard]] std::string write_pts(const LandmarkTable& table);

}  // namespace caos::landmarks
