#include "apps/studio/http/answer.hpp"

#include <nlohmann/json.hpp>

namespace caos::studio::http {
namespace {

struct Meaning {
  int status;
  const char* kind;
};

Meaning meaning_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid_input:
      return {400, "invalid_input"};
    case ErrorKind::bad_format:
      return {400, "bad_format"};
    case ErrorKind::not_found:
      return {404, "not_found"};
    case ErrorKind::backend:
      break;
  }
  return {500, "backend"};
}

}  // namespace

Answer json_answer(std::string text, int status) {
  return {.status = status, .content_type = "application/json", .body = std::move(text)};
}

Answer error_answer(int status, std::string_view kind, std::string_view message) {
  using Json = nlohmann::ordered_json;
  const Json json = {{"error", {{"kind", kind}, {"message", message}}}};
  return json_answer(json.dump(-1, ' ', false, Json::error_handler_t::replace), status);
}

Answer error_answer(const Error& error) {
  const Meaning meaning = meaning_of(error.kind());
  return error_answer(meaning.status, meaning.kind, error.what());
}

}  // namespace caos::studio::http
