#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "caos/landmarks/formats/instances.hpp"
#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// Reads the keypoints of a COCO file: visibility 2 (visible), 1 (hidden) or 0 (missing). A file
/// that has no 2 tells marked from missing only: then 1 is visible, and `note` is told so.
/// Keypoints that their category does not name are called keypoint_1, ...
/// COCO's keypoints are pixels counted from 0, meant are their centers: COCO's (0, 0) is (0.5, 0.5)
/// as a `Landmark`. So 0.5 is added. Boxes and objects without a marked keypoint are not looked at;
/// of two objects with keypoints in one image, `options` choose. Errors are bad_format, with the
/// path of the element.
[[nodiscard]] LandmarkTable parse_coco(std::string_view text, const std::string& name,
                                       const InstanceOptions& options = {},
                                       const std::function<void(const std::string&)>& note = {});

/// One category with all landmarks of the table, and one object with a box around its keypoints per
/// image. Holds names, hidden and missing landmarks, sizes, and of proposals their conformity.
[[nodiscard]] std::string write_coco(const LandmarkTable& table);

}  // namespace caos::landmarks
