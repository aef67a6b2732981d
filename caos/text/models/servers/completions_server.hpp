#pragma once

#include <memory>

#include "caos/text/models/language_models.hpp"
#include "caos/text/models/servers/json_server.hpp"

// Opened by make_server_model; not for users of the library.
namespace caos::text {

/// A server with OpenAI's completions interface that echoes a prompt with its log-probabilities
/// (vLLM does). Every label is one request with the whole prompt, and the prompt by itself is
/// another, to see where a label's tokens begin.
///
/// Such servers do not tell how many tokens a text has before they are asked, and refuse what does
/// not fit. Where the context is known, from the options or from the server, texts are therefore
/// cut by their bytes: three for a token of the context, less the template's and twice the longest
/// label's; each of the two texts may fill half of that, and a longer one keeps a prefix of whole
/// characters.
[[nodiscard]] std::unique_ptr<LanguageModel> make_completions_server(
    JsonServer server, Question question, const LanguageModelOptions& options);

}  // namespace caos::text
