#pragma once

#include <string>
#include <string_view>

#include "caos/landmarks/formats/image_size.hpp"
#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// Reads the points of one image from a shape file of active appearance models (ASF), as the IMM
/// face database has them. Positions are shares of the width and height, from the upper left
/// corner; `sizes` must know the image. It is the host image that the file names, or `image` where
/// it names none. Points are called 1, 2, ... by their places; negative shares are missing.
/// An unknown size is an Error invalid_input; other errors are bad_format with the line.
[[nodiscard]] LandmarkTable parse_asf(std::string_view text, const std::string& name,
                                      const std::string& image, const ImageSizes& sizes);

/// The points of the one image of the table, as one closed path. Holds positions, the name of the
/// image, and missing landmarks as -1. Needs the size of the image.
[[nodiscard]] std::string write_asf(const LandmarkTable& table);

}  // namespace caos::landmarks
