#pragma once

#include <string>
#include <string_view>

#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// Reads the keypoints of a Label Studio export (JSON, not JSON-MIN), one annotation per task.
/// Positions are percentages of the image's width and height from its upper left corner, so a
/// `Landmark` is percentage * original_width / 100, without halves of pixels. Images turned within
/// Label Studio are refused. The image is the file that `data.image` leads to: the path in it, or
/// what Label Studio's own addresses and URLs end in, without the eight characters put before
/// uploads. `data` may also hold subject, mm_per_pixel, width and height. Other regions,
/// predictions and skipped annotations are not looked at. Errors are bad_format with the path of
/// the element.
[[nodiscard]] LandmarkTable parse_label_studio(std::string_view text, const std::string& name);

/// Tasks that Label Studio imports, each with an annotation. Holds names, subjects, scales and
/// sizes; missing landmarks are left out. An image of unknown size is an Error invalid_input.
[[nodiscard]] std::string write_label_studio(const LandmarkTable& table);

}  // namespace caos::landmarks
