#pragma once

namespace caos {

// Versions of landmark model files. A model is written in the oldest that holds it.

/// With several calibrating images of a subject, or a pool: version 1 would not weight them.
inline constexpr int weighted_version = 2;
/// With embeddings in float16, templates, or rotated references: programs for versions 1 and 2
/// would embed new images otherwise, and propose other points.
inline constexpr int pixel_version = 3;
/// With cells: programs for earlier versions would take them for patches.
inline constexpr int newest_version = 4;

}  // namespace caos
