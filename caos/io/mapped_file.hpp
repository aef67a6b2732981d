#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace caos::io {

/// The bytes of a whole file, read-only, for as long as this object lives.
/// Regular files are mapped, so only what is looked at is read, and a file that somebody truncates
/// meanwhile must not be looked at any more. Pipes and devices are read into memory.
class MappedFile {
 public:
  /// Opens the file at `path`; "-" is standard input, with the name "<stdin>".
  /// A file that is missing or cannot be opened is an Error not_found.
  [[nodiscard]] static MappedFile open(const std::string& path);

  /// The bytes of a file that somebody else has read.
  [[nodiscard]] static MappedFile of_bytes(std::vector<std::byte> bytes, std::string name);

  /// Asks the system to read all of it, and does not wait.
  void will_need() const;
  /// Waits until all of it is in memory.
  void wait() const;

  /// Starts on an address aligned for every number.
  [[nodiscard]] std::span<const std::byte> bytes() const;

  [[nodiscard]] std::string_view text() const;

  /// What errors call this file.
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  struct Unmap {
    std::size_t size;
    void operator()(const std::byte* start) const;
  };

  explicit MappedFile(std::string name) : name_(std::move(name)) {}

  void map_or_read(int descriptor);
  bool map(int descriptor);

  std::string name_;
  std::unique_ptr<const std::byte, Unmap> map_;
  std::vector<std::byte> memory_;  // where there is no map
};

}  // namespace caos::io
