#include "caos/text/models/servers/llama_server.hpp"

#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/text/models/label_trie.hpp"
#include "caos/text/models/prompt_tokens.hpp"
#include "caos/text/models/servers/llama_server_api.hpp"

namespace caos::text {
namespace {

/// The number under a key, or 0.
std::size_t number_in(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) return 0;
  const Json& value = object.at(key);
  return value.is_number_unsigned() ? value.get<std::size_t>() : 0;
}

std::string text_in(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) return {};
  const Json& value = object.at(key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

/// The model's name without folders.
std::string model_name(const Json& properties) {
  std::string name = text_in(properties, "model_alias");
  if (name.empty()) name = text_in(properties, "model_path");
  return name.substr(name.find_last_of("/\\") + 1);
}

/// What tells a model from others of that name: its number of weights and bytes, where listed.
std::string model_size(const JsonServer& server, const std::string& model) {
  const JsonAnswer answer = server.get("/v1/models");
  if (!answer.ok() || !answer.body.is_object()) return {};
  const Json& data = answer.body.value("data", Json::array());
  for (const Json& entry : data) {
    if (!model.empty() && text_in(entry, "id") != model) continue;
    const Json meta = entry.is_object() ? entry.value("meta", Json()) : Json();
    return fmt::format(" weights={} bytes={}", number_in(meta, "n_params"),
                       number_in(meta, "size"));
  }
  return {};
}

std::size_t context_of(const JsonServer& server, const Json& properties, std::size_t wanted) {
  const std::size_t has = number_in(properties.at("default_generation_settings"), "n_ctx");
  require(has > 0 || wanted > 0, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: the server does not report its context; give a context", server.url());
  });
  require(has == 0 || wanted <= has, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: the server's context is {} tokens, {} were asked for", server.url(),
                       has, wanted);
  });
  return wanted > 0 ? wanted : has;
}

PromptFrame frame_of(const LlamaServerApi& api, bool chat) {
  if (!chat) return {.start = api.start()};
  auto [before, after] = api.chat_frame();
  return {
      .start = api.start(), .chat = true, .before = std::move(before), .after = std::move(after)};
}

/// The tokens after a node that belong to labels.
Tokens scored_after(const LabelTrie& trie, const TrieNode& node) {
  Tokens tokens;
  for (const std::size_t next : node.next) {
    if (trie.nodes()[next].scored) tokens.push_back(trie.nodes()[next].token);
  }
  return tokens;
}

class LlamaServer final : public LanguageModel {
 public:
  LlamaServer(JsonServer server, const Json& properties, Question question,
              const LanguageModelOptions& options)
      : name_(model_name(properties)),
        size_(model_size(server, options.server_model)),
        chat_(options.chat),
        concurrency_(options.concurrency),
        context_(context_of(server, properties, options.context)),
        question_(std::move(question)),
        api_(std::move(server), options.server_model),
        frame_(frame_of(api_, options.chat)) {
    // Whether it gives probabilities is better known before the first text is sent.
    const Tokens prompt = api_.tokenize("The sun");
    (void)api_.next_token(prompt, prompt);
  }

  [[nodiscard]] std::string description() const override {
    return fmt::format(
        "server:{}, llama-server, model '{}' by that name only, its content is not known, context "
        "{}{}",
        api_.url(), name_, context_, chat_ ? ", chat" : "");
  }

  [[nodiscard]] std::string identity() const override {
    return fmt::format("server/llama-server url={} model={}{} context={} chat={} prompts={}",
                       api_.url(), name_, size_, context_, chat_, PromptTokens::version);
  }

  [[nodiscard]] std::vector<ScoredText> score(const LabeledText& reference,
                                              std::span<const std::string> texts) const override {
    const PromptTokens& asked = prompts();
    const ReferencePrompt shared = asked.reference(reference);
    std::vector<ScoredText> scored(texts.size());
    // A text's requests follow one another, so that the server finds the last one's prompt.
    parallel_for(texts.size(), 1, concurrency_, [&](std::size_t t, std::size_t) {
      scored[t] = score_text(asked.prompts(shared, texts[t]));
    });
    if (!scored.empty()) scored.front().tokens += shared.shared.size();
    return scored;
  }

