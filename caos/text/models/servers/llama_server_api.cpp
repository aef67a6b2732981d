#include "caos/text/models/servers/llama_server_api.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"

namespace caos::text {
namespace {

constexpr const char* probe_text = "The sun rises in the east.";
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
// Fixed, because the server's rounding of a probability depends on it in the last bit.
constexpr std::size_t num_likeliest = 128;
constexpr std::size_t all_tokens = 1U << 24;  // the server stops at the size of its vocabulary

/// A token's number. Casting a number that no integer holds would be undefined.
Token token_in(const Json& value) {
  const bool fits = value.is_number_unsigned() && std::in_range<Token>(value.get<std::uint64_t>());
  if (!fits) throw WrongAnswer(io::printable(value.dump()) + " is not a token");
  return value.get<Token>();
}

Tokens tokens_in(const Json& answer) {
  Tokens tokens;
  for (const Json& value : answer.at("tokens")) tokens.push_back(token_in(value));
  return tokens;
}

/// The log-probabilities in an answer by token. llama-server writes the lowest float for the
/// logarithm of 0.
std::unordered_map<Token, double> read_likeliest(const Json& answer, std::size_t sent) {
  if (answer.at("tokens_evaluated") != sent) {
    throw WrongAnswer("the server evaluated another number of tokens than it was sent");
  }
  std::unordered_map<Token, double> likeliest;
  double total = 0;
  for (const Json& entry : answer.at("completion_probabilities").at(0).at("top_logprobs")) {
    const double value = log_probability(entry.at("logprob"));
    total += std::exp(value);
    likeliest[token_in(entry.at("id"))] =
        value < -1e30 ? -std::numeric_limits<double>::infinity() : value;
  }
  if (total > 1.01) {
    throw WrongAnswer("the probabilities add up to more than 1");
  }
  return likeliest;
}

}  // namespace

LlamaServerApi::LlamaServerApi(JsonServer server, std::string model)
    : server_(std::move(server)), model_(std::move(model)) {
  const Tokens plain = tokens(probe_text, false, false);
  const Tokens special = tokens(probe_text, true, false);
  const auto found = std::search(special.begin(), special.end(), plain.begin(), plain.end());
  if (plain.empty() || found == special.end()) {
    server_.fail("/tokenize", "the tokens of a text are invalid");
  }
  start_.assign(special.begin(), found);
  harmless_ = plain.back();
}

Json LlamaServerApi::request(Json body) const {
  if (!model_.empty()) body["model"] = model_;
  return body;
}

Tokens LlamaServerApi::tokens(const std::string& text, bool add_special, bool parse_special) const {
  if (text.empty()) return {};
  const Json answer = server_.post(
      "/tokenize",
      request({{"content", text}, {"add_special", add_special}, {"parse_special", parse_special}}));
  return server_.reading("/tokenize", "the answer has no list of tokens",
                         [&] { return tokens_in(answer); });
}

Tokens LlamaServerApi::tokenize(const std::string& text) const {
  return tokens(text, false, false);
}

Tokens LlamaServerApi::tokenize_special(const std::string& text) const {
  return tokens(text, false, true);
}

std::pair<std::string, std::string> LlamaServerApi::chat_frame() const {
  const std::string message = "caos-message";
  const Json body = {{"messages", {{{"role", "user"}, {"content", message}}}}};
  const Json answer = server_.post("/apply-template", request(body));
  const auto prompt = answer.find("prompt");
  if (prompt == answer.end() || !prompt->is_string()) {
    server_.fail("/apply-template", "the answer has no prompt");
  }
  const auto text = prompt->get<std::string>();
  const std::size_t at = text.find(message);
  if (at == std::string::npos) {
    server_.fail("/apply-template", "the chat template does not keep a message as it is");
  }
  return {text.substr(0, at), text.substr(at + message.size())};
}

Json LlamaServerApi::completion(std::span<const Token> prompt, std::size_t likeliest) const {
  // A generated token that is part of a character makes the server hold back the probabilities, so
  // one that is not is made to win. The probabilities are those before that.
  const Json body = {{"prompt", prompt},
                     {"n_predict", 1},
                     {"n_probs", likeliest},
                     {"post_sampling_probs", false},
                     {"cache_prompt", true},
                     {"temperature", 0},
                     {"seed", 0},
                     {"stream", false},
                     {"logit_bias", {{harmless_, 1e6}}},
                     {"response_fields", {"completion_probabilities", "tokens_evaluated"}}};
  return server_.post("/completion", request(body));
}

std::vector<double> LlamaServerApi::probabilities(std::span<const Token> prompt,
                                                  const Tokens& wanted,
                                                  std::size_t likeliest) const {
  const Json answer = completion(prompt, likeliest);
  const auto known = server_.reading(
      "/completion",
      "the answer has no log-probabilities that can be used (llama-server has them since the end "
      "of 2024)",
      [&] { return read_likeliest(answer, prompt.size()); });
  std::vector<double> result;
  for (const Token token : wanted) {
    const auto found = known.find(token);
    result.push_back(found == known.end() ? unknown : found->second);
  }
  return result;
}

std::vector<double> LlamaServerApi::next_token(std::span<const Token> prompt,
                                               const Tokens& wanted) const {
  for (const std::size_t likeliest : {num_likeliest, all_tokens}) {
    std::vector<double> result = probabilities(prompt, wanted, likeliest);
    if (std::ranges::none_of(result, [](double value) { return std::isnan(value); })) return result;
  }
  server_.fail("/completion", "the answer lacks tokens of the model's vocabulary");
}

}  // namespace caos::text
