#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "caos/landmarks/formats/landmark_table.hpp"

namespace caos::landmarks {

/// The file of an image that a landmark file names, in `folder` or below it; nothing where there is
/// no such file, or only one outside of the folder: the writer of a landmark file does not choose
/// which of the user's files are read.
///
/// A name that is not there as it is, such as a path of another machine
/// (`C:\project\wings\a.JPG`), is looked for without the folders in front, one after another
/// (`project/wings/a.JPG`, `wings/a.JPG`, `a.JPG`), and where that finds nothing, in any letter
/// case if just one file fits. What follows the last `#` is the instance (`a.jpg#2`).
[[nodiscard]] std::optional<std::string> find_image(const std::string& folder,
                                                    const std::string& image);

enum class MissingImages { refuse, skip };

/// What `match_images` did.
struct MatchedImages {
  std::size_t num_renamed = 0;         ///< found elsewhere or in another letter case
  std::vector<std::string> skipped{};  ///< names of images that are not there
};

/// Gives images the names that their files have below `folder`. Those without a file are an Error
/// not_found that names `file` and the first of them, or are left out.
MatchedImages match_images(LandmarkTable& table, const std::string& folder, const std::string& file,
                           MissingImages missing);

/// Throws the Error not_found of an image without a file.
[[noreturn]] void refuse_missing_image(const std::string& file, const std::string& image,
                                       const std::string& folder, std::size_t num_more = 0);

}  // namespace caos::landmarks
