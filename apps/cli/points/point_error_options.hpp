#pragma once

#include <string>
#include <vector>

#include "apps/cli/options.hpp"
#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/points/point_units.hpp"

namespace caos::cli {

/// What errors of points are reported in, as texts from the command line.
struct PointErrorOptions {
  std::string scale;   ///< of all images
  std::string scales;  ///< a landmark file
  std::string normalize_by;
  std::vector<std::string> tolerances;
  std::string refine = "pixels";  ///< how points are proposed
};

void add_point_error_options(Command& command, PointErrorOptions& options);

/// Throws `invalid_input` for what can be found wrong before a file is opened. Without images none
/// of the options may be given.
void check(const PointErrorOptions& options, bool has_images);

/// Throws `invalid_input` for unknown landmarks. Scales that are not given are those of the
/// landmark file.
[[nodiscard]] PointUnits point_units(const PointErrorOptions& options,
                                     const AnnotatedImages& images);

}  // namespace caos::cli
