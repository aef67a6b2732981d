#pragma once

#include <string>
#include <string_view>

#include "caos/landmarks/formats/instances.hpp"
#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

struct DlibOptions {
  /// Writes fractions of pixels. dlib's own reader refuses them, so the pixel that holds the
  /// landmark is written without.
  bool fractions = false;
};

/// Reads the parts of dlib's imglab files. Boxes with parts are called 1, 2, ... in each image.
/// dlib's parts are pixels counted from 0, meant are their centers: x='0' is 0.5 as a `Landmark`.
/// So 0.5 is added, to fractions too. Boxes without parts, labels and attributes of boxes are not
/// looked at; of several boxes with parts, `options` choose. Errors are bad_format, with the line.
[[nodiscard]] LandmarkTable parse_dlib(std::string_view text, const std::string& name,
                                       const InstanceOptions& options = {});

/// One box around the parts per image. Holds names and sizes; missing landmarks are left out.
[[nodiscard]] std::string write_dlib(const LandmarkTable& table, const DlibOptions& options = {});

}  // namespace caos::landmarks
