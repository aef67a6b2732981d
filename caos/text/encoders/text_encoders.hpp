#pragma once

#include <memory>
#include <string>

#include "caos/text/encoders/text_encoder.hpp"
#include "caos/text/models/language_models.hpp"

namespace caos::text {

/// Whether `--model` names an encoder, which gives vectors, and not a language model.
[[nodiscard]] bool is_encoder(const std::string& model);

/// Opens `encoder:DIR`, as published for ONNX, `embed:FILE.gguf`, for llama.cpp, or
/// `embed-server:URL`. Of the options the context matters to the last two, and those of servers to
/// servers. Throws `invalid_input` for other texts and for options that do not go with the
/// encoder, `not_found` and `bad_format` for files, and says how to get what this program was built
/// without.
[[nodiscard]] std::unique_ptr<TextEncoder> open_text_encoder(
    const std::string& text, const LanguageModelOptions& options = {});

}  // namespace caos::text
