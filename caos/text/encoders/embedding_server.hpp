#pragma once

#include <memory>
#include <span>
#include <string>

#include "caos/text/encoders/text_encoder.hpp"
#include "caos/text/models/language_models.hpp"
#include "caos/text/models/servers/json_server.hpp"

// Opened by open_text_encoder; not for users of the library.
namespace caos::text {

/// An encoder behind OpenAI's embeddings interface (/v1/embeddings), which Ollama, vLLM,
/// llama-server, TEI and hosted services have. Texts are sent in batches; vectors come back by
/// their index, are checked, and made unit vectors.
///
/// Opening sends a fixed sentence, to learn the dimension. Where the context is known, from the
/// options or from the server, texts are cut by their bytes, three for a token. An empty text is
/// sent as one space, because servers refuse empty ones.
///
/// Throws `backend` for a server that gives no embeddings.
[[nodiscard]] std::unique_ptr<TextEncoder> open_embedding_server(
    const std::string& url, const LanguageModelOptions& options);

/// The vectors in an answer to `count` texts, in the order of the texts, which is that of their
/// indexes. Throws Json::exception or WrongAnswer where one is missing, comes twice, or differs in
/// dimension; a `dimension` of 0 takes any.
[[nodiscard]] Matrix<float> read_embeddings(const Json& answer, std::size_t count,
                                            std::size_t dimension);

}  // namespace caos::text
