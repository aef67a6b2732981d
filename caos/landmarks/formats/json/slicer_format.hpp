#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// Which way patients count: LPS to the left, posterior and superior, RAS to the right, anterior
/// and superior. x and y of one are minus those of the other.
enum class PatientAxes { lps, ras };

/// Reads the points of one image from a .mrk.json file of 3D Slicer.
/// Slicer gives an image that it opens the LPS position (0, 0) at the center of the upper left
/// pixel, x to the right and y downwards, in millimeters. So a `Landmark` is x / scale + 0.5, with
/// `scale` in millimeters per pixel; without one, a pixel is a millimeter, as for an image that
/// does not tell. Files in RAS are turned. z is dropped, but must be the same for all points.
/// Points whose position is not "defined" are missing, those that are not shown are hidden. Errors
/// are bad_format with the path of the element.
[[nodiscard]] LandmarkTable parse_slicer(std::string_view text, const std::string& name,
                                         const std::string& image,
                                         std::optional<double> scale = std::nullopt);

/// The points of the one image of the table as a list of fiducials, in millimeters where the scale
/// is known. Holds names, hidden and missing landmarks.
[[nodiscard]] std::string write_slicer(const LandmarkTable& table,
                                       PatientAxes axes = PatientAxes::lps);

}  // namespace caos::landmarks
