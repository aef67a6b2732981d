#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "caos/text/encoders/word_piece_tokenizer.hpp"

namespace caos::text {

/// How the vectors of a text's tokens become that of the text.
enum class Pooling {
  mean,         ///< of all tokens, `before` and `after` included
  first_token,  ///< that of [CLS]
};

/// A sentence encoder as published for ONNX: what its folder says of it.
struct EncoderFolder {
  std::string name{};   ///< of the folder, for people
  std::string model{};  ///< path of the .onnx file
  WordPieceTokenizer tokenizer{};
  Pooling pooling = Pooling::mean;
  std::size_t most_tokens = 0;  ///< of a text, special tokens included
  std::string prompt{};         ///< what every text is preceded by
};

/// Reads the folder DIR, or the one around FILE.onnx, of which one is meant by `path`.
///
/// The model is onnx/model.onnx or model.onnx, or the only .onnx file there. Pooling comes from the
/// pooling module that modules.json names, or 1_Pooling/config.json; without them it is the mean.
/// Texts are truncated to the max_seq_length of sentence_bert_config.json, else to what
/// tokenizer.json says, else to max_position_embeddings of config.json, else to 512 tokens. The
/// prompt is the default one of config_sentence_transformers.json.
///
/// Throws `not_found` for files that are missing, `invalid_input` where several models could be
/// meant, and `bad_format` for what caos cannot run, with the file and the remedy.
[[nodiscard]] EncoderFolder read_encoder_folder(const std::string& path);

/// The files that its vectors depend on: model, weights beside it, tokenizer and configuration.
[[nodiscard]] std::vector<std::string> encoder_files(const std::string& path);

}  // namespace caos::text
