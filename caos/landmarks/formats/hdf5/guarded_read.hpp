#pragma once

#include <functional>
#include <string>
#include <vector>

namespace caos::landmarks {

/// Texts that `work` returns, computed in a process of its own: the HDF5 library may crash on a
/// damaged file, and does not take this process with it. An Error that `work` throws is thrown
/// here; a crash is an Error bad_format that names the file. Changes that `work` makes are lost.
[[nodiscard]] std::vector<std::string> read_guarded(
    const std::function<std::vector<std::string>()>& work, const std::string& name);

}  // namespace caos::landmarks
