#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

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
  std::size_t context = 512;
  std::string key{};                          ///< wanted from the client
  std::function<void(Json& answer)> spoil{};  ///< completions and completion: makes it wrong
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

}  // namespace caos::test
