#include "tests/text/models/servers/local_server.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace caos::test {

namespace {

std::unique_ptr<httplib::Server> make_server(const std::optional<TlsFiles>& tls) {
  if (!tls) return std::make_unique<httplib::Server>();
  auto server = std::make_unique<httplib::SSLServer>(tls->certificate.c_str(), tls->key.c_str());
  if (!server->is_valid()) throw std::runtime_error(tls->certificate + ": cannot be served with");
  return server;
}

}  // namespace

LocalServer::LocalServer(Handler handler, const std::optional<TlsFiles>& tls)
    : handler_(std::move(handler)), encrypted_(tls.has_value()), server_(make_server(tls)) {
  const auto answers = [this](const httplib::Request& request, httplib::Response& response) {
    answer(request, response);
  };
  server_->Get(".*", answers);
  server_->Post(".*", answers);
  server_->new_task_queue = [] { return new httplib::ThreadPool(16); };
  server_->set_keep_alive_timeout(1);
  server_->set_tcp_nodelay(true);
  port_ = server_->bind_to_any_port("127.0.0.1");
  if (port_ <= 0) throw std::runtime_error("no port for a local server");
  thread_ = std::thread([this] { server_->listen_after_bind(); });
  while (!server_->is_running()) std::this_thread::yield();
}

LocalServer::~LocalServer() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  server_->stop();
  thread_.join();
}

std::string LocalServer::url() const {
  return (encrypted_ ? "https://localhost:" : "http://127.0.0.1:") + std::to_string(port_);
}

std::vector<SeenRequest> LocalServer::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

std::size_t LocalServer::most_at_once() const {
  const std::lock_guard lock(mutex_);
  return most_at_once_;
}

void LocalServer::disturb(Disturbance disturbance) {
  const std::lock_guard lock(mutex_);
  disturbance_ = std::move(disturbance);
  number_ = 0;
}

void LocalServer::hang() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::seconds(20), [&] { return ending_; });
}

void LocalServer::wait_for(std::size_t count) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::milliseconds(300), [&] { return under_way_ >= count; });
}

void LocalServer::answer(const httplib::Request& request, httplib::Response& response) {
  std::unique_lock lock(mutex_);
  seen_.push_back(
      {request.method, request.target, request.body, request.get_header_value("Authorization")});
  most_at_once_ = std::max(most_at_once_, ++under_way_);
  const Disturbance disturbance = disturbance_;
  const std::size_t number = number_++;
  lock.unlock();
  changed_.notify_all();
  if (!disturbance || !disturbance(number, request, response)) handler_(request, response);
  lock.lock();
  --under_way_;
}

void reply(httplib::Response& response, int status, const std::string& body) {
  response.status = status;
  response.set_content(body, "application/json");
}

void reply_half(httplib::Response& response, const std::string& body) {
  response.set_content_provider(body.size(), "application/json",
                                [body](std::size_t offset, std::size_t, httplib::DataSink& sink) {
                                  if (offset > 0) return false;
                                  sink.write(body.data(), body.size() / 2);
                                  return true;
                                });
}

}  // namespace caos::test
