#pragma once

#include <string>
#include <vector>

namespace caos::io {

[[nodiscard]] bool is_folder(const std::string& path);

/// The names of the files in a folder, sorted; links to files are files, folders are left out.
/// A folder that cannot be read is an Error not_found.
[[nodiscard]] std::vector<std::string> files_in(const std::string& folder);

/// The same of a folder and all folders below it, as paths from `folder` with slashes. Links to
/// folders are not followed.
[[nodiscard]] std::vector<std::string> files_below(const std::string& folder);

/// Makes a folder, and those that it lies in, unless they are there. Where that fails it is an
/// Error not_found.
void make_folder(const std::string& path);

}  // namespace caos::io
