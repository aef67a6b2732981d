#pragma once

#include <string_view>

namespace caos {

/// The version of the library, such as `0.1.0`.
[[nodiscard]] std::string_view version();

}  // namespace caos
