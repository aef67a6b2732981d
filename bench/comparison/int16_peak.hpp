#pragma once

#include <string>

namespace caos::bench {

/// How fast one core multiplies int16 and adds to int32, with everything in registers.
struct Int16Peak {
  std::string instructions{};
  double multiply_adds_per_second = 0;  ///< by processor time
};

/// Highway's multiply-add, on whichever instruction set of this machine does it fastest. On x86 it
/// is two instructions.
[[nodiscard]] Int16Peak highway_peak();

/// The single instruction of AVX512-VNNI; speed 0 where there is none.
[[nodiscard]] Int16Peak vnni_peak();

}  // namespace caos::bench
