#include "caos/text/text_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"

namespace caos {
namespace {

std::unique_ptr<text::LanguageModel> open_model(
    const TextSessionOptions& options, const text::Question& question,
    const std::function<void(const text::LanguageModel&)>& accept) {
  auto model = text::open_language_model(options.model, question, options.model_options);
  if (accept) accept(*model);
  return model;
}

text::ScoreStore open_store(const TextSessionOptions& options, const text::LanguageModel& model,
                            const text::Question& question) {
  const bool on_disk =
      !options.store.empty() &&
      (options.make_store || text::ScoreStore::exists(options.store, model, question));
  return on_disk ? text::ScoreStore::open(options.store, model, question)
                 : text::ScoreStore::in_memory(model, question);
}

/// A program answers one at a time; a second thread keeps what it has said meanwhile. More of them
/// would stand in a queue that takes long to leave when scoring is to stop.
std::size_t threads_for(const std::string& model, std::size_t threads) {
  if (!model.starts_with("command:")) return threads;
  return std::min<std::size_t>(num_threads(threads), 2);
}

/// Without characters that a terminal would hide or obey, nearly all of it: the user is to read it.
std::string escaped(const std::string& text) {
  constexpr std::size_t longest = 1000;
  std::string result;
  for (const char c : text.substr(0, longest)) {
    const bool plain = c >= ' ' && c <= '~';
    result += plain ? std::string(1, c) : fmt::format("\\x{:02x}", c & 0xff);
  }
  if (text.size() > longest) result += fmt::format("... ({} bytes)", text.size());
  return result;
}

/// One word for a shell.
std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '\'' ? std::string(R"('\'')") : std::string(1, c);
  return "'" + result + "'";
}

std::string recipient(const std::string& model) {
  return model.starts_with("command:") ? "the program that it names, which would run here"
                                       : escaped(text::destination_of(model));
}

}  // namespace

TextSession::TextSession(TextSessionOptions options, text::Question question,
                         const std::function<void(const text::LanguageModel&)>& accept)
    : options_(std::move(options)),
      question_(std::move(question)),
      model_(open_model(options_, question_, accept)),
      store_(open_store(options_, *model_, question_)) {}

TextScoringOptions TextSession::scoring_options(
    std::function<void(const TextScoringProgress&)> progress) const {
  return {.normalization = options_.normalization,
          .threads = threads_for(options_.model, options_.threads),
          .progress = std::move(progress)};
}

TextScorer TextSession::scorer(std::function<void(const TextScoringProgress&)> progress) {
  return {*model_, question_, store_, scoring_options(std::move(progress))};
}

TextScoreRecord TextSession::record() const {
  return {.model = options_.model,
          .identity = model_->identity(),
          .context = options_.model_options.context,
          .chat = options_.model_options.chat,
          .server_model = options_.model_options.server_model,
          .prompt = question_.prompt.source(),
          .normalization = options_.normalization};
}

void TextSession::forget() {
  if (store_.path().empty()) store_ = text::ScoreStore::in_memory(*model_, question_);
}

TextSessionOptions options_like(const TextScoreRecord& record, TextSessionOptions given) {
  if (given.model.empty()) given.model = record.model;
  if (text::is_score_file(record.model)) return given;
  given.normalization = record.normalization;
  given.model_options.context = record.context;
  given.model_options.chat = record.chat;
  if (given.model_options.server_model.empty()) {
    given.model_options.server_model = record.server_model;
  }
  return given;
}

text::Question question_of(const TextModel& model, const std::string& name) {
  return {.prompt = text::PromptTemplate::parse(model.scoring.prompt, "the template in " + name),
          .labels = model.labels};
}

void check_consent(const TextScoreRecord& record, const std::string& name,
                   const std::string& option) {
  require(!text::leaves_program(record.model), ErrorKind::invalid_input, [&] {
    const std::string model = quoted(escaped(record.model));
    return fmt::format(
        "{}: was calibrated with the model {}; texts and labels would be sent to {}. A file alone "
        "does not decide that: if you agree, name the model: {}{}",
        name, model, recipient(record.model), option, model);
  });
}

void check_identity(const TextScoreRecord& record, const text::LanguageModel& model,
                    const std::string& name) {
  require(model.identity() == record.identity, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: was calibrated with the model '{}'; '{}' gives other scores", name,
                       record.identity, model.identity());
  });
}

}  // namespace caos
