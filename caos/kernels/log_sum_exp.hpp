#pragma once

#include <cstddef>

namespace caos::kernels {

/// ln(e^x[0] + ... + e^x[count - 1]), without overflow. Requires count >= 1 and no NaN; the largest
/// value must be finite, others may be -infinity.
///
/// With m the largest value, e^(x[i] - m) goes to partial sum i mod 8, in ascending order of i; the
/// eight are added as ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)), and the result is m + ln of that,
/// all in double. The bits are the same on every machine.
[[nodiscard]] double log_sum_exp(const float* x, std::size_t count);

}  // namespace caos::kernels
