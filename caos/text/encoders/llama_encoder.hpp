#pragma once

#include <memory>
#include <string>

#include "caos/text/encoders/text_encoder.hpp"

// Opened by open_text_encoder; not for users of the library.
namespace caos::text {

/// An embedding model in a GGUF file, run by llama.cpp with the pooling that the file names.
/// `context` and errors are those of LlamaEmbedding.
[[nodiscard]] std::unique_ptr<TextEncoder> open_llama_encoder(const std::string& path,
                                                              std::size_t context);

}  // namespace caos::text
