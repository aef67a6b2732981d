#pragma once

#include <string_view>

namespace caos::kernels {

/// Name of the instruction set that the kernels use on this machine: "AVX3" (AVX-512), "AVX2", ...
/// Speed depends on it, results do not.
[[nodiscard]] std::string_view instruction_set();

}  // namespace caos::kernels
