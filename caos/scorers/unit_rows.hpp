#pragma once

#include <string>

#include "caos/scores.hpp"

namespace caos {

/// The rows divided by their lengths, as cosine similarity needs them, rounded to float. A row
/// whose squared length is 1 within 1e-6 is taken as it is: it was normalized in float before.
/// `name` and the row number are what errors speak of. Throws `bad_format` for a row that is all
/// zeros, or holds a value that is not finite.
[[nodiscard]] Matrix<float> unit_rows(MatrixView<const float> rows, const std::string& name);
/// The same in place.
[[nodiscard]] Matrix<float> unit_rows(Matrix<float>&& rows, const std::string& name);

}  // namespace caos
