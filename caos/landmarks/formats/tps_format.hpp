#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "caos/landmarks/formats/image_size.hpp"
#include "caos/landmarks/formats/instances.hpp"
#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// Where y is 0: tpsDig, whose format TPS is, counts from the bottom edge of the image upwards,
/// some scripts that write TPS files count from the top edge downwards. The file does not tell.
enum class TpsY { top, bottom };

/// What becomes of the points of CURVES= and OUTLINES=, which are no landmarks.
enum class TpsCurves {
  refuse,
  skip,       ///< `note` is told of them
  landmarks,  ///< the second point of the first curve is the landmark `curve1.2`
};

struct TpsOptions {
  std::optional<TpsY> y{};  ///< bottom where not given, which a reader says
  TpsCurves curves = TpsCurves::skip;
};

/// Reads the specimens of a TPS file; landmarks are called 1, 2, ... by their places.
/// x is that of `Landmark`, y too with `TpsY::top`, and with `TpsY::bottom` it is height - y.
/// `-1 -1`, as tpsDig writes it, `0 0` and `NA NA` are missing landmarks; `note` is told of `0 0`,
/// of curves that are left out, and of where y was taken to begin if `options` do not say.
/// LM=-1 is LM=0. SCALE= is the scale where it is positive. The image is IMAGE=, or ID= without it;
/// other keys are not looked at. Of several specimens of one image, which are called by their ID=,
/// `instances` choose.
/// Heights come from `sizes`. An unknown one is an Error invalid_input; other errors are bad_format
/// with file and line.
[[nodiscard]] LandmarkTable parse_tps(std::string_view text, const std::string& name,
                                      const TpsOptions& options, const ImageSizes& sizes = {},
                                      const InstanceOptions& instances = {},
                                      const std::function<void(const std::string&)>& note = {});

/// One specimen per image with all landmarks of the table in one order and ID= counting from 0.
/// Holds positions, missing landmarks and scales. Heights come from the table or else from `sizes`.
[[nodiscard]] std::string write_tps(const LandmarkTable& table, const TpsOptions& options,
                                    const ImageSizes& sizes = {});

}  // namespace caos::landmarks
