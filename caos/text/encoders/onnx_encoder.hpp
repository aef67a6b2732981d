#pragma once

#include <memory>
#include <string>

#include "caos/text/encoders/text_encoder.hpp"

namespace caos::text {

/// Opens the encoder in a folder, or the one of an .onnx file (encoder_folder.hpp).
///
/// The model takes input_ids and, where it wants them, attention_mask and token_type_ids, all int64
/// [texts, tokens]. Its vectors are last_hidden_state or token_embeddings [texts, tokens, D], which
/// are pooled, or sentence_embedding [texts, D]. Every text is run by itself on one thread, so that
/// neither padding nor company changes its vector.
///
/// Throws as `read_encoder_folder`, `bad_format` for a model with other inputs or outputs, and
/// `backend` without ONNX Runtime.
[[nodiscard]] std::unique_ptr<TextEncoder> open_onnx_encoder(const std::string& path);

}  // namespace caos::text
