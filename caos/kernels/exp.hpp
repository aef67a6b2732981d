#pragma once

namespace caos::kernels {

/// e^x for x <= 0, within 1 unit in the last place; 0 below -708, where it would be subnormal. The
/// bits are the same on every machine, unlike those of the standard library.
[[nodiscard]] double exp_of_negative(double x);

/// ln x for finite x >= 1, within 2 units in the last place; the bits are the same on every
/// machine.
[[nodiscard]] double log_of_large(double x);

/// ln x for finite x > 0 that is not subnormal, as exact and the same everywhere.
[[nodiscard]] double log_of_positive(double x);

}  // namespace caos::kernels
