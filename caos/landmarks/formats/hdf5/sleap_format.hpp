#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "caos/landmarks/formats/instances.hpp"
#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// An image that a file of landmarks holds within it.
struct EmbeddedImage {
  std::string name;   ///< as the table calls it
  std::string bytes;  ///< of a PNG or JPEG file
};

/// Reads the labeled frames of a SLEAP file (.slp, .pkg.slp). Frames must be image files that the
/// file lists, or images that it holds, which are called `video0_000012.png`; a labeled frame of
/// another video is refused by its name. Instances that a person placed count; predicted ones only
/// in frames that have no other, and `note` is told. Instances are called by their track, or 1, 2,
/// ... SLEAP's (0, 0) is the center of the first pixel since its format 1.1, so 0.5 is added, and
/// before that its corner. Errors are bad_format.
[[nodiscard]] LandmarkTable parse_sleap(std::string_view bytes, const std::string& name,
                                        const InstanceOptions& options = {},
                                        const std::function<void(const std::string&)>& note = {});

/// The images that the file holds, of its labeled frames.
[[nodiscard]] std::vector<EmbeddedImage> embedded_images(std::string_view bytes,
                                                         const std::string& name);

/// A SLEAP file with the images as one list of image files, an instance per image; proposals are
/// predicted instances with their conformity as score. Holds names, hidden and missing landmarks,
/// and conformity.
[[nodiscard]] std::string write_sleap(const LandmarkTable& table);

}  // namespace caos::landmarks
