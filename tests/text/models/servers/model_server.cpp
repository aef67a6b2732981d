#include "tests/text/models/servers/model_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace caos::test {
namespace {

const Piece& piece_of(Token token) { return tiny_vocabulary()[static_cast<std::size_t>(token)]; }

int byte_value(const Piece& piece) { return std::stoi(piece.text.substr(3, 2), nullptr, 16); }

bool is_part_of_character(Token token) {
  const Piece& piece = piece_of(token);
  return piece.kind == PieceKind::byte && byte_value(piece) >= 0x80;
}

/// The likeliest tokens, the first one first.
std::vector<Token> likeliest_tokens(const std::vector<double>& log_probabilities,
                                    std::size_t most) {
  std::vector<Token> order(log_probabilities.size());
  std::iota(order.begin(), order.end(), Token{0});
  const auto value = [&](Token t) { return log_probabilities[static_cast<std::size_t>(t)]; };
  std::ranges::sort(order, std::ranges::greater(), value);
  order.resize(std::min(order.size(), most));
  return order;
}

std::vector<double> log_probabilities_after(const ReferenceForward& model,
                                            const std::vector<Token>& tokens) {
  return log_softmax(model.logits(tokens).back());
}

Token likeliest(const std::vector<double>& log_probabilities) {
  const auto best = std::ranges::max_element(log_probabilities);
  return static_cast<Token>(best - log_probabilities.begin());
}

bool lacks_key(const httplib::Request& request, const std::string& key) {
  return !key.empty() && request.get_header_value("Authorization") != fmt::format("Bearer {}", key);
}

void refuse(httplib::Response& response, int status, const std::string& message) {
  reply(response, status, Json{{"error", {{"code", status}, {"message", message}}}}.dump());
}

void refuse_key(const httplib::Request& request, httplib::Response& response) {
  refuse(response, 401, fmt::format("wrong key: {}", request.get_header_value("Authorization")));
}

void list_models(const ModelServerOptions& options, httplib::Response& response) {
  const Json model = {{"id", "tiny"}, {"object", "model"}, {"max_model_len", options.context}};
  reply(response, 200, Json{{"object", "list"}, {"data", {model}}}.dump());
}

void send(Json answer, const ModelServerOptions& options, httplib::Response& response) {
  if (options.spoil) options.spoil(answer);
  reply(response, 200, answer.dump());
}

}  // namespace

CompletionsTestServer::CompletionsTestServer(ModelServerOptions given)
    : options(std::move(given)),
      model_(TinyGguf{}),
      local_([this](const auto& request, auto& response) { answer(request, response); },
             options.tls) {}

void CompletionsTestServer::answer(const httplib::Request& request,
                                   httplib::Response& response) const {
  if (lacks_key(request, options.key)) return refuse_key(request, response);
  if (request.path == "/v1/models") return list_models(options, response);
  if (request.path == "/v1/completions") return complete(Json::parse(request.body), response);
  refuse(response, 404, "no such page");
}

std::string CompletionsTestServer::token_text(Token token) const {
  if (is_part_of_character(token)) return "\ufffd";
  if (piece_of(token).kind == PieceKind::control) return piece_of(token).text;
  const std::string text = reference_text({&token, 1});
  return !options.writes_spaces && text.starts_with(' ') ? text.substr(1) : text;
}

void CompletionsTestServer::complete(const Json& body, httplib::Response& response) const {
  const auto generated = body.at("max_tokens").get<std::size_t>();
  if (generated == 0 && !options.generates_nothing) {
    return refuse(response, 400, "max_tokens must be at least 1");
  }
  if (body.at("model") != "tiny") return refuse(response, 404, "no such model");
  std::vector<Token> tokens = model_.tokens(body.at("prompt").get<std::string>());
  if (tokens.size() + generated > options.context) {
    return refuse(response, 400, "the prompt is longer than the context");
  }
  if (generated == 1) tokens.push_back(likeliest(log_probabilities_after(model_, tokens)));
  Json logprobs = {{"tokens", Json::array()}, {"token_logprobs", model_.log_probabilities(tokens)}};
  for (const Token token : tokens) logprobs["tokens"].push_back(token_text(token));
  logprobs["token_logprobs"].insert(logprobs["token_logprobs"].begin(), nullptr);
  if (!options.echoes) logprobs = nullptr;
  Json answer = {{"choices", {{{"index", 0}, {"text", ""}, {"logprobs", logprobs}}}}};
  if (options.tells_usage) answer["usage"] = {{"completion_tokens", generated}};
  send(std::move(answer), options, response);
}

LlamaTestServer::LlamaTestServer(ModelServerOptions given)
    : options(std::move(given)),
      model_(TinyGguf{}),
      local_([this](const auto& request, auto& response) { answer(request, response); }) {}

