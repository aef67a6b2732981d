#include "tests/support/test_folders.hpp"

#include <cstdlib>

namespace caos::test {

std::string source_folder() { return CAOS_SOURCE_DIR; }

std::string image_files_folder() { return source_folder() + "/tests/data/images/"; }

std::string landmark_files_folder() { return source_folder() + "/tests/data/landmarks/"; }

std::filesystem::path shared_folder() {
  const char* const folder = std::getenv("CAOS_SHARED");
  return folder != nullptr ? folder : source_folder() + "/../shared";
}

}  // namespace caos::test
