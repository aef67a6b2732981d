#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// Reads a table with the columns image, landmark, x and y, and where they are there visible (1 or
/// 0), subject, scale, width, height, source and conformity, in any order. The usual other names of
/// the first four are known too (`csv_columns.hpp`), and `note` is told of columns that are not
/// read. Commas, semicolons or tabs separate fields.
/// Positions are those of `Landmark`: (0.5, 0.5) is the center of the upper left pixel. Empty x and
/// y, or NA: missing. An empty landmark too: an image without landmarks. Without a column for them,
/// landmarks are called 1, 2, ... in each image. What is said of an image must be the same in all
/// its rows, or empty. Anything else is an Error bad_format with file and line.
/// If `image` is not empty, the file is about that image and has no column for it.
[[nodiscard]] LandmarkTable parse_csv(std::string_view text, const std::string& name,
                                      const std::function<void(const std::string&)>& note = {},
                                      const std::string& image = "");

/// The table with the columns that it needs: holds all that a `LandmarkTable` says.
[[nodiscard]] std::string write_csv(const LandmarkTable& table);

/// The same of the one image of the table, without a column for it.
[[nodiscard]] std::string write_csv_of_image(const LandmarkTable& table);

}  // namespace caos::landmarks