void LlamaTestServer::answer(const httplib::Request& request, httplib::Response& response) const {
  if (lacks_key(request, options.key)) return refuse_key(request, response);
  if (request.path == "/props") {
    const Json settings = {{"params", Json::object()}, {"n_ctx", options.context}};
    return reply(response, 200,
                 Json{{"default_generation_settings", settings},
                      {"total_slots", 4},
                      {"model_alias", "tiny"},
                      {"model_path", "models/tiny.gguf"}}
                     .dump());
  }
  if (request.path == "/v1/models") {
    const Json meta = {{"n_vocab", tiny_vocabulary().size()}, {"n_params", 1234}, {"size", 5678}};
    const Json model = {{"id", "tiny"}, {"owned_by", "llamacpp"}, {"meta", meta}};
    return reply(response, 200, Json{{"data", {model}}}.dump());
  }
  if (request.path == "/tokenize") return tokenize(Json::parse(request.body), response);
  if (request.path == "/completion") return complete(Json::parse(request.body), response);
  if (request.path == "/apply-template") {
    const Json body = Json::parse(request.body);
    const auto message = body.at("messages").at(0).at("content").get<std::string>();
    return reply(response, 200,
                 Json{{"prompt", fmt::format("You get: {}\nLabel:", message)}}.dump());
  }
  refuse(response, 404, "no such page");
}

/// Names of special tokens become these unless the client says otherwise.
void LlamaTestServer::tokenize(const Json& body, httplib::Response& response) const {
  auto content = body.at("content").get<std::string>();
  std::vector<Token> tokens;
  if (body.value("add_special", false)) tokens.push_back(tiny_bos);
  const auto append = [&](const std::string& text) {
    const std::vector<Token> more = reference_tokens(text);
    tokens.insert(tokens.end(), more.begin(), more.end());
  };
  const bool special = body.value("parse_special", true);
  for (std::size_t at = content.find("<s>"); special && at != std::string::npos;
       at = content.find("<s>")) {
    append(content.substr(0, at));
    tokens.push_back(tiny_bos);
    content.erase(0, at + 3);
  }
  append(content);
  reply(response, 200, Json{{"tokens", tokens}}.dump());
}

void LlamaTestServer::complete(const Json& body, httplib::Response& response) const {
  const auto tokens = body.at("prompt").get<std::vector<Token>>();
  if (tokens.size() >= options.context) {
    return refuse(response, 400, "the request exceeds the available context size");
  }
  const std::vector<double> all = log_probabilities_after(model_, tokens);
  std::vector<double> biased = all;
  for (const Json& bias : body.value("logit_bias", Json::array())) {
    biased.at(bias.at(0).get<std::size_t>()) += bias.at(1).get<double>();
  }
  Json answer = {{"tokens_evaluated", tokens.size()}};
  if (!is_part_of_character(likeliest(biased))) {
    const auto order = likeliest_tokens(all, body.at("n_probs").get<std::size_t>());
    Json top = Json::array();
    for (const Token t : order) {
      top.push_back({{"id", t}, {"logprob", all[static_cast<std::size_t>(t)]}});
    }
    answer["completion_probabilities"] = {{{"id", order.front()}, {"top_logprobs", top}}};
  }
  send(std::move(answer), options, response);
}

ChatTestServer::ChatTestServer(ModelServerOptions given)
    : options(std::move(given)),
      model_(TinyGguf{}),
      local_([this](const auto& request, auto& response) { answer(request, response); }) {}

std::vector<double> ChatTestServer::log_probabilities(const std::string& message) const {
  std::vector<double> logits =
      model_.logits(model_.tokens(fmt::format("You get: {}\nLabel:", message))).back();
  for (std::size_t t = 0; t < logits.size(); ++t) {
    const std::string& text = tiny_vocabulary()[t].text;
    if (text.size() == 1 && text[0] >= 'A' && text[0] <= 'T') logits[t] += 8;
  }
  return log_softmax(logits);
}

void ChatTestServer::answer(const httplib::Request& request, httplib::Response& response) const {
  if (lacks_key(request, options.key)) return refuse_key(request, response);
  if (request.path == "/v1/models") return list_models(options, response);
  if (request.path == "/v1/chat/completions") {
    return complete(Json::parse(request.body), response);
  }
  refuse(response, 404, "no such page");
}

void ChatTestServer::complete(const Json& body, httplib::Response& response) const {
  if (body.contains("max_tokens") && !options.knows_max_tokens) {
    return refuse(response, 400, "max_tokens is not supported; use max_completion_tokens");
  }
  if (body.at("model") != "tiny") return refuse(response, 404, "no such model");
  const auto message = body.at("messages").at(0).at("content").get<std::string>();
  if (message.size() > 4 * options.context) {
    return refuse(response, 400, "the message is longer than the context");
  }
  const std::vector<double> all = log_probabilities(message);
  const std::size_t wanted = body.at("top_logprobs").get<std::size_t>();
  Json top = Json::array();
  for (const Token t : likeliest_tokens(all, std::min(wanted, options.most_listed))) {
    top.push_back({{"token", is_part_of_character(t) ? "\ufffd" : piece_of(t).text},
                   {"logprob", all[static_cast<std::size_t>(t)]}});
  }
  const Json content = {{{"token", "A"}, {"logprob", -1}, {"top_logprobs", top}}};
  const Json choice = {{"index", 0}, {"logprobs", {{"content", content}}}};
  send({{"choices", {choice}}, {"usage", {{"prompt_tokens", message.size()}}}}, options, response);
}

}  // namespace caos::test
