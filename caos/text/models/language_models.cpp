#include "caos/text/models/language_models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/utf8.hpp"
#include "caos/text/models/builtin_model.hpp"
#include "caos/text/models/command_model.hpp"
#include "caos/text/models/llama/llama_model.hpp"
#include "caos/text/models/servers/chat_server.hpp"
#include "caos/text/models/servers/server_model.hpp"

namespace caos::text {
namespace {

/// A program may be a large model on a slow machine, and has to start first.
constexpr double patience_with_commands = 10;

constexpr std::string_view scores_prefix = "scores:";

constexpr std::string_view choices =
    "choose builtin, llama:FILE.gguf, server:URL, chat-server:URL or command:PROGRAM ARGUMENTS";

constexpr std::string_view server_schemes[] = {"server:", "chat-server:", "embed-server:"};

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::invalid_input, what); }

/// Takes "llama:" off "llama:FILE" and returns "FILE"; nothing may be missing.
std::string after_scheme(const std::string& text) {
  std::string rest = text.substr(text.find(':') + 1);
  if (rest.empty()) refuse(fmt::format("{} names nothing; {}", in_quotes(text), choices));
  return rest;
}

/// The first option that was set and that needs to know a model's tokens; empty if none was.
std::string_view token_option(const LanguageModelOptions& options) {
  if (options.context != 0) return "a context length";
  return options.chat ? "the chat template" : "";
}

bool has_own_timeout(const LanguageModelOptions& options) {
  return options.timeout_seconds != LanguageModelOptions{}.timeout_seconds;
}

std::string_view server_option(const LanguageModelOptions& options) {
  const LanguageModelOptions unset;
  if (options.server_model != unset.server_model) return "the model of a server";
  if (options.key_variable != unset.key_variable) return "a key";
  if (options.key_file != unset.key_file) return "a key";
  if (options.retries != unset.retries) return "retries";
  return options.concurrency != unset.concurrency ? "a number of requests at once" : "";
}

void refuse_option(std::string_view option, std::string_view owner, const std::string& model) {
  if (option.empty()) return;
  refuse(fmt::format("{} goes with {} alone, not with {}", option, owner, in_quotes(model)));
}

[[noreturn]] void refuse_model(const std::string& text) {
  if (text.starts_with(scores_prefix)) {
    refuse(
        fmt::format("{} holds scores and is not a language model; the program's commands that take "
                    "scores read them as model {}",
                    in_quotes(text), text));
  }
  if (text.starts_with("encoder:") || text.starts_with("embed:") ||
      text.starts_with("embed-server:")) {
    refuse(
        fmt::format("{} is an encoder, which the program's text commands use, and no language "
                    "model; here, {}",
                    in_quotes(text), choices));
  }
  const bool is_file = text.ends_with(".gguf") && text.find(':') == std::string::npos;
  refuse(fmt::format("{} is not a language model; {}", in_quotes(text),
                     is_file ? fmt::format("did you mean llama:{}?", text) : choices));
}

}  // namespace

std::unique_ptr<LanguageModel> open_language_model(const std::string& text, Question question,
                                                   const LanguageModelOptions& options) {
  const bool llama = text.starts_with("llama:");
  const bool chat = text.starts_with("chat-server:");
  const bool server = text.starts_with("server:") || chat;
  const bool command = text.starts_with("command:");
  if (!llama && !server && !command && text != "builtin") refuse_model(text);
  if (!llama && !server) {
    refuse_option(token_option(options), "llama:FILE or server:URL", text);
  }
  if (!server) refuse_option(server_option(options), "server:URL", text);
  if (!server && !command && has_own_timeout(options)) {
    refuse_option("a timeout", "server:URL or command:PROGRAM", text);
  }
  if (llama) return make_llama_model(after_scheme(text), std::move(question), options);
  if (chat) return make_chat_server(after_scheme(text), std::move(question), options);
  if (server) return make_server_model(after_scheme(text), std::move(question), options);
  if (command) {
    return make_command_model(after_scheme(text), std::move(question),
                              patience_with_commands * options.timeout_seconds);
  }
  return make_builtin_model(std::move(question));
}

bool is_server(const std::string& model) {
  return std::ranges::any_of(server_schemes,
                             [&](std::string_view scheme) { return model.starts_with(scheme); });
}

bool leaves_program(const std::string& model) {
  return is_server(model) || model.starts_with("command:");
}

std::string destination_of(const std::string& model) {
  if (!leaves_program(model)) return {};
  const std::size_t colon = model.find(':');
  if (model.starts_with("command:"))
    return fmt::format("the program '{}'", model.substr(colon + 1));
  std::string host = model.substr(colon + 1);
  const std::size_t scheme = host.find("://");
  if (scheme != std::string::npos) host.erase(0, scheme + 3);
  host.erase(std::min(host.size(), host.find('/')));
  const std::size_t user = host.rfind('@');  // a password must not be shown
  return user == std::string::npos ? host : host.substr(user + 1);
}

std::string score_file(const std::string& model) {
  return model.starts_with(scores_prefix) ? model.substr(scores_prefix.size()) : std::string();
}

}  // namespace caos::text