  /// From above: how many tokens there are is known to the server only. No more than the bytes, a
  /// digit or six each.
  [[nodiscard]] ScoringCost cost(const LabeledText& reference,
                                 std::span<const std::string> texts) const override {
    constexpr std::size_t id_size = 7;
    constexpr std::size_t around = 300;
    const std::size_t num_labels = question_.labels.size();
    std::size_t asked = 0;
    for (const std::string& label : question_.labels.names()) asked += 2 * (label.size() + 2);
    const std::size_t words = question_.prompt.source().size() + asked + around;
    ScoringCost cost{.requests = 5 + 3 * num_labels};
    cost.bytes_sent = 2 * Json(reference.text).dump().size() + (5 + 3 * num_labels) * words;
    for (const std::string& text : texts) {
      const std::string prompt =
          question_.prompt.prompt(reference.text, question_.labels[reference.label], text);
      const std::size_t bytes = Json(prompt).dump().size() + around;
      cost.requests += num_labels + 2 + asked;
      cost.bytes_sent += (num_labels + 2) * bytes + asked * (id_size * prompt.size() + around);
    }
    return cost;
  }

 private:
  /// Made when it is needed first: the server cuts the template and the labels into tokens for it,
  /// and nothing of the user's is sent before that.
  [[nodiscard]] const PromptTokens& prompts() const {
    // Not std::call_once: what it does with exceptions the thread sanitizer does not know, and
    // waits.
    const std::lock_guard lock(making_prompts_);
    if (!prompts_) prompts_.emplace(api_, question_, context_, frame_);
    return *prompts_;
  }

  [[nodiscard]] ScoredText score_text(const TextPrompts& prompts) const {
    const LabelTrie trie(prompts.labels, prompts.shared);
    const std::vector<double> log_probabilities = ask(prompts, trie);
    ScoredText scored{.shortened = prompts.shortened, .tokens = trie.evaluated()};
    for (Label y = 0; y < prompts.labels.size(); ++y) {
      scored.labels.push_back(trie.likelihood(y, log_probabilities));
    }
    return scored;
  }

  /// For every node that belongs to a label, its log-probability after what stands before it.
  [[nodiscard]] std::vector<double> ask(const TextPrompts& prompts, const LabelTrie& trie) const {
    std::vector<double> result(trie.nodes().size());
    for (const TrieNode& node : trie.nodes()) {
      if (!node.predicts) continue;
      const Tokens& tokens = prompts.labels[node.labels.front()].tokens;
      const std::vector<double> after =
          api_.next_token(std::span(tokens).first(node.position + 1), scored_after(trie, node));
      std::size_t found = 0;
      for (const std::size_t next : node.next) {
        if (trie.nodes()[next].scored) result[next] = after[found++];
      }
    }
    return result;
  }

  std::string name_;
  std::string size_;
  bool chat_;
  std::size_t concurrency_;
  std::size_t context_;
  Question question_;
  LlamaServerApi api_;
  PromptFrame frame_;
  mutable std::mutex making_prompts_;
  mutable std::optional<PromptTokens> prompts_;
};

std::string percent_encoded(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_';
    result += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

}  // namespace

Json llama_server_properties(const JsonServer& server, const LanguageModelOptions& options) {
  const std::string& model = options.server_model;
  JsonAnswer answer =
      server.get(model.empty() ? "/props" : "/props?model=" + percent_encoded(model));
  if (!answer.ok() || !answer.body.is_object()) return {};
  if (!answer.body.contains("default_generation_settings")) return {};
  require(text_in(answer.body, "role") != "router", ErrorKind::invalid_input, [&] {
    return fmt::format("{}: this llama-server has several models; name one (server model)",
                       server.url());
  });
  return std::move(answer.body);
}

std::unique_ptr<LanguageModel> make_llama_server(JsonServer server, const Json& properties,
                                                 Question question,
                                                 const LanguageModelOptions& options) {
  return std::make_unique<LlamaServer>(std::move(server), properties, std::move(question), options);
}

}  // namespace caos::text
