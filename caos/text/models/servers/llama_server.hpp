#pragma once

#include <memory>

#include "caos/text/models/language_models.hpp"
#include "caos/text/models/servers/json_server.hpp"

// Opened by make_server_model; not for users of the library.
namespace caos::text {

/// What llama-server tells about itself ("/props"), or null: the server is another one.
[[nodiscard]] Json llama_server_properties(const JsonServer& server,
                                           const LanguageModelOptions& options);

/// llama.cpp's server, by its own interface: it cuts texts into tokens for us, and for every node
/// of the tree of labels it is asked what comes next. It keeps what a prompt has in common with the
/// one before it, so that the reference and the text are evaluated once.
[[nodiscard]] std::unique_ptr<LanguageModel> make_llama_server(JsonServer server,
                                                               const Json& properties,
                                                               Question question,
                                                               const LanguageModelOptions& options);

}  // namespace caos::text
