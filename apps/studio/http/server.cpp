#include "apps/studio/http/server.hpp"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>

#include "apps/studio/http/connection.hpp"
#include "apps/studio/http/dispatcher.hpp"
#include "apps/studio/http/guard.hpp"
#include "apps/studio/http/listener.hpp"
#include "apps/studio/http/router.hpp"
#include "caos/error.hpp"

namespace caos::studio::http {
namespace {

constexpr auto heartbeat = std::chrono::seconds(15);
constexpr auto look_at_client = std::chrono::milliseconds(500);

/// The connection that this thread serves: the library hands requests to handlers without it.
thread_local Connection* current = nullptr;

std::vector<std::string> hosts_of(const ServerOptions& options) {
  std::vector<std::string> hosts{"localhost", "127.0.0.1", "[::1]", options.address,
                                 fmt::format("[{}]", options.address)};
  hosts.insert(hosts.end(), options.allowed_hosts.begin(), options.allowed_hosts.end());
  return hosts;
}

/// Sends events as they come, and a comment now and then, so that the connection is not taken for
/// dead. Ends when the client is gone.
void send_events(httplib::Response& response, std::shared_ptr<Subscription> events) {
  auto last = std::make_shared<std::chrono::steady_clock::time_point>();
  response.set_chunked_content_provider(
      "text/event-stream",
      [events = std::move(events), last](std::size_t offset, httplib::DataSink& sink) {
        auto text = offset == 0 ? std::optional<std::string>("retry: 1000\n\n")
                                : events->next(look_at_client);
        if (!text) {
          sink.done();
          return true;
        }
        const auto now = std::chrono::steady_clock::now();
        if (text->empty() && now - *last >= heartbeat) *text = ": still here\n\n";
        if (text->empty()) return sink.is_writable();
        *last = now;
        return sink.write(text->data(), text->size());
      });
}

void send_long(httplib::Response& response, const std::string& type, LongBody body) {
  response.set_content_provider(
      body.size, type,
      [read = std::move(body.read)](std::size_t offset, std::size_t length,
                                    httplib::DataSink& sink) {
        std::vector<std::byte> piece(std::min<std::size_t>(length, 1 << 18));
        const std::size_t size = read(offset, piece);
        return size > 0 && sink.write(reinterpret_cast<const char*>(piece.data()), size);
      });
}

void add_header(httplib::Response& response, const std::string& name, const std::string& value) {
  if (!response.has_header(name)) response.set_header(name, value);
}

void fill(httplib::Response& response, Answer answer, bool is_head) {
  response.status = answer.status;
  for (const auto& [name, value] : answer.headers) response.set_header(name, value);
  add_header(response, "Referrer-Policy", "no-referrer");
  add_header(response, "Cache-Control", "no-store");
  if (answer.events && !is_head) {
    send_events(response, std::move(answer.events));
  } else if (answer.long_body) {
    send_long(response, answer.content_type, std::move(*answer.long_body));
  } else if (!answer.content_type.empty()) {
    response.body = std::move(answer.body);
    response.set_header("Content-Type", answer.content_type);
  }
}

}  // namespace

void check(const ServerOptions& options) {
  check_address(options.address);
  require(is_loopback(options.address) || !options.token.empty(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "--address {}: others can reach it, so a token is needed; make one with --make-token FILE, "
        "then give --token-file FILE",
        options.address);
  });
}

class Server::Impl : private httplib::Server {
 public:
  Impl(ServerOptions options, Events& events, Metrics& metrics)
      : options_(std::move(options)),
        guard_(hosts_of(options_), options_.token),
        events_(events),
        metrics_(metrics),
        listener_((check(options_), options_.address), options_.port) {
    set_default_headers(httplib::Headers(std::make_move_iterator(headers_.begin()),
                                         std::make_move_iterator(headers_.end())));
    set_keep_alive_timeout(
        std::chrono::duration_cast<std::chrono::seconds>(limits().idle_time).count());
    set_keep_alive_max_count(limits().requests_per_connection);
    set_pre_routing_handler([this](const httplib::Request& head, httplib::Response& response) {
      fill(response, dispatcher_->answer(head, *current), head.method == "HEAD");
      return HandlerResponse::Handled;
    });
    set_error_handler([this](const httplib::Request& head, httplib::Response& response) {
      explain(head, response);
    });
    add_figures();
  }

  ~Impl() override { stop(); }

  [[nodiscard]] std::uint16_t port() const { return listener_.port(); }
  [[nodiscard]] const ServerOptions& options() const { return options_; }
  [[nodiscard]] const Guard& guard() const { return guard_; }

  void start(std::vector<Route> routes) {
    router_.emplace(std::move(routes));
    dispatcher_.emplace(guard_, *router_, limits(), metrics_, options_.folder, options_.hidden);
    svr_sock_ = 0;  // the library takes this as a sign to go on sending
    acceptor_ = std::thread([this] { accept(); });
  }

