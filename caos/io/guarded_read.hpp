#pragma once

#include <functional>
#include <string>
#include <vector>

namespace caos::io {

/// Texts that `work` returns, computed in a process of its own: a library such as `library` may
/// crash on a damaged file, and does not take this process with it. An Error that `work` throws is
/// thrown here; a crash is an Error bad_format that names the file. Changes that `work` makes are
/// lost.
[[nodiscard]] std::vector<std::string> read_guarded(
    const std::function<std::vector<std::string>()>& work, const std::string& name,
    const std::string& library = "HDF5");

}  // namespace caos::io
