#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// Whether a text begins as a list of points does: with columns x and y but none for the image, or
/// with two numbers, or with a name and two numbers.
[[nodiscard]] bool is_point_list(std::string_view text);

/// Reads a list of the points of one image, a line each: `x y` or `name x y`, separated by spaces,
/// tabs, semicolons or commas; or a table as `parse_csv` reads it, without a column for the image.
/// Points without a name are called 1, 2, ... by their places. Positions are those of `Landmark`.
/// `-1 -1`, `0 0` and `NA NA` are missing. The number of points may stand in the first line; lines
/// with one word after the last point are not read, and `note` is told so, as it is of `0 0` and of
/// columns that are not read. Errors are bad_format with the line.
[[nodiscard]] LandmarkTable parse_points(std::string_view text, const std::string& name,
                                         const std::string& image,
                                         const std::function<void(const std::string&)>& note = {});

/// The points of the one image of the table, as a table with the columns landmark, x, y and those
/// that it needs. Holds all that a `LandmarkTable` says but the name of the image.
[[nodiscard]] std::string write_points(const LandmarkTable& table);

}  // namespace caos::landmarks
