#pragma once

#include <cstddef>
#include <string>

#include "caos/calibration.hpp"

namespace caos {

/// A calibration with the scores that it came from, so that examples can join and leave later
/// (growing.hpp).
struct SavedCalibration {
  Calibration calibration;
  OwnScores own;
  std::size_t num_labels = 0;  ///< K; 0 where it is not known
};

/// Writes a calibration to a `.caos` file, as `caos calibrate` does: whole or not at all, replacing
/// an older file. Throws `not_found` for a missing directory and `backend` for failures of the
/// system.
void save_calibration(const std::string& path, const SavedCalibration& saved);

/// Reads such a file and verifies its checksum. Throws `bad_format` unless it is an unaltered
/// calibration of a version that this library knows.
[[nodiscard]] SavedCalibration load_calibration(const std::string& path);

}  // namespace caos
