#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace caos::io {

/// SHA-256 of bytes as they come: what `sha256sum` prints, so that people can check it themselves.
class Sha256 {
 public:
  Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  ~Sha256();

  void add(std::span<const std::byte> bytes);

  /// 64 lower-case hexadecimal digits; nothing may be added afterwards.
  [[nodiscard]] std::string digits();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

[[nodiscard]] std::string sha256(std::span<const std::byte> bytes);

/// The size of a file and its hash.
struct FileHash {
  std::uint64_t bytes = 0;
  std::string sha256{};

  friend bool operator==(const FileHash&, const FileHash&) = default;
};

/// Reads a whole file, piece by piece. A file that cannot be opened is an Error not_found, one that
/// cannot be read an Error backend.
[[nodiscard]] FileHash hash_of_file(const std::string& path);

}  // namespace caos::io
