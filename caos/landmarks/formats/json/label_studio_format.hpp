#pragma once

#include <string>
#include <string_view>

#include "caos/landmarks/formats/instances.hpp"
#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// Reads the keypoints of a Label Studio export (JSON, not JSON-MIN), one annotation per task.
/// Positions are percentages of the image's width and height from its upper left corner, so a
/// `Landmark` is percentage * original_width / 100, without halves of pixels. Images turned within
/// Label Studio are refused. The image is the file that `data.image` leads to: the path in it, or
/// what Label Studio's own addresses and URLs end in, without the eight characters put before
/// uploads. `data` may also hold subject, mm_per_pixel, width and height. Keypoints that are
/// related to rectangles belong to these instances, of which `options` choose one; others belong to
/// the image. Other regions, skipped annotations and predictions that the writer below did not
/// write are not looked at. Errors are bad_format with the path of the element.
[[nodiscard]] LandmarkTable parse_label_studio(std::string_view text, const std::string& name,
                                               const InstanceOptions& options = {});

/// Tasks that Label Studio imports, each with an annotation, or with a prediction where the
/// landmarks are proposals. Holds names, subjects, scales, sizes and conformity; missing landmarks
/// are left out. An image of unknown size is an Error invalid_input.
[[nodiscard]] std::string write_label_studio(const LandmarkTable& table);

}  // namespace caos::landmarks
