#include "caos/text/models/servers/http_client.hpp"

#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "caos/error.hpp"
#include "caos/rng.hpp"
#include "caos/text/models/no_sigpipe.hpp"
#include "caos/text/models/watchdog.hpp"

namespace caos::text {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// How one attempt ended: with an answer, or with a reason why there is none.
struct Attempt {
  std::optional<HttpAnswer> answer{};
  std::string failure{};
  bool again = true;      ///< another attempt may end otherwise
  double asked_wait = 0;  ///< seconds that the server asks for
};

/// Not 501: what a server cannot do now it cannot do in a second either.
bool is_temporary(int status) { return status == 429 || (status >= 500 && status != 501); }

/// Retry-After in seconds. Its other form, a date, is not worth a calendar: our own wait stands in.
double retry_after(const httplib::Response& response) {
  const std::string text = response.get_header_value("Retry-After");
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(seconds) && seconds > 0 ? seconds : 0;
}

std::chrono::microseconds microseconds(double seconds) {
  return std::chrono::duration_cast<std::chrono::microseconds>(Seconds(seconds));
}

/// Collects the body of an answer as long as it is neither too large nor too late.
struct Body {
  std::size_t largest = 0;
  Clock::time_point deadline{};
  std::string text{};
  bool too_large = false;

  bool take(const char* data, std::size_t size) {
    too_large = size > largest - text.size();
    if (too_large || Clock::now() > deadline) return false;
    text.append(data, size);
    return true;
  }
};

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  if (what.empty()) return text;
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

void check_key(const ServerUrl& url, const std::string& key) {
  if (key.empty()) return;
  require(std::ranges::all_of(key, [](char c) { return c > ' ' && c <= '~'; }),
          ErrorKind::invalid_input,
          "the server's key has spaces or characters that are not printable ASCII");
  require(url.encrypted || url.loopback, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{}: a key would travel unencrypted; use https://, or a tunnel to this "
        "machine and http://127.0.0.1",
        url.text());
  });
}

}  // namespace

/// As many connections as requests may be under way, and the rules for using them.
class HttpClient::Connections {
 public:
  Connections(ServerUrl url, HttpOptions options)
      : url_(std::move(url)), options_(std::move(options)) {
    check_key(url_, options_.key);
    require(std::isfinite(options_.timeout_seconds) && options_.timeout_seconds > 0,
            ErrorKind::invalid_input, "the timeout of a request must be more than 0 seconds");
    require(options_.concurrency >= 1, ErrorKind::invalid_input,
            "at least one request must be allowed at a time");
    idle_.resize(options_.concurrency);
  }

  [[nodiscard]] std::string url() const { return url_.text(); }

  [[nodiscard]] std::string quoted(const std::string& body) const {
    constexpr std::size_t enough = 300;
    std::string text = replaced(body, options_.key, "(key)");
    std::ranges::replace_if(
        text, [](char c) { return c < ' ' || c > '~'; }, ' ');
    return text.size() > enough ? text.substr(0, enough) + "..." : text;
  }

  HttpAnswer send(const std::string& method, const std::string& path, const std::string& json) {
    for (std::size_t retry = 0;; ++retry) {
      Attempt attempt = try_once(method, path, json);
      if (attempt.answer) return *std::move(attempt.answer);
      require(attempt.again && retry < options_.retries, ErrorKind::backend, [&] {
        return fmt::format("{}{}: {}{}", url_.text(), path, attempt.failure,
                           retry > 0 ? fmt::format(" ({} attempts)", retry + 1) : "");
      });
      std::this_thread::sleep_for(Seconds(wait_before(retry, attempt.asked_wait)));
    }
  }

 private:
  using Connection = std::unique_ptr<httplib::Client>;

  /// Waits grow twofold and are spread over half their length, so that threads that failed together
  /// do not come back together.
  double wait_before(std::size_t retry, double asked) {
    const double full =
        std::ldexp(options_.first_wait_seconds, static_cast<int>(std::min<std::size_t>(retry, 30)));
    const double spread = 0.5 + 0.5 * Rng::stream(0, waits_.fetch_add(1)).uniform();
    return std::min(std::max(full * spread, asked), options_.longest_wait_seconds);
  }

  Connection make() const {
    auto client = std::make_unique<httplib::Client>(url_.origin);
    const auto timeout = microseconds(options_.timeout_seconds);
    client->set_connection_timeout(timeout);
    client->set_read_timeout(timeout);
    client->set_write_timeout(timeout);
    client->set_keep_alive(true);
    client->set_tcp_nodelay(true);  // else headers and body, written apart, wait for each other
    client->set_follow_location(false);
    return client;
  }

