#pragma once

#include <string_view>
#include <vector>

namespace caos::kernels {

/// Name of the instruction set that the kernels use now: "AVX3" (AVX-512), "AVX2", ...
/// Speed depends on it, results do not.
[[nodiscard]] std::string_view instruction_set();

/// Every instruction set that this machine and this build have, the fastest first; the last is
/// plain C++, one number at a time.
[[nodiscard]] std::vector<std::string_view> instruction_sets();

/// From now on kernels run as on a machine with this instruction set. For comparing instruction
/// sets, while no kernel runs. Returns whether there is such an instruction set here; without it
/// nothing changes.
[[nodiscard]] bool use_instruction_set(std::string_view name);

/// Takes that back.
void use_fastest_instruction_set();

}  // namespace caos::kernels
