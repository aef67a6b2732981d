#include "caos/text/models/servers/json_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"
#include "caos/text/json_reader.hpp"

namespace caos::text {
namespace {

/// Where servers put their words: {"error": {"message": ...}}, {"error": ...}, {"message": ...} or
/// {"detail": ...}.
const Json* message_in(const Json& body) {
  if (!body.is_object()) return nullptr;
  for (const char* key : {"error", "message", "detail"}) {
    const auto found = body.find(key);
    if (found == body.end()) continue;
    if (found->is_string()) return &*found;
    if (const Json* inner = message_in(*found); inner != nullptr) return inner;
  }
  return nullptr;
}

std::string serialized(const Json& body) {
  try {
    return body.dump();
  } catch (const Json::exception&) {
    throw Error(ErrorKind::invalid_input, "a text or label for the server is not UTF-8");
  }
}

}  // namespace

JsonAnswer JsonServer::read(const std::string& path, const HttpAnswer& answer) const {
  JsonAnswer result{.status = answer.status};
  result.body = parse_answer(answer.body);
  const Json* message = message_in(result.body);
  result.said =
      client_.quoted(message != nullptr ? message->get_ref<const std::string&>() : answer.body);
  if (answer.status == 401 || answer.status == 403) {
    fail(path, fmt::format("the server refuses the key, or wants one ({}): {}", answer.status,
                           result.said));
  }
  return result;
}

JsonAnswer JsonServer::get(const std::string& path) const { return read(path, client_.get(path)); }

JsonAnswer JsonServer::ask(const std::string& path, const Json& body) const {
  return read(path, client_.post(path, serialized(body)));
}

Json JsonServer::post(const std::string& path, const Json& body) const {
  JsonAnswer answer = ask(path, body);
  if (!answer.ok()) {
    fail(path, fmt::format("the server answered {}: {}", answer.status, answer.said));
  }
  if (answer.body.is_null()) fail(path, fmt::format("the answer is not JSON: {}", answer.said));
  return std::move(answer.body);
}

std::string JsonServer::reason(const Json::exception& error) {
  // Without the library's own number for it: "[json.exception.out_of_range.403] key ..."
  const std::string text = error.what();
  return text.substr(text.find("] ") + 2);
}

void JsonServer::fail(const std::string& path, const std::string& what) const {
  throw Error(ErrorKind::backend, fmt::format("{}{}: {}", url(), path, what));
}

double log_probability(const Json& value) {
  constexpr double rounding = 1e-5;
  const double number = value.is_number() ? value.get<double>() : HUGE_VAL;
  if (!std::isfinite(number) || number > rounding) {
    throw WrongAnswer(io::printable(value.dump()) + " is not a log-probability");
  }
  return std::min(number, 0.0);
}

}  // namespace caos::text
