#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct stat;

namespace caos::io {

class Descriptor;

/// The bytes of a whole file, read-only, for as long as this object lives.
class MappedFile {
 public:
  /// Opens the file at `path`; "-" is standard input, with the name "<stdin>".
  /// Regular files are mapped, so only what is looked at is read; pipes and devices are read. For
  /// what may be larger than memory: a read of the map of a file that was shortened
  /// meanwhile gets the signal SIGBUS (docs/project/decisions/0034).
  /// A file that is missing or cannot be opened is an Error not_found.
  [[nodiscard]] static MappedFile open(const std::string& path);

  /// The same, read into memory: nothing that happens to the file afterwards changes these bytes.
  [[nodiscard]] static MappedFile read(const std::string& path);
  /// The rest of an open file.
  [[nodiscard]] static MappedFile read(const Descriptor& descriptor, std::string name);

  /// The bytes of a file that the caller has read.
  [[nodiscard]] static MappedFile of_bytes(std::vector<std::byte> bytes, std::string name);

  /// Throws `backend` if the file was written to while it was mapped: what was made of
  /// its bytes is of no use then. A file that took its name meanwhile changes nothing.
  void require_unchanged() const;

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

  /// Which file it was when it was mapped, and in which state.
  struct State {
    std::uint64_t device = 0;
    std::uint64_t number = 0;
    std::uint64_t size = 0;
    std::int64_t seconds = 0;  ///< since when it is as it is
    std::int64_t nanoseconds = 0;

    friend bool operator==(const State&, const State&) = default;
  };

  explicit MappedFile(std::string name) : name_(std::move(name)) {}

  static State state_of(const struct ::stat& file);
  bool map(int descriptor);

  std::string name_;
  State state_{};  // where there is a map
  std::unique_ptr<const std::byte, Unmap> map_;
  std::vector<std::byte> memory_;  // where there is no map
};

}  // namespace caos::io
