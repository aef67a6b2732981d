#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "caos/text/models/servers/json_server.hpp"
#include "caos/text/models/tokenizer.hpp"

// For the model behind llama-server; not for users of the library.
namespace caos::text {

/// What llama-server is asked, one function for each kind of request. Answers that cannot be are an
/// Error backend. Safe to use from several threads.
class LlamaServerApi final : public Tokenizer {
 public:
  /// `model` is sent along where it is not empty; a server of several models wants it.
  LlamaServerApi(JsonServer server, std::string model);

  [[nodiscard]] std::string url() const { return server_.url(); }
  [[nodiscard]] const JsonServer& server() const { return server_; }

  [[nodiscard]] Tokens tokenize(const std::string& text) const override;
  [[nodiscard]] Tokens tokenize_special(const std::string& text) const override;

  /// What the model wants before every text: its beginning-of-text token, or nothing.
  [[nodiscard]] const Tokens& start() const { return start_; }

  /// What the model's chat template puts before and after a message.
  [[nodiscard]] std::pair<std::string, std::string> chat_frame() const;

  /// The natural log-probabilities of `wanted` as the token after `prompt`; those that the server
  /// rounds to 0 in probability are -infinity. All of a prompt's tokens are in `prompt`: the server
  /// adds none to it.
  [[nodiscard]] std::vector<double> next_token(std::span<const Token> prompt,
                                               const Tokens& wanted) const;

 private:
  [[nodiscard]] Json request(Json body) const;
  [[nodiscard]] Tokens tokens(const std::string& text, bool add_special, bool parse_special) const;
  [[nodiscard]] Json completion(std::span<const Token> prompt, std::size_t num_likeliest) const;
  [[nodiscard]] std::vector<double> probabilities(std::span<const Token> prompt,
                                                  const Tokens& wanted,
                                                  std::size_t num_likeliest) const;

  JsonServer server_;
  std::string model_;
  Tokens start_;
  Token harmless_ = 0;  // a token of ASCII letters
};

}  // namespace caos::text
