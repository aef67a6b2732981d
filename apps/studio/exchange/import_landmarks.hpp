#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "apps/studio/store/store.hpp"
#include "caos/landmarks/formats/landmark_text.hpp"

namespace caos::studio {

struct ImportOptions {
  landmarks::FileOptions files{};  ///< sizes of images are the project's, whatever is said here
  std::string annotator{};
  bool add_landmarks = false;  ///< those that the scheme lacks; else their points are skipped
  bool overwrite = false;      ///< also landmarks that have a state already
};

/// What an import did.
struct ImportResult {
  std::size_t images = 0;  ///< that got points
  std::size_t points = 0;
  std::vector<std::string> new_landmarks{};
  std::vector<std::string> unknown_images{};  ///< that the project does not have
  std::size_t skipped = 0;  ///< points that were there already, or of landmarks not in the scheme
  std::vector<std::string> warnings{};
};

/// Reads landmark files into the first readings of a project's images, wholly or not at all.
/// Images are found by name, by name without folder, and, where the file names one without
/// extension, by that; more than one that fits is a warning and none. Subjects and scales go to
/// images that have none.
/// Errors: bad_format for damaged files and for points outside of their images, invalid_input for
/// what cannot be read without more options.
ImportResult import_landmarks(Store& store, Id project, std::span<const landmarks::NamedText> files,
                              const ImportOptions& options);

}  // namespace caos::studio
