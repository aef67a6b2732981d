#pragma once

#include <cstddef>

namespace caos::kernels {

/// Turn similarities into one-shot scores, in place. Row p holds patch p of an image, column r
/// reference r; rows are `stride` apart. Every column is by itself: its score depends on its own
/// similarities alone. The bits do not depend on the instruction set: products and sums are rounded
/// one by one, and exponential and logarithm are our own.

/// 1 - c.
void cosine_scores(double* similarities, std::size_t rows, std::size_t cols, std::size_t stride);

/// (1 - c) + weight * (m - c), with m the largest similarity of the column.
void margin_scores(double* similarities, std::size_t rows, std::size_t cols, std::size_t stride,
                   double weight);

/// log(sum over patches of exp((c' - m) * inverse_temperature)) - (c - m) * inverse_temperature:
/// minus the log of the softmax, added patch by patch.
void softmax_scores(double* similarities, std::size_t rows, std::size_t cols, std::size_t stride,
                    double inverse_temperature);

}  // namespace caos::kernels
