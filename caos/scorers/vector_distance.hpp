#pragma once

#include <cstddef>

#include "caos/scores.hpp"

namespace caos {

/// The Euclidean distance of every row of `x` from every row of `references`: [x, references].
///
/// The square of difference d goes to partial sum d mod 8, in ascending order of d; the eight
/// partial sums are then added as ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)). That order is the
/// meaning of a distance: exchanging two rows leaves its bits as they are, and so do threads and
/// how rows are split into calls. A square beyond the range of double makes the distance +inf.
///
/// Throws `invalid_input` unless both have rows of one length, and `bad_format` for a row that
/// holds a value that is not finite. `threads` 0 means one per core.
[[nodiscard]] Matrix<Score> distances(MatrixView<const double> x,
                                      MatrixView<const double> references, std::size_t threads = 0);

}  // namespace caos
