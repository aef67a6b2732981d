#pragma once

#include <string>

#include "caos/io/file_descriptor.hpp"

namespace caos::studio {

/// Holds a folder for this process, until it ends in whatever way. Throws `invalid_input` if
/// another holds it.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);

 private:
  io::Descriptor file_;
};

/// Makes the names in a folder outlive a crash.
void sync_folder(const std::string& folder);

}  // namespace caos::studio
