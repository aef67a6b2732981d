#pragma once

#include <span>
#include <string>
#include <vector>

#include "apps/studio/store/records.hpp"
#include "caos/landmarks/formats/landmark_text.hpp"

namespace caos::studio {

/// A scheme with these landmarks in this order, none of them stored yet: with colors that
/// color-blind people can tell apart, and pairs of left and right guessed from names ("left eye"
/// and "right eye", "eye_l" and "eye_r").
[[nodiscard]] std::vector<SchemeLandmark> scheme_from_names(std::span<const std::string> names);

/// The scheme that landmark files use.
[[nodiscard]] std::vector<SchemeLandmark> scheme_from_files(
    std::span<const landmarks::NamedText> files, const landmarks::FileOptions& options);

}  // namespace caos::studio
