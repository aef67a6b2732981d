#include "apps/studio/http/connection.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace caos::studio::http {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1 << 30));
}

/// Waits until the socket can do what `events` says. False: too late, or broken.
bool wait(int socket, short events, Clock::time_point deadline) {
  for (;;) {
    pollfd entry{.fd = socket, .events = events, .revents = 0};
    const int ready = ::poll(&entry, 1, milliseconds_until(deadline));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

/// When more must have come, or gone, of a body that began at `start` and is at `done` bytes now.
Clock::time_point next_deadline(Clock::time_point start, std::size_t done, const Limits& limits) {
  const auto due = milliseconds(done * 1000 / limits.bytes_per_second);
  return std::min(start + due, Clock::now()) + limits.body_time;
}

void name_of(const sockaddr_storage& address, std::string& ip, int& port) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.ss_family == AF_INET6) {
    const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
    ::inet_ntop(AF_INET6, &six.sin6_addr, text.data(), text.size());
    port = ntohs(six.sin6_port);
  } else {
    const auto& four = reinterpret_cast<const sockaddr_in&>(address);
    ::inet_ntop(AF_INET, &four.sin_addr, text.data(), text.size());
    port = ntohs(four.sin_port);
  }
  ip = text.data();
}

}  // namespace

Connection::Connection(io::Descriptor socket, int stop, const Limits& limits)
    : limits_(limits), socket_(std::move(socket)), stop_(stop) {
  // Head and body of an answer are written one after the other; the second would wait for the
  // client's acknowledgement of the first.
  const int yes = 1;
  ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

Connection::~Connection() { drain(); }

/// Closing while bytes are unread would reset the connection, and the client might never see the
/// answer that says what was wrong with them.
void Connection::drain() {
  ::shutdown(socket_.get(), SHUT_WR);
  if (is_usable()) return;
  const auto deadline = Clock::now() + std::chrono::seconds(2);
  while (wait(socket_.get(), POLLIN, deadline) && Clock::now() < deadline) {
    if (::recv(socket_.get(), buffer_.data(), buffer_.size(), MSG_DONTWAIT) <= 0) return;
  }
}

bool Connection::wait_for_request() {
  const auto idle_until = Clock::now() + limits_.idle_time;
  while (begin_ == end_) {
    std::array<pollfd, 2> entries{{{socket_.get(), POLLIN, 0}, {stop_, POLLIN, 0}}};
    const int ready = ::poll(entries.data(), entries.size(), milliseconds_until(idle_until));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0 || entries[1].revents != 0) return false;
    break;
  }
  deadline_ = Clock::now() + limits_.head_time;
  head_left_ = limits_.head_bytes;
  unread_ = 0;
  return true;
}

void Connection::begin_body(std::size_t size) { unread_ = size; }

bool Connection::read_body(const std::function<void(std::string_view)>& take) {
  const auto start = Clock::now();
  std::size_t done = 0;
  while (unread_ > 0) {
    deadline_ = next_deadline(start, done, limits_);
    if (!fill()) return false;
    const std::size_t size = std::min(end_ - begin_, unread_);
    take({buffer_.data() + begin_, size});
    begin_ += size;
    unread_ -= size;
    done += size;
  }
  return true;
}

/// Sees to it that there is something in the buffer.
bool Connection::fill() {
  while (begin_ == end_) {
    if (!wait(socket_.get(), POLLIN, deadline_)) return false;
    const ssize_t size = ::recv(socket_.get(), buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (size == 0 || (size < 0 && !would_block())) return false;
    if (size < 0) continue;
    begin_ = 0;
    end_ = static_cast<std::size_t>(size);
  }
  return true;
}

/// Only heads are read this way, by the HTTP library.
ssize_t Connection::read(char* to, std::size_t size) {
  broken_ = broken_ || head_left_ == 0 || !fill();
  if (broken_) return -1;
  const std::size_t taken = std::min({size, end_ - begin_, head_left_});
  std::memcpy(to, buffer_.data() + begin_, taken);
  begin_ += taken;
  head_left_ -= taken;
  return static_cast<ssize_t>(taken);
}

ssize_t Connection::write(const char* from, std::size_t size) {
  const auto start = Clock::now();
  std::size_t done = 0;
  while (done < size) {
    const ssize_t sent =
        ::send(socket_.get(), from + done, size - done, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      done += static_cast<std::size_t>(sent);
    } else if (!would_block() ||
               !wait(socket_.get(), POLLOUT, next_deadline(start, done, limits_))) {
      return -1;
    }
  }
  return static_cast<ssize_t>(size);
}

bool Connection::is_readable() const { return begin_ < end_ || wait(socket_.get(), POLLIN, {}); }

/// Also false if the client is gone, which endless streams of events have to notice.
bool Connection::is_writable() const {
  pollfd entry{.fd = socket_.get(), .events = POLLOUT | POLLRDHUP, .revents = 0};
  return ::poll(&entry, 1, 0) == 1 && entry.revents == POLLOUT;
}

void Connection::get_remote_ip_and_port(std::string& ip, int& port) const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  ::getpeername(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size);
  name_of(address, ip, port);
}

void Connection::get_local_ip_and_port(std::string& ip, int& port) const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size);
  name_of(address, ip, port);
}

}  // namespace caos::studio::http
