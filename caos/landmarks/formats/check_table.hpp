#pragma once

#include <cstddef>
#include <string>

#include "caos/landmarks/formats/image_size.hpp"
#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// What becomes of landmarks outside of their images.
enum class Outside { refuse, to_missing };

/// Checks every landmark against the size of its image, which `sizes` knows or the table says;
/// images of unknown size are passed over. Inside are 0 <= x < width and 0 <= y < height. A
/// landmark on the right or lower edge, or up to half a pixel outside, is moved inside: tools
/// disagree by that much about where pixels begin. A landmark outside is an Error bad_format that
/// names `file`, image and landmark, or becomes missing. A table that says another size than
/// `sizes` is about other images: bad_format too. Returns how many landmarks became missing.
std::size_t check_inside(LandmarkTable& table, const ImageSizes& sizes, const std::string& file,
                         Outside outside);

}  // namespace caos::landmarks
