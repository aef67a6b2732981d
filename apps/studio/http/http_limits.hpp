#pragma once

#include <chrono>
#include <cstddef>

namespace caos::studio::http {

/// What one client, or all together, may ask of the server.
struct Limits {
  std::size_t connections = 128;   ///< at once; one more is answered 503 and closed
  std::size_t event_clients = 48;  ///< of these, that wait for events
  std::size_t head_bytes = 32768;  ///< of a request: its first line and its headers
  std::size_t json_bytes = 32 << 20;
  std::size_t upload_bytes = 64 << 20;
  std::size_t file_bytes = std::size_t{16} << 30;  ///< of a backup
  std::size_t bodies_bytes = 512 << 20;  ///< in memory, of all requests that are being read
  std::size_t requests_per_connection = 10000;
  std::chrono::milliseconds head_time{10000};  ///< from the first byte of a request to its body
  std::chrono::milliseconds idle_time{60000};  ///< between requests
  /// A body, either way, may pause this long, and be late by this against this speed.
  std::chrono::milliseconds body_time{10000};
  std::size_t bytes_per_second = 16384;
};

}  // namespace caos::studio::http
