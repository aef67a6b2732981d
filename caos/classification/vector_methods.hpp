#pragma once

#include <string_view>
#include <vector>

#include "caos/method.hpp"

namespace caos::classification {

/// All methods on vectors: full-kernel, full-ratio, and those on score arrays, which take the votes
/// of single examples (vote_scores.hpp).
[[nodiscard]] std::vector<Method> vector_methods();

/// Throws `invalid_input`, listing the names, for a name that is not among `vector_methods`.
[[nodiscard]] Method parse_vector_method(std::string_view name);

}  // namespace caos::classification
