#include "caos/text/models/servers/completions_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/io/utf8.hpp"
#include "caos/text/models/servers/echo.hpp"
#include "caos/text/models/servers/open_server.hpp"

namespace caos::text {
namespace {

constexpr const char* completions_path = "/v1/completions";
constexpr const char* probe = "The sun rises in the east.";

/// The prompt without its texts, and the longest label, which may stand in it twice.
std::size_t fixed_bytes(const Question& question) {
  std::size_t label = 0;
  for (const std::string& name : question.labels.names()) label = std::max(label, name.size() + 1);
  return question.prompt.prompt("", "", "").size() + 2 * label;
}

class CompletionsServer final : public LanguageModel {
 public:
  CompletionsServer(JsonServer server, Question question, const LanguageModelOptions& options)
      : server_(std::move(server)),
        question_(std::move(question)),
        model_(choose_model(server_, options.server_model)),
        concurrency_(options.concurrency),
        context_(options.context > 0 ? options.context : model_.context),
        text_share_(bytes_of_each_text(context_, fixed_bytes(question_))) {
    find_out_how_to_ask();
  }

  [[nodiscard]] std::string description() const override {
    return fmt::format("server:{}, model '{}' by that name only, its content is not known{}",
                       server_.url(), model_.name,
                       context_ > 0 ? fmt::format(", context {}", context_) : "");
  }

  [[nodiscard]] std::string identity() const override {
    return fmt::format("server/completions url={} model={} context={} bytes-per-token={}",
                       server_.url(), model_.name, context_, bytes_per_token);
  }

  [[nodiscard]] std::vector<ScoredText> score(const LabeledText& reference,
                                              std::span<const std::string> texts) const override {
    const std::size_t num_labels = question_.labels.size();
    std::vector<ScoredText> scored(texts.size());
    std::vector<std::string> prompts(texts.size());
    std::vector<std::vector<std::string>> tokens(texts.size());
    each(texts.size(), [&](std::size_t t) {
      prompts[t] = prompt(reference, texts[t]);
      scored[t].shortened = is_cut(reference.text) || is_cut(texts[t]);
      scored[t].labels.resize(num_labels);
      tokens[t] = echo(prompts[t]).tokens;
    });
    std::vector<std::size_t> lengths(texts.size() * num_labels);
    each(lengths.size(), [&](std::size_t i) {
      const std::size_t t = i / num_labels;
      const auto y = static_cast<Label>(i % num_labels);
      const Echo whole = echo(fmt::format("{} {}", prompts[t], question_.labels[y]));
      lengths[i] = whole.tokens.size();
      scored[t].labels[y] = label_likelihood(tokens[t], whole, y);
    });
    for (std::size_t t = 0; t < texts.size(); ++t) scored[t].tokens = tokens[t].size();
    for (std::size_t i = 0; i < lengths.size(); ++i) scored[i / num_labels].tokens += lengths[i];
    return scored;
  }

  [[nodiscard]] ScoringCost cost(const LabeledText& reference,
                                 std::span<const std::string> texts) const override {
    ScoringCost cost{.requests = texts.size() * (question_.labels.size() + 1)};
    for (const std::string& text : texts) {
      const std::string asked = prompt(reference, text);
      cost.bytes_sent += request(asked, generated_).dump().size();
      for (const std::string& label : question_.labels.names()) {
        cost.bytes_sent += request(fmt::format("{} {}", asked, label), generated_).dump().size();
      }
      cost.shortened += is_cut(reference.text) || is_cut(text) ? 1U : 0U;
    }
    return cost;
  }

 private:
  template <typename Body>
  void each(std::size_t count, Body&& body) const {
    parallel_for(count, 1, concurrency_, [&](std::size_t first, std::size_t) { body(first); });
  }

  [[nodiscard]] bool is_cut(const std::string& text) const { return text.size() > text_share_; }

  [[nodiscard]] std::string_view cut(const std::string& text) const {
    return std::string_view(text).substr(0, character_start(text, text_share_));
  }

  [[nodiscard]] std::string prompt(const LabeledText& reference, const std::string& text) const {
    return question_.prompt.prompt(cut(reference.text), question_.labels[reference.label],
                                   cut(text));
  }

  [[nodiscard]] Json request(const std::string& prompt, std::size_t generated) const {
    return {{"model", model_.name}, {"prompt", prompt}, {"max_tokens", generated},
            {"echo", true},         {"logprobs", 1},    {"temperature", 0}};
  }

  /// Some servers generate nothing when asked to, others insist on one token. The words of the last
  /// refusal are kept, because they say what is wrong.
  void find_out_how_to_ask() {
    std::string said;
    for (generated_ = 0; generated_ < 2; ++generated_) {
      const JsonAnswer answer = server_.ask(completions_path, request(probe, generated_));
      if (answer.ok() && echoes_probe(answer.body)) return;
      if (!answer.ok()) said = fmt::format(" (it answered {}: {})", answer.status, answer.said);
    }
    server_.fail(completions_path,
                 "this server does not return log-probabilities of the prompt (echo); vLLM and "
                 "llama-server do" +
                     said);
  }

  [[nodiscard]] bool echoes_probe(const Json& answer) const {
    try {
      return spells(read_echo(answer, generated_).tokens, probe);
    } catch (const Json::exception&) {
      return false;
    } catch (const WrongAnswer&) {
      return false;
    }
  }

  [[nodiscard]] Echo echo(const std::string& prompt) const {
    const JsonAnswer answer = server_.ask(completions_path, request(prompt, generated_));
    if (!answer.ok()) refused(answer);
    Echo echo = server_.reading(
        completions_path, "the answer has no log-probabilities of the prompt that can be used",
        [&] { return read_echo(answer.body, generated_); });
    if (!spells(echo.tokens, prompt)) {
      server_.fail(completions_path, "the tokens of the answer are not those of the prompt");
    }
    return echo;
  }

  [[noreturn]] void refused(const JsonAnswer& answer) const {
    server_.fail(completions_path,
                 fmt::format("the server answered {}: {}; where a prompt is too long for it, a "
                             "smaller context cuts the texts",
                             answer.status, answer.said));
  }

  [[nodiscard]] LabelLikelihood label_likelihood(const std::vector<std::string>& prompt,
                                                 const Echo& whole, Label y) const {
    const LabelLikelihood likelihood = likelihood_after(prompt, whole);
    if (likelihood.tokens == 0) {
      server_.fail(completions_path, fmt::format("the label '{}' has no tokens of its own in the "
                                                 "answer",
                                                 question_.labels[y]));
    }
    return likelihood;
  }

  JsonServer server_;
  Question question_;
  OfferedModel model_;
  std::size_t concurrency_;
  std::size_t context_;
  std::size_t text_share_;
  std::size_t generated_ = 0;
};

}  // namespace

std::unique_ptr<LanguageModel> make_completions_server(JsonServer server, Question question,
                                                       const LanguageModelOptions& options) {
  require(
      !options.chat, ErrorKind::invalid_input,
      "a completions server does not report its chat template; leave out chat and write it into the "
      "prompt template");
  return std::make_unique<CompletionsServer>(std::move(server), std::move(question), options);
}

}  // namespace caos::text
