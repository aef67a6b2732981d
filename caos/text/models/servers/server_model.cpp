#include "caos/text/models/servers/server_model.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/text/models/servers/completions_server.hpp"
#include "caos/text/models/servers/llama_server.hpp"

namespace caos::text {
namespace {

std::string trimmed(std::string_view text) {
  constexpr const char* blank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(blank) + 1 - first));
}

std::string key_in_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  std::string key = value == nullptr ? "" : trimmed(value);
  require(!key.empty(), ErrorKind::invalid_input, [&] {
    return fmt::format("the environment variable {} for the server's key is not set or empty",
                       name);
  });
  return key;
}

std::string key_in_file(const std::string& path) {
  std::string key = trimmed(io::MappedFile::read(path).text());
  require(!key.empty(), ErrorKind::invalid_input,
          [&] { return fmt::format("{}: the file for the server's key is empty", path); });
  return key;
}

std::string key_of(const LanguageModelOptions& options) {
  require(options.key_variable.empty() || options.key_file.empty(), ErrorKind::invalid_input,
          "the server's key comes from a variable or from a file, not from both");
  if (!options.key_variable.empty()) return key_in_variable(options.key_variable);
  return options.key_file.empty() ? std::string() : key_in_file(options.key_file);
}

}  // namespace

std::unique_ptr<LanguageModel> make_server_model(const std::string& url, Question question,
                                                 const LanguageModelOptions& options) {
  JsonServer server(HttpClient(parse_server_url(url), {.key = key_of(options),
                                                       .timeout_seconds = options.timeout_seconds,
                                                       .retries = options.retries,
                                                       .concurrency = options.concurrency}));
  const Json properties = llama_server_properties(server, options);
  return properties.is_null()
             ? make_completions_server(std::move(server), std::move(question), options)
             : make_llama_server(std::move(server), properties, std::move(question), options);
}

}  // namespace caos::text
