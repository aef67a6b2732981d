#include "apps/cli/text/text_scoring_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caos/error.hpp"
#include "caos/scorers/log_likelihood.hpp"
#include "caos/text/encoders/encoder_folder.hpp"
#include "caos/text/encoders/text_encoders.hpp"

namespace caos::cli {
namespace {

/// Whether the name says what kind of model it is, and which.
bool is_known(const std::string& model) {
  constexpr const char* kinds[] = {"llama:",  "encoder:",     "embed:",   "embed-server:",
                                   "server:", "chat-server:", "command:", "scores:"};
  return model == "builtin" || std::ranges::any_of(kinds, [&](const std::string& kind) {
           return model.starts_with(kind) && model.size() > kind.size();
         });
}

void refuse_if(bool wrong, const std::string& why) {
  if (wrong) throw Error(ErrorKind::invalid_input, why);
}

/// Scores that exist already leave nothing to choose.
void check_with_score_file(const ScoringOptions& options) {
  const std::pair<const char*, bool> given[] = {
      {"--template", !options.template_file.empty()},
      {"--normalization", options.normalization_name != "average"},
      {"--context", options.model_options.context > 0},
      {"--chat", options.model_options.chat},
      {"--store", !options.store.empty()}};
  for (const auto& [name, is_given] : given) {
    refuse_if(is_given,
              fmt::format("{} does not go with scores:FILE, which holds scores already", name));
  }
}

/// An encoder is not asked for likelihoods.
void check_with_encoder(const ScoringOptions& options) {
  const std::pair<const char*, bool> given[] = {
      {"--template", !options.template_file.empty()},
      {"--normalization", options.normalization_name != "average"}};
  for (const auto& [name, is_given] : given) {
    refuse_if(is_given, fmt::format("{} is for language models; an encoder has none", name));
  }
}

/// Options of one kind of model.
void check_goes_with_model(const ScoringOptions& options) {
  const bool has_context = options.model.starts_with("llama:") ||
                           options.model.starts_with("embed:") || is_server(options.model);
  refuse_if(options.model_options.context > 0 && !has_context,
            "--context goes with --model llama:FILE.gguf, embed:FILE.gguf, server:URL, "
            "chat-server:URL or embed-server:URL only");
  const bool has_chat = options.model.starts_with("llama:") || options.model.starts_with("server:");
  refuse_if(options.model_options.chat && !has_chat,
            "--chat goes with --model llama:FILE.gguf or server:URL only");
  const ScoringOptions unset;
  const bool for_server = !options.model_options.server_model.empty() ||
                          !options.model_options.key_variable.empty() ||
                          !options.model_options.key_file.empty() ||
                          options.model_options.retries != unset.model_options.retries ||
                          options.model_options.concurrency != unset.model_options.concurrency;
  refuse_if(for_server && !is_server(options.model),
            "--server-model, --key-variable, --key-file, --retries and --concurrency go with "
            "--model server:URL, chat-server:URL or embed-server:URL only");
  refuse_if(options.timeout != unset.timeout && !is_server(options.model) &&
                !options.model.starts_with("command:"),
            "--timeout goes with servers and --model command:PROGRAM only");
}

}  // namespace

std::string language_model_choices(const std::string& score_shape) {
  return fmt::format(
      "builtin, llama:FILE.gguf, server:URL, chat-server:URL, 'command:PROGRAM ARGUMENTS', or "
      "scores:FILE.npy {}",
      score_shape);
}

std::string model_choices(const std::string& score_shape) {
  return "encoder:DIR, embed:FILE.gguf, embed-server:URL, " + language_model_choices(score_shape);
}

void add_model_options(Command& command, ScoringOptions& options, const std::string& models) {
  command.add_option("--model", options.model, models)
      ->offers({"builtin", "encoder:", "embed:", "embed-server:", "llama:", "server:",
                "chat-server:", "command:", "scores:"})
      ->type_name("NAME")
      ->capture_default_str();
  add_path(command, "--template", options.template_file,
           "Prompt with the fields {reference_text}, {reference_label} and {text}; by default the "
           "paper's");
  command
      .add_option(
          "--normalization", options.normalization_name,
          "How a label's likelihood becomes a score: average, sum, per-byte, pmi or softmax; "
          "choose before looking at results")
      ->offers({"average", "sum", "per-byte", "pmi", "softmax"})
      ->type_name("NAME")
      ->capture_default_str();
  add_whole_number(command, "--context", options.model_options.context,
                   "Context length of a llama model or a server in tokens; by default its own")
      ->default_str("");
  command.add_flag("--chat", options.model_options.chat,
                   "Wrap the prompt in the model's own chat template");
}

void add_server_options(Command& command, ScoringOptions& options) {
  constexpr const char* group = "For servers";
  command
      .add_option("--server-model", options.model_options.server_model,
                  "Name of the server's model; by default its first")
      ->type_name("NAME")
      ->group(group);
  Option* variable = command
                         .add_option("--key-variable", options.model_options.key_variable,
                                     "Environment variable that holds the key")
                         ->type_name("NAME")
                         ->group(group);
  add_path(command, "--key-file", options.model_options.key_file, "File that holds the key")
      ->group(group)
      ->excludes(variable);
  add_whole_number(command, "--timeout", options.timeout,
                   "Timeout of an answer in seconds; ten times as long for command:")
      ->group(group);
  add_whole_number(command, "--retries", options.model_options.retries,
                   "Retries if the server is busy or fails", 0)
      ->group(group);
  add_whole_number(command, "--concurrency", options.model_options.concurrency,
                   "Concurrent requests")
      ->group(group);
}

void add_store_option(Command& command, ScoringOptions& options) {
  add_path(command, "--store", options.store,
           "Folder that keeps the model's answers, for any later alpha, k, method or normalization")
      ->type_name("DIR");
}

void add_reverse_option(Command& command, std::string& reverse, const std::string& shape) {
  add_path(command, "--reverse", reverse,
           fmt::format("For full-caos with scores:FILE, .npy {}: entry (x, y, i) is the score of "
                       "example i's own label under the reference (text x, label y)",
                       shape));
}

void check(const ScoringOptions& options, const std::string& reverse) {
  refuse_if(!is_known(options.model),
            fmt::format("--model {}: must be builtin, encoder:DIR, embed:FILE.gguf, "
                        "embed-server:URL, llama:FILE.gguf, server:URL, chat-server:URL, "
                        "command:PROGRAM or scores:FILE.npy",
                        options.model));
  static_cast<void>(parse_normalization(options.normalization_name));
  const bool from_file = is_score_file(options.model);
  if (from_file) check_with_score_file(options);
  if (text::is_encoder(options.model)) check_with_encoder(options);
  refuse_if(!from_file && !reverse.empty(),
            fmt::format("--reverse goes with scores:FILE only; {} scores what full-caos needs",
                        options.model));
  check_goes_with_model(options);
}

void check_reverse(const ScoringOptions& options, const std::string& reverse, bool full_caos) {
  const bool from_file = is_score_file(options.model);
  refuse_if(full_caos && from_file && reverse.empty(),
            "full-caos with scores:FILE needs --reverse FILE, the scores the other way round");
}

std::vector<std::string> model_files_of(const ScoringOptions& options) {
  std::vector<std::string> files = {options.template_file, score_file(options.model)};
  for (const std::string scheme : {"llama:", "embed:"}) {
    if (options.model.starts_with(scheme)) files.push_back(options.model.substr(scheme.size()));
  }
  if (options.model.starts_with("encoder:")) {
    for (std::string& file : text::encoder_files(options.model.substr(8))) {
      files.push_back(std::move(file));
    }
  }
  return files;
}

std::vector<std::string> files_of(const ScoringOptions& options) {
  std::vector<std::string> files = model_files_of(options);
  files.push_back(options.model_options.key_file);
  return files;
}

TextSessionOptions session_options(const ScoringOptions& options, text::LabelSpace labels) {
  TextSessionOptions session = options;
  session.model_options.timeout_seconds = static_cast<double>(options.timeout);
  session.normalization = parse_normalization(options.normalization_name);
  session.question.labels = std::move(labels);
  if (!options.template_file.empty()) {
    session.question.prompt = text::PromptTemplate::read(options.template_file);
  }
  return session;
}

ScoringOptions options_like(const TextScoreRecord& record, ScoringOptions options) {
  static_cast<TextSessionOptions&>(options) = caos::options_like(record, session_options(options));
  return options;
}

}  // namespace caos::cli
