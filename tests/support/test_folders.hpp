#pragma once

#include <filesystem>
#include <string>

/// Where tests find files. In a source of its own, so that no other one depends on the place of the
/// tree.
namespace caos::test {

/// The root of the tree, without a slash at the end.
std::string source_folder();

/// tests/data/images, with a slash at the end.
std::string image_files_folder();

/// tests/data/landmarks, with a slash at the end.
std::string landmark_files_folder();

/// Data too large for the repository: $CAOS_SHARED, or `shared` beside the tree. It may not exist.
std::filesystem::path shared_folder();

}  // namespace caos::test
