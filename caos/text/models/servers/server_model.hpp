#pragma once

#include <memory>
#include <string>

#include "caos/text/models/language_models.hpp"

namespace caos::text {

/// A model behind HTTP: an OpenAI-compatible completions server that echoes the log-probabilities
/// of a prompt, or llama.cpp's own server, told apart by asking. Opening it sends a few requests
/// that hold a fixed sentence and nothing of the user's; a server that cannot give what is needed
/// is an Error `backend` that says so. Keys appear in no message.
[[nodiscard]] std::unique_ptr<LanguageModel> make_server_model(const std::string& url,
                                                               Question question,
                                                               const LanguageModelOptions& options);

}  // namespace caos::text
