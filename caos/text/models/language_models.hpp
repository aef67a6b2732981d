#pragma once

#include <memory>
#include <string>

#include "caos/text/models/language_model.hpp"

namespace caos::text {

struct LanguageModelOptions {
  std::size_t context = 0;  ///< tokens; 0: as many as the model was trained with
  bool chat = false;        ///< wrap the prompt in the model's own chat template
  // For servers.
  std::string server_model{};   ///< which of the server's models; empty: its only or first one
  std::string key_variable{};   ///< environment variable that holds the key
  std::string key_file{};       ///< or the file that does
  double timeout_seconds = 60;  ///< of one request; a command may take ten times as long
  std::size_t retries = 5;      ///< after 429, 5xx, a timeout or a lost connection
  std::size_t concurrency = 4;  ///< requests under way at once, whatever the number of threads
};

/// Opens `builtin`, `llama:FILE.gguf`, `server:URL`, `chat-server:URL` or
/// `command:PROGRAM ARGUMENTS`.
/// Throws `invalid_input` for other texts and for options that do not go with the model, and says
/// how to get what this program was built without.
[[nodiscard]] std::unique_ptr<LanguageModel> open_language_model(
    const std::string& text, Question question, const LanguageModelOptions& options = {});

/// Whether a server is asked over HTTP, be it a language model or an encoder.
[[nodiscard]] bool is_server(const std::string& model);

/// Whether texts leave this program when this model scores them: for a server, or for another
/// program.
[[nodiscard]] bool leaves_program(const std::string& model);

/// Where texts are sent: a host or a program; empty if they stay here. Without passwords.
[[nodiscard]] std::string destination_of(const std::string& model);

/// The file in `scores:FILE`, which some users take in place of a model; empty for other texts.
[[nodiscard]] std::string score_file(const std::string& model);
[[nodiscard]] inline bool is_score_file(const std::string& model) {
  return !score_file(model).empty();
}

}  // namespace caos::text
