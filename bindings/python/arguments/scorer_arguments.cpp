#include "bindings/python/arguments/scorer_arguments.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bindings/python/arguments/numbers.hpp"
#include "bindings/python/module/progress.hpp"
#include "caos/error.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

std::string path_text(const std::optional<std::filesystem::path>& path) {
  return path ? path->string() : std::string();
}

bool is_same(const TextSessionOptions& a, const TextSessionOptions& b) {
  const text::LanguageModelOptions& x = a.model_options;
  const text::LanguageModelOptions& y = b.model_options;
  return a.normalization == b.normalization && a.store == b.store && a.threads == b.threads &&
         x.context == y.context && x.chat == y.chat && x.server_model == y.server_model &&
         x.key_variable == y.key_variable && x.key_file == y.key_file &&
         x.timeout_seconds == y.timeout_seconds && x.retries == y.retries &&
         x.concurrency == y.concurrency;
}

}  // namespace

TextSessionOptions ConnectionArguments::session_options() const {
  require(std::isfinite(timeout_seconds) && timeout_seconds > 0, ErrorKind::invalid_input, [&] {
    return fmt::format("timeout_seconds: is {}; expected a number above 0", timeout_seconds);
  });
  check_progress(progress);
  return {.model_options = {.server_model = server_model.value_or(""),
                            .key_variable = key_variable.value_or(""),
                            .key_file = path_text(key_file),
                            .timeout_seconds = timeout_seconds,
                            .retries = count_of(retries, "retries"),
                            .concurrency = count_of(concurrency, "concurrency", 1)},
          .store = path_text(store),
          .threads = count_of(threads, "threads")};
}

TextSessionOptions ScorerArguments::session_options() const {
  TextSessionOptions options = connection.session_options();
  options.normalization = parse_normalization(normalization);
  options.model_options.context = count_of(context, "context");
  options.model_options.chat = chat;
  return options;
}

bool ScorerArguments::are_defaults() const {
  return prompt.is_none() && connection.progress.is_none() && is_same(session_options(), {});
}

}  // namespace caos::python
