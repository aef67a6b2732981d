#include "apps/studio/http/dispatcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <exception>
#include <thread>
#include <utility>

#include "caos/io/file_descriptor.hpp"
#include "caos/io/write_whole.hpp"

namespace caos::studio::http {
namespace {

constexpr std::size_t form_bytes = 4096;
constexpr std::size_t most_skipped = 1 << 18;
constexpr std::size_t max_slowed = 16;
constexpr auto wrong_token_time = std::chrono::milliseconds(300);

std::vector<std::string> values(const httplib::Request& head, const std::string& name) {
  std::vector<std::string> found;
  const auto [begin, end] = head.headers.equal_range(name);
  for (auto header = begin; header != end; ++header) found.push_back(header->second);
  return found;
}

Sender sender_of(const httplib::Request& head) {
  return {.method = head.method,
          .path = head.path,
          .hosts = values(head, "Host"),
          .origins = values(head, "Origin"),
          .fetch_site = head.get_header_value("Sec-Fetch-Site"),
          .authorization = head.get_header_value("Authorization"),
          .cookies = head.get_header_value("Cookie")};
}

std::map<std::string, std::string> query_of(const httplib::Request& head) {
  std::map<std::string, std::string> query;
  for (const auto& entry : head.params) {
    require(query.insert(entry).second, ErrorKind::invalid_input,
            [&] { return fmt::format("'{}' is given twice in the address", entry.first); });
  }
  return query;
}

Request request_of(const httplib::Request& head, Match match) {
  return {.method = head.method == "HEAD" ? "GET" : head.method,
          .path = head.path,
          .arguments = std::move(match.arguments),
          .query = query_of(head),
          .content_type = head.get_header_value("Content-Type"),
          .if_none_match = head.get_header_value("If-None-Match"),
          .cookies = head.get_header_value("Cookie"),
          .origin = head.get_header_value("Origin")};
}

Answer not_allowed(const httplib::Request& head, const std::string& allow) {
  if (head.method == "OPTIONS") return {.status = 204, .headers = {{"Allow", allow}}};
  Answer answer = error_answer(405, "invalid_input",
                               fmt::format("{} knows {}, not {}", head.path, allow, head.method));
  answer.headers.emplace_back("Allow", allow);
  return answer;
}

std::string media_type(const std::string& content_type) {
  std::string type = content_type.substr(0, content_type.find(';'));
  while (type.ends_with(' ')) type.pop_back();
  std::ranges::transform(type, type.begin(), [](unsigned char c) { return std::tolower(c); });
  return type;
}

/// None of these but the form's can be sent by another site's page without the browser's asking us
/// first, which we refuse; the form is protected by its origin.
std::string wanted_type(Body body, const std::string& type) {
  switch (body) {
    case Body::json:
      return type == "application/json" ? "" : "application/json";
    case Body::form:
      return type == "application/x-www-form-urlencoded" ? "" : "application/x-www-form-urlencoded";
    case Body::upload:
    case Body::file:
      return type == "application/octet-stream" || type == "application/zip" ||
                     type.starts_with("image/")
                 ? ""
                 : "application/octet-stream";
    case Body::none:
      break;
  }
  return "";
}

std::size_t most_bytes(Body body, const Limits& limits) {
  switch (body) {
    case Body::json:
      return limits.json_bytes;
    case Body::form:
      return form_bytes;
    case Body::upload:
      return limits.upload_bytes;
    case Body::file:
      return limits.file_bytes;
    case Body::none:
      break;
  }
  return 0;
}

Answer too_large(Body body, std::size_t most) {
  if (body == Body::none) return error_answer(400, "invalid_input", "this request takes no body");
  return error_answer(
      413, "too_large",
      fmt::format("the body is larger than {:.4g} MB{}", static_cast<double>(most) / (1 << 20),
                  body == Body::upload ? ", the limit that --max-upload sets" : ""));
}

Answer busy() {
  Answer answer = error_answer(503, "busy", "too much is being uploaded at once; try again");
  answer.headers.emplace_back("Retry-After", "1");
  return answer;
}

Answer late() { return error_answer(408, "invalid_input", "the body did not come, or too slowly"); }

/// Reads the rest of an unread body, if it is small: else no other request can
/// follow.
bool skip_body(Connection& connection) {
  if (connection.unread() > most_skipped) return false;
  return connection.read_body([](std::string_view) {});
}

/// Takes a share of what all may use, and gives it back.
class Share {
 public:
  Share(std::atomic<std::size_t>& used, std::size_t size, std::size_t most)
      : used_(used), size_(size), granted_(used.fetch_add(size) + size <= most) {}
  ~Share() { used_ -= size_; }
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;

