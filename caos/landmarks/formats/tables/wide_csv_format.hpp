#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "caos/landmarks/formats/image_size.hpp"
#include "caos/landmarks/formats/landmark_table.hpp"
#include "caos/landmarks/formats/tps_format.hpp"

namespace caos::landmarks {

/// Whether the first line names columns as `X1,Y1` or `nose_x,nose_y`, two for each landmark.
[[nodiscard]] bool is_wide_csv(std::string_view text);

/// Reads a table with a row per image and two columns per landmark: `id,X1,Y1,X2,Y2,...`,
/// `nose_x,nose_y`, or as R's `write.csv(geomorph::two.d.array(...))` writes it (`1.X,1.Y,...`).
/// The image is the column `image`, `id`, `file` or the like, otherwise the first that is not a
/// coordinate. The columns subject, scale, width and height are those of `csv`; `note` is told of
/// others, which are not read. y counts as `y` says; from the bottom, `sizes` must
/// know the image. Empty and NA are missing. Errors are bad_format with file and line.
[[nodiscard]] LandmarkTable parse_wide_csv(
    std::string_view text, const std::string& name, TpsY y = TpsY::top,
    const ImageSizes& sizes = {}, const std::function<void(const std::string&)>& note = {});

/// One row per image, y from the top. Holds names, missing landmarks, subjects, scales and sizes.
[[nodiscard]] std::string write_wide_csv(const LandmarkTable& table);

}  // namespace caos::landmarks
