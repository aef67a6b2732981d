#pragma once

#include <string>

#include "apps/predictions/json_text.hpp"
#include "caos/classification.hpp"

namespace caos::cli {

/// The parameters of a method, and whether they are the defaults: for one of the paper's methods
/// those of the votes.
[[nodiscard]] predictions::Json parameters_json(const VectorClassifierOptions& options,
                                                bool with_label_vectors);
/// Whether they are the defaults, in words, and what others need.
[[nodiscard]] std::string parameters_mark(const VectorClassifierOptions& options,
                                          bool with_label_vectors);
/// `T = 0.1, b = 0.001 (defaults)`.
[[nodiscard]] std::string parameters_text(const VectorClassifierOptions& options,
                                          bool with_label_vectors);

/// What sets depend on if vectors are standardized.
inline constexpr const char* standardized_batch =
    "vectors are standardized over the labeled and the new ones together: sets depend on which "
    "vectors are predicted together";

}  // namespace caos::cli
