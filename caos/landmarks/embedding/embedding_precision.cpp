#include "caos/landmarks/embedding/embedding_precision.hpp"

#include <fmt/format.h>

#include "caos/error.hpp"

namespace caos {

std::string_view precision_name(EmbeddingPrecision precision) {
  return precision == EmbeddingPrecision::float16 ? "float16" : "float32";
}

EmbeddingPrecision parse_precision(std::string_view text) {
  for (const auto precision : {EmbeddingPrecision::float16, EmbeddingPrecision::float32}) {
    if (text == precision_name(precision)) return precision;
  }
  throw Error(ErrorKind::invalid_input,
              fmt::format("precision '{}': expected float16 or float32", text));
}

}  // namespace caos
