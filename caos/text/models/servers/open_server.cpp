#include "caos/text/models/servers/open_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "caos/error.hpp"
#include "caos/io/mapped_file.hpp"

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

std::vector<OfferedModel> read_models(const Json& body) {
  std::vector<OfferedModel> models;
  for (const Json& model : body.at("data")) {
    models.push_back({.name = model.at("id").get<std::string>()});
    const auto context = model.find("max_model_len");  // vLLM's
    if (context != model.end() && context->is_number_unsigned()) {
      models.back().context = context->get<std::size_t>();
    }
  }
  return models;
}

/// The models of a server; none where it does not list them.
std::vector<OfferedModel> offered_models(const JsonServer& server) {
  const JsonAnswer answer = server.get("/v1/models");
  if (!answer.ok() || !answer.body.is_object()) return {};
  try {
    return read_models(answer.body);
  } catch (const Json::exception&) {
    return {};
  }
}

}  // namespace

JsonServer open_json_server(const std::string& url, const LanguageModelOptions& options) {
  return JsonServer(HttpClient(parse_server_url(url), {.key = key_of(options),
                                                       .timeout_seconds = options.timeout_seconds,
                                                       .retries = options.retries,
                                                       .concurrency = options.concurrency}));
}

OfferedModel choose_model(const JsonServer& server, const std::string& wanted) {
  const std::vector<OfferedModel> models = offered_models(server);
  if (models.empty()) {
    require(!wanted.empty(), ErrorKind::invalid_input, [&] {
      return fmt::format("{}: the server does not list its models; name one (server model)",
                         server.url());
    });
    return {.name = wanted};
  }
  if (wanted.empty()) return models.front();
  const auto found = std::ranges::find(models, wanted, &OfferedModel::name);
  require(found != models.end(), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: the server has no model '{}'; it has '{}'{}", server.url(), wanted,
                       models.front().name, models.size() > 1 ? " and others" : "");
  });
  return *found;
}

std::size_t bytes_of_each_text(std::size_t context, std::size_t fixed) {
  if (context == 0) return SIZE_MAX;
  require(fixed + 2 <= context * bytes_per_token, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "a context of {} tokens, at {} bytes each, leaves no space for texts: the prompt template "
        "and the labels take {} bytes; use a shorter template or a larger context",
        context, bytes_per_token, fixed);
  });
  return (context * bytes_per_token - fixed) / 2;
}

}  // namespace caos::text
