#include "apps/studio/http/listener.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "caos/error.hpp"

namespace caos::studio::http {
namespace {

constexpr int backlog = 256;

struct Address {
  sockaddr_storage bytes{};
  socklen_t size = 0;

  [[nodiscard]] sockaddr* get() { return reinterpret_cast<sockaddr*>(&bytes); }
};

std::optional<Address> parse(const std::string& text, std::uint16_t port) {
  const std::string ip = text == "localhost" ? "127.0.0.1" : text;
  Address address;
  auto& four = reinterpret_cast<sockaddr_in&>(address.bytes);
  if (::inet_pton(AF_INET, ip.c_str(), &four.sin_addr) == 1) {
    four.sin_family = AF_INET;
    four.sin_port = htons(port);
    address.size = sizeof four;
    return address;
  }
  auto& six = reinterpret_cast<sockaddr_in6&>(address.bytes);
  if (::inet_pton(AF_INET6, ip.c_str(), &six.sin6_addr) != 1) return std::nullopt;
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(port);
  address.size = sizeof six;
  return address;
}

[[noreturn]] void fail(const std::string& address, std::uint16_t port) {
  throw Error(ErrorKind::backend,
              fmt::format("cannot listen on {} port {}: {}{}", address, port, std::strerror(errno),
                          errno == EADDRINUSE ? "; give another --port, or 0 for any" : ""));
}

Address address_of(const std::string& text, std::uint16_t port) {
  const auto address = parse(text, port);
  require(address.has_value(), ErrorKind::invalid_input, [&] {
    return fmt::format("--address: '{}' is not an IP address such as 127.0.0.1 or 0.0.0.0", text);
  });
  return *address;
}

io::Descriptor listen_on(const std::string& text, std::uint16_t port) {
  Address address = address_of(text, port);
  io::Descriptor socket(
      ::socket(address.bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int yes = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(socket.get(), address.get(), address.size) != 0) fail(text, port);
  if (::listen(socket.get(), backlog) != 0) fail(text, port);
  return socket;
}

std::uint16_t port_of(int socket) {
  Address address;
  address.size = sizeof address.bytes;
  ::getsockname(socket, address.get(), &address.size);
  return ntohs(reinterpret_cast<const sockaddr_in&>(address.bytes).sin_port);  // as in sockaddr_in6
}

}  // namespace

bool is_loopback(const std::string& address) {
  return address == "localhost" || address == "::1" ||
         (address.starts_with("127.") && parse(address, 0).has_value());
}

void check_address(const std::string& address) { static_cast<void>(address_of(address, 0)); }

Listener::Listener(const std::string& address, std::uint16_t port)
    : stop_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      socket_(listen_on(address, port)),
      port_(port_of(socket_.get())) {}

std::optional<io::Descriptor> Listener::accept() {
  for (;;) {
    std::array<pollfd, 2> entries{{{socket_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}}};
    if (::poll(entries.data(), entries.size(), -1) < 0 && errno != EINTR) return std::nullopt;
    if (entries[1].revents != 0) return std::nullopt;
    io::Descriptor client(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (client) return client;
    // Out of descriptors or memory: others have to end first.
    if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
}

void Listener::stop() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(stop_.get(), &one, sizeof one);
}

}  // namespace caos::studio::http
