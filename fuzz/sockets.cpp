#include "fuzz/sockets.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <charconv>
#include <utility>

#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

io::Descriptor new_socket() {
  io::Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  demand(static_cast<bool>(socket), "there is a socket");
  return socket;
}

/// False: the other end is gone.
bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

/// Appends what comes. False: nothing more will.
bool receive(int socket, std::string& to) {
  std::array<char, 16384> piece{};
  const ssize_t size = ::recv(socket, piece.data(), piece.size(), 0);
  if (size <= 0) return false;
  to.append(piece.data(), static_cast<std::size_t>(size));
  return true;
}

/// The size of a request by our own client, or 0 while its head is not complete.
std::size_t request_size(std::string_view bytes) {
  const std::size_t head = bytes.find("\r\n\r\n");
  if (head == bytes.npos) return 0;
  constexpr std::string_view key = "Content-Length: ";
  const std::size_t length = bytes.substr(0, head).find(key);
  std::size_t size = 0;
  if (length != bytes.npos) {
    std::from_chars(bytes.data() + length + key.size(), bytes.data() + head, size);
  }
  return head + 4 + size;
}

/// Waits for a whole request. False: the client is gone.
bool take_request(int socket, std::string& held) {
  for (;;) {
    const std::size_t size = request_size(held);
    if (size > 0 && held.size() >= size) {
      held.erase(0, size);
      return true;
    }
    if (!receive(socket, held)) return false;
  }
}

}  // namespace

std::string asked(int port, std::string_view bytes) {
  const io::Descriptor socket = new_socket();
  const sockaddr_in address = loopback(port);
  demand(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0,
         "the server takes connections");
  (void)send_all(socket.get(), bytes);
  ::shutdown(socket.get(), SHUT_WR);
  std::string answer;
  while (receive(socket.get(), answer)) {
  }
  return answer;
}

AnsweringServer::AnsweringServer(Then then, std::function<std::string()> answer)
    : then_(then), answer_(std::move(answer)), listener_(new_socket()) {
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  demand(::bind(listener_.get(), plain, size) == 0 && ::listen(listener_.get(), 16) == 0 &&
             ::getsockname(listener_.get(), plain, &size) == 0,
         "one can listen on this machine");
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

AnsweringServer::~AnsweringServer() {
  ::shutdown(listener_.get(), SHUT_RDWR);
  thread_.join();
}

std::string AnsweringServer::url() const { return fmt::format("http://127.0.0.1:{}", port_); }

void AnsweringServer::serve() {
  for (;;) {
    const io::Descriptor client(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!client) return;
    std::string held;
    while (take_request(client.get(), held)) {
      const std::string bytes = answer_();
      if (bytes.empty() || !send_all(client.get(), bytes) || then_ == Then::close) break;
    }
  }
}

}  // namespace caos::fuzz