  void stop() {
    listener_.stop();
    events_.stop();
    if (acceptor_.joinable()) acceptor_.join();
    std::unique_lock lock(mutex_);
    none_left_.wait(lock, [&] { return num_connections_ == 0; });
  }

 private:
  [[nodiscard]] const Limits& limits() const { return options_.limits; }

  void add_figures() {
    metrics_.add(Metrics::Kind::gauge, "caos_http_connections", "Connections that are open.",
                 [this] { return static_cast<double>(num_connections_.load()); });
    metrics_.add(Metrics::Kind::counter, "caos_http_connections_refused_total",
                 "Connections refused because there were too many.",
                 [this] { return static_cast<double>(num_refused_.load()); });
    metrics_.add(Metrics::Kind::gauge, "caos_event_clients", "Clients that wait for events.",
                 [this] { return static_cast<double>(events_.num_clients()); });
  }

  void accept() {
    while (auto client = listener_.accept()) {
      if (num_connections_ < limits().connections) {
        begin(std::move(*client));
      } else {
        refuse(std::move(*client));
      }
    }
  }

  void begin(io::Descriptor client) {
    ++num_connections_;
    try {
      auto connection =
          std::make_shared<Connection>(std::move(client), listener_.stop_descriptor(), limits());
      std::thread([this, held = std::move(connection)]() mutable {
        serve(*held);
        held.reset();
        end();
      }).detach();
    } catch (const std::exception&) {  // no more threads, or no memory
      end();
    }
  }

  void end() {
    const std::lock_guard lock(mutex_);
    if (--num_connections_ == 0) none_left_.notify_all();
  }

  void refuse(io::Descriptor client) {
    ++num_refused_;
    constexpr std::string_view text =
        "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\n"
        "Content-Type: application/json\r\nContent-Length: 75\r\n\r\n"
        "{\"error\":{\"kind\":\"busy\",\"message\":\"too many connections; try again later\"}}";
    ::send(client.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    ::shutdown(client.get(), SHUT_WR);
  }

  /// What the library throws while it reads or sends, out of memory or of a file's end, costs this
  /// connection and not the server.
  void serve(Connection& connection) noexcept {
    try {
      serve_requests(connection);
    } catch (const std::exception&) {
      // The client sees that the answer is not whole.
    }
  }

  void serve_requests(Connection& connection) {
    current = &connection;
    for (std::size_t i = 1; connection.wait_for_request(); ++i) {
      bool understood = false;
      bool closed = false;
      const bool last = i >= limits().requests_per_connection;
      const auto begin = [&](httplib::Request& head) {
        understood = true;
        tidy(head);
      };
      if (!process_request(connection, last, closed, begin)) break;
      if (last || closed || !understood || !connection.is_usable()) break;
    }
  }

  /// Removes headers that the library would act on and the studio does not want.
  static void tidy(httplib::Request& head) {
    head.ranges.clear();
    for (const char* name : {"Range", "Accept-Encoding"}) head.headers.erase(name);
  }

  /// What the library answers by itself: a head that it cannot read.
  void explain(const httplib::Request& head, httplib::Response& response) {
    if (!response.body.empty()) return;
    fill(response,
         error_answer(response.status, "invalid_input",
                      "the head of the request is not HTTP, too large or too slow"),
         head.method == "HEAD");
    metrics_.answered("other", "other", response.status, {});
  }

  const std::vector<std::pair<std::string, std::string>> headers_ = security_headers();
  const ServerOptions options_;
  const Guard guard_;
  Events& events_;
  Metrics& metrics_;
  Listener listener_;
  std::optional<Router> router_{};
  std::optional<Dispatcher> dispatcher_{};
  std::thread acceptor_{};
  std::atomic<std::size_t> num_connections_ = 0;
  std::atomic<std::uint64_t> num_refused_ = 0;
  std::mutex mutex_{};
  std::condition_variable none_left_{};
};

Server::Server(ServerOptions options, Events& events, Metrics& metrics)
    : impl_(std::make_unique<Impl>(std::move(options), events, metrics)) {}

Server::~Server() = default;

std::uint16_t Server::port() const { return impl_->port(); }

std::string Server::url() const {
  const std::string& address = impl_->options().address;
  const std::string host = address == "0.0.0.0" || address == "::"  ? "localhost"
                           : address.find(':') != std::string::npos ? "[" + address + "]"
                                                                    : address;
  return fmt::format("http://{}:{}/", host, port());
}

bool Server::has_token() const { return impl_->guard().has_token(); }

std::vector<Route> Server::routes() const { return impl_->guard().routes(); }

void Server::start(std::vector<Route> routes) { impl_->start(std::move(routes)); }

void Server::stop() { impl_->stop(); }

}  // namespace caos::studio::http
