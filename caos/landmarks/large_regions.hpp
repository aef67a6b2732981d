#pragma once

#include <optional>
#include <string>

#include "caos/scores.hpp"
#include "caos/vision/working_size.hpp"

namespace caos {

/// How large regions are on average.
struct RegionSize {
  double share = 0;    ///< of the image, from 0 to 1
  double patches = 0;  ///< in a region, or cells
};

/// Regions above this share of the image are large.
inline constexpr double large_region_share = 0.05;

/// How much of the image a set of patches covers, from 0 to 1, by area. Padding does not count.
[[nodiscard]] double region_share(const PredictionSet& set, const vision::Frame& frame);

/// What options are called: `--working-size`, or `working_size`.
enum class OptionNames { command_line, arguments };

/// What to try where regions are large; nothing where they are not.
[[nodiscard]] std::optional<std::string> large_regions_text(
    const RegionSize& size, OptionNames names = OptionNames::command_line);

}  // namespace caos
