#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "caos/io/file_descriptor.hpp"

namespace caos::studio::http {

/// Whether only programs on this machine can connect to the address.
[[nodiscard]] bool is_loopback(const std::string& address);

/// Throws `invalid_input` unless it is an IP address or "localhost".
void check_address(const std::string& address);

/// Waits for connections on one address.
class Listener {
 public:
  /// `address` is an IP address or "localhost"; port 0 is any that is free. Throws `invalid_input`
  /// for other texts, and `backend` where one cannot listen.
  Listener(const std::string& address, std::uint16_t port);

  [[nodiscard]] std::uint16_t port() const { return port_; }

  /// The next connection; nothing once stopped.
  [[nodiscard]] std::optional<io::Descriptor> accept();

  void stop();
  /// Is readable from then on.
  [[nodiscard]] int stop_descriptor() const { return stop_.get(); }

 private:
  io::Descriptor stop_;
  io::Descriptor socket_;
  std::uint16_t port_ = 0;
};

}  // namespace caos::studio::http
