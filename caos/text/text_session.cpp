#include "caos/text/text_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"

namespace caos {
namespace {

std::unique_ptr<text::LanguageModel> open_model(const TextSessionOptions& options) {
  return text::open_language_model(options.model, options.question, options.model_options);
}

text::ScoreStore open_store(const TextSessionOptions& options, const text::LanguageModel& model) {
  const text::Question& question = options.question;
  const bool on_disk =
      !options.store.empty() &&
      (options.make_store || text::ScoreStore::exists(options.store, model, question));
  return on_disk ? text::ScoreStore::open(options.store, model, question)
                 : text::ScoreStore::in_memory(model, question);
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

void check_identity(const TextScoreRecord& record, const text::LanguageModel& model,
                    const std::string& name) {
  require(model.identity() == record.identity, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: was calibrated with the model '{}'; '{}' gives other scores", name,
                       record.identity, model.identity());
  });
}

}  // namespace

TextSession::TextSession(TextSessionOptions options) : TextSession(options, open_model(options)) {}

TextSession::TextSession(TextSessionOptions options,
                         std::shared_ptr<const text::LanguageModel> model)
    : options_(std::move(options)) {
  text::ScoreStore store = open_store(options_, *model);
  source_ = std::make_shared<Source>(Source{std::move(model), std::move(store)});
}

TextSession TextSession::with_progress(TextProgress progress, std::uint64_t expected_pairs) const {
  TextSession session(options_, source_);
  session.progress_ = std::move(progress);
  session.expected_pairs_ = expected_pairs;
  return session;
}

/// A program answers one request at a time; a second thread stores its answers meanwhile. More
/// threads would wait in a queue that takes long to leave when scoring is to stop.
std::size_t TextSession::threads() const {
  if (!options_.model.starts_with("command:")) return options_.threads;
  return std::min<std::size_t>(num_threads(options_.threads), 2);
}

TextScoreRecord TextSession::record() const {
  return {.model = options_.model,
          .identity = model().identity(),
          .context = options_.model_options.context,
          .chat = options_.model_options.chat,
          .server_model = options_.model_options.server_model,
          .prompt = options_.question.prompt.source(),
          .normalization = options_.normalization};
}

void TextSession::forget() {
  if (!store().path().empty()) return;
  source_->store = text::ScoreStore::in_memory(model(), options_.question);
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

TextSession reopen_session(const TextScoreRecord& record, text::LabelSpace labels,
                           const std::string& name, TextSessionOptions given) {
  TextSessionOptions options = options_like(record, std::move(given));
  options.question = {
      .prompt = text::PromptTemplate::parse(record.prompt, "the template in " + name),
      .labels = std::move(labels)};
  auto model = open_model(options);
  check_identity(record, *model, name);
  return {std::move(options), std::move(model)};
}

}  // namespace caos
