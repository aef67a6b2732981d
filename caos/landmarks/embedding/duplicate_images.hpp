#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace caos {

/// Two files with the same content.
struct DuplicateFile {
  std::size_t first = 0;  ///< the first file with this content
  std::size_t other = 0;  ///< a later one
};

/// All files whose content an earlier one has, in their order. Contents are read and hashed where
/// sizes agree. Files that cannot be read, or whose beginning is not that of an image, are passed
/// over.
[[nodiscard]] std::vector<DuplicateFile> find_duplicates(std::span<const std::string> files);

}  // namespace caos