  /// Waits for a turn. The connection may be none yet.
  Connection take() {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return !idle_.empty(); });
    Connection connection = std::move(idle_.back());
    idle_.pop_back();
    return connection;
  }

  void give_back(Connection connection) {
    {
      const std::lock_guard lock(mutex_);
      idle_.push_back(std::move(connection));
    }
    turn_.notify_one();
  }

  httplib::Request request(const std::string& method, const std::string& path,
                           const std::string& json, Body& body) const {
    httplib::Request request;
    request.method = method;
    request.path = url_.path + path;
    request.body = json;
    if (method == "POST") request.set_header("Content-Type", "application/json");
    if (!options_.key.empty()) request.set_header("Authorization", "Bearer " + options_.key);
    request.content_receiver = [&body](const char* data, std::size_t size, std::uint64_t,
                                       std::uint64_t) { return body.take(data, size); };
    return request;
  }

  Attempt try_once(const std::string& method, const std::string& path, const std::string& json) {
    Connection connection = take();
    Attempt attempt;
    try {
      if (!connection) connection = make();
      attempt = exchange(*connection, method, path, json);
    } catch (...) {
      give_back(nullptr);
      throw;
    }
    // What failed half-way may hold the rest of another answer.
    give_back(attempt.answer ? std::move(connection) : nullptr);
    return attempt;
  }

  Attempt exchange(httplib::Client& client, const std::string& method, const std::string& path,
                   const std::string& json) {
    const NoSigpipe no_sigpipe;
    Body body{.largest = options_.largest_answer,
              .deadline = Clock::now() + microseconds(options_.timeout_seconds)};
    httplib::Request sent = request(method, path, json, body);
    httplib::Response response;
    httplib::Error error = httplib::Error::Success;
    // The library bounds each piece of an answer, not their number.
    const Watchdog::Watch watch(watchdog_, body.deadline, [&] { client.stop(); });
    const bool done = client.send(sent, response, error);
    if (!done) return failed(error, body);
    reached_.store(true);
    if (is_temporary(response.status)) return refused(response, body.text);
    return {.answer = HttpAnswer{response.status, std::move(body.text)}};
  }

  Attempt refused(const httplib::Response& response, const std::string& body) const {
    return {.failure = fmt::format("the server answered {}: {}", response.status, quoted(body)),
            .asked_wait = retry_after(response)};
  }

  Attempt failed(httplib::Error error, const Body& body) const {
    if (body.too_large) {
      return {.failure = fmt::format("the answer is larger than {} bytes", body.largest),
              .again = false};
    }
    if (error == httplib::Error::SSLServerVerification ||
        error == httplib::Error::SSLLoadingCerts) {
      return {.failure =
                  "the server's certificate cannot be verified, or is for another host; where "
                  "its authority is your own, name the authority's certificate in "
                  "SSL_CERT_FILE",
              .again = false};
    }
    if (error == httplib::Error::Connection || error == httplib::Error::SSLConnection) {
      // An address that never answered is more likely mistyped than restarting.
      return {.failure = "no connection; is the server running, and is the address right?",
              .again = reached_.load()};
    }
    if (error == httplib::Error::ConnectionTimeout || Clock::now() >= body.deadline) {
      return {.failure = fmt::format("no answer within {:g} s", options_.timeout_seconds)};
    }
    return {.failure = "the connection was lost before the answer was complete"};
  }

  ServerUrl url_;
  HttpOptions options_;
  std::mutex mutex_;
  std::condition_variable turn_;
  std::vector<Connection> idle_;
  std::atomic<std::uint64_t> waits_{0};
  std::atomic<bool> reached_{false};
  Watchdog watchdog_{};
};

HttpClient::HttpClient(ServerUrl url, HttpOptions options)
    : connections_(std::make_unique<Connections>(std::move(url), std::move(options))) {}
HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient& HttpClient::operator=(HttpClient&&) noexcept = default;
HttpClient::~HttpClient() = default;

std::string HttpClient::url() const { return connections_->url(); }

HttpAnswer HttpClient::get(const std::string& path) const {
  return connections_->send("GET", path, {});
}

HttpAnswer HttpClient::post(const std::string& path, const std::string& json) const {
  return connections_->send("POST", path, json);
}

std::string HttpClient::quoted(const std::string& body) const { return connections_->quoted(body); }

}  // namespace caos::text
