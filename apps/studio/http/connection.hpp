#pragma once

#include <httplib.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "apps/studio/http/http_limits.hpp"
#include "caos/io/file_descriptor.hpp"

// For the server alone: nothing else of the studio sees a socket or the HTTP library.
namespace caos::studio::http {

/// One client's connection, with a time by which everything must be done. The library's own stream
/// waits again for each byte, so that one client could keep it waiting for hours.
class Connection final : public httplib::Stream {
 public:
  /// `stop` becomes readable when the connection should wait for no more requests.
  Connection(io::Descriptor socket, int stop, const Limits& limits);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Waits for the first byte of a request. False: the client went, idled too long, or it is time
  /// to stop.
  [[nodiscard]] bool wait_for_request();

  /// The head is read; a body of this size follows.
  void begin_body(std::size_t size);
  /// Hands the body to `take`, piece by piece. False: the client went or is too slow.
  [[nodiscard]] bool read_body(const std::function<void(std::string_view)>& take);
  /// How much of the body is still to be read; no other request can follow before.
  [[nodiscard]] std::size_t unread() const { return unread_; }

  /// Whether another request may follow: the last one was read whole.
  [[nodiscard]] bool is_usable() const { return unread_ == 0 && !broken_; }

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* to, std::size_t size) override;
  ssize_t write(const char* from, std::size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_.get(); }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool fill();
  void drain();

  const Limits& limits_;
  io::Descriptor socket_;
  int stop_;
  std::array<char, 16384> buffer_{};
  std::size_t begin_ = 0;  // of what the buffer holds
  std::size_t end_ = 0;
  Clock::time_point deadline_{};  // of reading
  std::size_t head_left_ = 0;     // bytes that the head may still have
  std::size_t unread_ = 0;        // bytes of the body
  bool broken_ = false;           // a head did not come, or not in time
};

}  // namespace caos::studio::http
