#pragma once

#include <string>
#include <string_view>

#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// Reads the keypoints of a COCO file: one annotated object per image, named keypoints, visibility
/// 2 (visible), 1 (hidden) or 0 (missing).
/// COCO's keypoints are pixels counted from 0, meant are their centres: COCO's (0, 0) is (0.5, 0.5)
/// as a `Landmark`. So 0.5 is added. Boxes and objects without a marked keypoint are not looked at;
/// two objects with keypoints in one image are an Error bad_format, as all others are, with the
/// path of the element.
[[nodiscard]] LandmarkTable parse_coco(std::string_view text, const std::string& name);

/// One category with all landmarks of the table, and one object with a box around its keypoints per
/// image. Holds names, hidden and missing landmarks, and sizes.
[[nodiscard]] std::string write_coco(const LandmarkTable& table);

}  // namespace caos::landmarks
