#include "caos/text/models/servers/chat_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/utf8.hpp"
#include "caos/text/models/servers/chat_answer.hpp"
#include "caos/text/models/servers/open_server.hpp"

namespace caos::text {
namespace {

constexpr const char* chat_path = "/v1/chat/completions";
constexpr std::size_t most_labels = 20;  // also how many tokens are asked for
constexpr const char* unusable_answer = "the answer has no log-probabilities that can be used";

/// Older servers know the first, newer ones insist on the second.
constexpr const char* token_limits[] = {"max_tokens", "max_completion_tokens"};

constexpr const char* chat_probe =
    "Answer with the letter alone.\nA: yes\nB: no\n\nDoes the sun rise in the east?\nAnswer:";

/// What comes before the prompt: the labels and their letters.
std::string letters_of(const LabelSpace& labels) {
  std::string text = "These are the labels:\n";
  for (Label y = 0; y < labels.size(); ++y) {
    text += fmt::format("{}: {}\n", letter_of(y), labels[y]);
  }
  return text + "\nAnswer with the letter of the label alone.\n\n";
}

void check_chat(const LabelSpace& labels, const LanguageModelOptions& options) {
  require(labels.size() <= most_labels, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "chat-server takes at most {} labels, because chat servers list no more tokens, and there "
        "are {}; use server:URL or llama:FILE.gguf",
        most_labels, labels.size());
  });
  require(!options.chat, ErrorKind::invalid_input,
          "a chat server always uses its chat template; leave out chat");
}

/// The first tokens in a list, for an error.
std::string beginnings(const std::vector<ListedToken>& listed) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(listed.size(), 3); ++i) {
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", io::printable(listed[i].text));
  }
  return text;
}

class ChatServer final : public LanguageModel {
 public:
  ChatServer(JsonServer server, Question question, const LanguageModelOptions& options)
      : server_(std::move(server)),
        question_(std::move(question)),
        model_(choose_model(server_, options.server_model)),
        concurrency_(options.concurrency),
        context_(options.context > 0 ? options.context : model_.context),
        letters_(letters_of(question_.labels)),
        text_share_(
            bytes_of_each_text(context_, letters_.size() + question_.prompt.source().size())) {
    check_answer(first_answer());
  }

  [[nodiscard]] std::string description() const override {
    return fmt::format("chat-server:{}, model '{}' by that name only, its content is not known{}",
                       server_.url(), model_.name,
                       context_ > 0 ? fmt::format(", context {}", context_) : "");
  }

  [[nodiscard]] std::string identity() const override {
    return fmt::format("server/chat url={} model={} context={} bytes-per-token={} letters=1",
                       server_.url(), model_.name, context_, bytes_per_token);
  }

  [[nodiscard]] std::vector<ScoredText> score(const LabeledText& reference,
                                              std::span<const std::string> texts) const override {
    std::vector<ScoredText> scored(texts.size());
    parallel_for(texts.size(), 1, concurrency_,
                 [&](std::size_t t, std::size_t) { scored[t] = score_text(reference, texts[t]); });
    return scored;
  }

  [[nodiscard]] ScoringCost cost(const LabeledText& reference,
                                 std::span<const std::string> texts) const override {
    ScoringCost cost{.requests = texts.size()};
    for (const std::string& text : texts) {
      cost.bytes_sent += request(message(reference, text)).dump().size();
      cost.shortened += is_cut(reference.text) || is_cut(text) ? 1U : 0U;
    }
    return cost;
  }

 private:
  [[nodiscard]] bool is_cut(const std::string& text) const { return text.size() > text_share_; }

  [[nodiscard]] std::string_view cut(const std::string& text) const {
    return std::string_view(text).substr(0, character_start(text, text_share_));
  }

  [[nodiscard]] std::string message(const LabeledText& reference, const std::string& text) const {
    return letters_ +
           question_.prompt.prompt(cut(reference.text), letter_of(reference.label), cut(text));
  }

  [[nodiscard]] Json request(const std::string& message) const {
    return {{"model", model_.name},
            {"messages", {{{"role", "user"}, {"content", message}}}},
            {limit_, 1},
            {"logprobs", true},
            {"top_logprobs", most_labels},
            {"temperature", 0}};
  }

  [[nodiscard]] ScoredText score_text(const LabeledText& reference, const std::string& text) const {
    const JsonAnswer answer = server_.ask(chat_path, request(message(reference, text)));
    if (!answer.ok()) {
      server_.fail(chat_path,
                   fmt::format("the server answered {}: {}; where a prompt is too long for "
                               "it, a smaller context cuts the texts",
                               answer.status, answer.said));
    }
    const std::vector<ListedToken> listed =
        server_.reading(chat_path, unusable_answer, [&] { return read_first_token(answer.body); });
    return {.labels = letter_likelihoods(listed, question_.labels.size()),
            .shortened = is_cut(reference.text) || is_cut(text),
            .tokens = tokens_in(answer.body)};
  }

  /// Those of the prompt, where the server tells.
  [[nodiscard]] static std::uint64_t tokens_in(const Json& answer) {
    const Json usage = answer.value("usage", Json::object());
    const auto found = usage.is_object() ? usage.find("prompt_tokens") : usage.end();
    return found != usage.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
  }

  /// Finds out how to ask, with a question that has nothing of the user's.
  [[nodiscard]] std::vector<ListedToken> first_answer() {
    JsonAnswer answer;
    for (const char* limit : token_limits) {
      limit_ = limit;
      answer = server_.ask(chat_path, request(chat_probe));
      if (answer.ok()) break;
    }
    if (!answer.ok()) refuse(fmt::format("it answered {}: {}", answer.status, answer.said));
    try {
      return read_first_token(answer.body);
    } catch (const Json::exception&) {
      refuse("its answer has none");
    } catch (const WrongAnswer& error) {
      refuse(error.what());
    }
  }

  [[noreturn]] void refuse(const std::string& why) const {
    server_.fail(chat_path,
                 fmt::format("this server does not list the log-probabilities of {} tokens "
                             "(logprobs, top_logprobs), which chat-server needs: {}",
                             most_labels, why));
  }

  void check_answer(const std::vector<ListedToken>& listed) const {
    const std::size_t num_labels = question_.labels.size();
    if (listed.size() < num_labels) {
      server_.fail(chat_path, fmt::format("the server lists {} tokens of an answer, too few for {} "
                                          "labels",
                                          listed.size(), num_labels));
    }
    const bool has_letter = std::ranges::any_of(listed, [](const ListedToken& token) {
      return is_letter(token, 0) || is_letter(token, 1);
    });
    if (!has_letter) {
      server_.fail(chat_path,
                   fmt::format("the model '{}' does not answer a simple question with a "
                               "letter, but with {}; use a model that follows instructions "
                               "and does not reason before it answers",
                               model_.name, beginnings(listed)));
    }
  }

  JsonServer server_;
  Question question_;
  OfferedModel model_;
  std::size_t concurrency_;
  std::size_t context_;
  std::string letters_;
  std::size_t text_share_;
  const char* limit_ = token_limits[0];
};

}  // namespace

std::unique_ptr<LanguageModel> make_chat_server(const std::string& url, Question question,
                                                const LanguageModelOptions& options) {
  check_chat(question.labels, options);
  return std::make_unique<ChatServer>(open_json_server(url, options), std::move(question), options);
}

}  // namespace caos::text
