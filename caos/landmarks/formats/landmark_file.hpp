#pragma once

#include <string>
#include <vector>

#include "caos/landmarks/formats/landmark_text.hpp"

namespace caos::landmarks {

/// Reads landmarks from a file ("-": standard input), or from all files of one format in a folder,
/// in the order of their names; where it has none, from those in folders below it, whose images
/// are named from the folder given. A file of an image is called as its image, but for the
/// extension.
[[nodiscard]] LandmarkTable read_landmarks(const std::string& path, const FileOptions& options);

/// The format in which `write_landmarks` will write; opens no file. Where neither name nor options
/// tell, it is an Error invalid_input.
[[nodiscard]] Format output_format(const std::string& path, const FileOptions& options);

/// Whether `write_landmarks` would take `path` for a folder: with a format that has a file for each
/// image, unless the name ends as one such file.
[[nodiscard]] bool is_output_folder(const std::string& path, Format format);

/// Writes landmarks to a file, or for formats with a file per image to a folder, which is made if
/// need be. Each file is written whole or not at all, and none before all are known to be right.
/// Returns what the format could not hold, and what its other readers will miss, one sentence each.
std::vector<std::string> write_landmarks(const std::string& path, const LandmarkTable& table,
                                         const FileOptions& options);

}  // namespace caos::landmarks