  [[nodiscard]] bool granted() const { return granted_; }

 private:
  std::atomic<std::size_t>& used_;
  std::size_t size_;
  bool granted_;
};

}  // namespace

std::optional<std::size_t> body_size(const httplib::Request& head) {
  const auto lengths = values(head, "Content-Length");
  if (head.has_header("Transfer-Encoding") || head.has_header("Content-Encoding")) return {};
  if (lengths.empty()) return 0;
  std::size_t size = 0;
  const char* last = lengths[0].data() + lengths[0].size();
  const auto [end, error] = std::from_chars(lengths[0].data(), last, size);
  const bool whole = error == std::errc() && end == last && lengths.size() == 1;
  return whole ? std::optional(size) : std::nullopt;
}

Answer Dispatcher::answer(const httplib::Request& head, Connection& connection) {
  const auto start = std::chrono::steady_clock::now();
  std::string pattern = "other";
  Answer answer;
  try {
    answer = route(head, connection, pattern);
  } catch (const Error& error) {
    answer = error_answer(Error(error.kind(), without_folder(error.what())));
  } catch (const std::bad_alloc&) {
    answer = error_answer(500, "backend", "out of memory");
  } catch (const std::exception& error) {
    answer = error_answer(500, "backend", without_folder(error.what()));
  }
  if (answer.status == 401) answer = slowed_down(std::move(answer));
  if (!skip_body(connection)) answer.headers.emplace_back("Connection", "close");
  metrics_.answered(head.method, pattern, answer.status, std::chrono::steady_clock::now() - start);
  return answer;
}

Answer Dispatcher::route(const httplib::Request& head, Connection& connection,
                         std::string& pattern) {
  const auto size = body_size(head);
  // The end of what follows such a head is unknown.
  connection.begin_body(size.value_or(SIZE_MAX));
  const Sender sender = sender_of(head);
  if (auto refusal = guard_.refusal(sender)) return *refusal;
  Match match = router_.find(head.method, head.path);
  if (match.allow.empty()) {
    return error_answer(404, "not_found", fmt::format("there is no {}", head.path));
  }
  if (match.route == nullptr) return not_allowed(head, match.allow);
  if (!size) return error_answer(411, "invalid_input", "a body needs its Content-Length, plain");
  pattern = match.route->pattern;
  const Route& found = *match.route;
  Request request = request_of(head, std::move(match));
  request.is_known = guard_.knows(sender);
  return call(found, std::move(request), connection);
}

Answer Dispatcher::call(const Route& route, Request request, Connection& connection) {
  const std::size_t most = most_bytes(route.body, limits_);
  if (connection.unread() > most) return too_large(route.body, most);
  const std::string type = wanted_type(route.body, media_type(request.content_type));
  if (!type.empty()) {
    return error_answer(415, "invalid_input", fmt::format("Content-Type must be {}", type));
  }
  if (route.body == Body::file) return call_with_file(route, std::move(request), connection);
  const Share share(bodies_bytes_, connection.unread(), limits_.bodies_bytes);
  if (!share.granted()) return busy();
  if (!connection.read_body([&](std::string_view piece) { request.body += piece; })) return late();
  return route.handler(request);
}

/// The file has no name, so that nothing remains of it whatever happens.
Answer Dispatcher::call_with_file(const Route& route, Request request, Connection& connection) {
  const io::Descriptor file(::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (!file) throw io::failed(folder_, "make a file in", errno);
  io::Sink sink(file.get(), "the uploaded file");
  if (!connection.read_body([&](std::string_view piece) { sink.write(piece); })) return late();
  sink.flush();
  request.file = fmt::format("/proc/self/fd/{}", file.get());
  return route.handler(request);
}

/// The location of the data matters only to the operator of the server, who knows it.
/// A relative path reveals nothing.
std::string Dispatcher::without_folder(std::string message) const {
  if (hidden_.size() < 2 || !hidden_.starts_with('/')) return message;
  constexpr std::string_view instead = "the data folder";
  for (std::size_t at = message.find(hidden_); at != std::string::npos;
       at = message.find(hidden_, at + instead.size())) {
    message.replace(at, hidden_.size(), instead);
  }
  return message;
}

/// Guessing tokens must take time, but not an unlimited number of threads.
Answer Dispatcher::slowed_down(Answer answer) {
  const Share share(num_slowed_, 1, max_slowed);
  if (!share.granted()) return error_answer(429, "busy", "too many wrong tokens at once");
  std::this_thread::sleep_for(wrong_token_time);
  return answer;
}

}  // namespace caos::studio::http
