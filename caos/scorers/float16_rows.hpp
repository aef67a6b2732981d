#pragma once

#include <cstdint>

#include "caos/scores.hpp"

namespace caos {

/// Rows whose values float16 represents exactly. Each row is multiplied by the power of two that
/// takes its largest magnitude to [1, 2), then rounded, so that no backbone's range is too wide and
/// directions keep 11 bits. Zeros stay zeros, and what is not finite stays so.
[[nodiscard]] Matrix<float> float16_rows(Matrix<float>&& rows);

/// The float16 bits of every value, rounded; and back.
[[nodiscard]] Matrix<std::uint16_t> to_float16(const Matrix<float>& values);
[[nodiscard]] Matrix<float> from_float16(MatrixView<const std::uint16_t> bits);

}  // namespace caos
