#pragma once

#include <string>
#include <vector>

#include "caos/landmarks/formats/dlib_format.hpp"
#include "caos/landmarks/formats/landmark_format.hpp"
#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// What of this table a file of this format cannot hold, one sentence each. Empty: reading the file
/// gives the table back, but for landmarks that become missing where they were not mentioned.
[[nodiscard]] std::vector<std::string> losses(const LandmarkTable& table, Format format,
                                              const DlibOptions& dlib = {});

}  // namespace caos::landmarks
