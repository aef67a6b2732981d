#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/text/models/llama/reference_forward.hpp"
#include "tests/text/models/servers/local_server.hpp"

namespace caos::test {

using Json = nlohmann::json;

/// How servers differ.
struct ModelServerOptions {
  bool echoes = true;             ///< completions: gives the prompt's log-probabilities
  bool generates_nothing = true;  ///< completions: accepts max_tokens 0
  bool writes_spaces = true;      ///< completions: a token's text has the space before a word
  bool tells_usage = true;        ///< completions: how many tokens were generated
  std::size_t most_listed = 20;   ///< chat: how many tokens of an answer it lists
  bool knows_max_tokens = true;   ///< chat: not by its newer name alone
  std::size_t context = 512;
  std::string key{};                          ///< wanted from the client
  std::function<void(Json& answer)> spoil{};  ///< all but llama-server's tokens: makes it wrong
  std::optional<TlsFiles> tls{};
};

/// A server on this machine with the tiny model, whose log-probabilities come from the plain
/// forward pass. It answers as vLLM does to completions that echo the prompt.
class CompletionsTestServer {
 public:
  explicit CompletionsTestServer(ModelServerOptions options = {});

  LocalServer& local() { return local_; }
  [[nodiscard]] const ReferenceForward& model() const { return model_; }
  ModelServerOptions options;

 private:
  void answer(const httplib::Request& request, httplib::Response& response) const;
  void complete(const Json& body, httplib::Response& response) const;
  [[nodiscard]] std::string token_text(Token token) const;

  ReferenceForward model_;
  LocalServer local_;
};

/// The same model behind llama-server's own interface. Like it, it gives no probabilities when the
/// token that wins is a part of a character.
class LlamaTestServer {
 public:
  explicit LlamaTestServer(ModelServerOptions options = {});

  LocalServer& local() { return local_; }
  [[nodiscard]] const ReferenceForward& model() const { return model_; }
  ModelServerOptions options;

 private:
  void answer(const httplib::Request& request, httplib::Response& response) const;
  void tokenize(const Json& body, httplib::Response& response) const;
  void complete(const Json& body, httplib::Response& response) const;

  ReferenceForward model_;
  LocalServer local_;
};

/// The same model behind chat completions that list the likeliest first tokens of an answer. It
/// likes letters, as models do that follow instructions.
class ChatTestServer {
 public:
  explicit ChatTestServer(ModelServerOptions options = {});

  LocalServer& local() { return local_; }
  [[nodiscard]] const ReferenceForward& model() const { return model_; }
  /// Of every token, by its number, as the first of an answer to this message.
  [[nodiscard]] std::vector<double> log_probabilities(const std::string& message) const;
  ModelServerOptions options;

 private:
  void answer(const httplib::Request& request, httplib::Response& response) const;
  void complete(const Json& body, httplib::Response& response) const;

  ReferenceForward model_;
  LocalServer local_;
};

}  // namespace caos::test
