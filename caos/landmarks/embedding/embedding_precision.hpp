#pragma once

#include <string_view>

namespace caos {

/// In which precision the values of a backbone become embeddings.
enum class EmbeddingPrecision {
  float32,  ///< as they are: models of version 0.1.0, and arrays
  float16,  ///< rounded (`float16_rows`), whether they come from a cache or not
};

/// `float16` or `float32`.
[[nodiscard]] std::string_view precision_name(EmbeddingPrecision precision);

/// Throws `invalid_input` for other texts.
[[nodiscard]] EmbeddingPrecision parse_precision(std::string_view text);

}  // namespace caos
