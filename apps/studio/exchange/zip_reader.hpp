#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

struct zip;

namespace caos::studio {

/// An untrusted zip archive. Only requested entries are unpacked, into memory, and
/// no more than was said before. All complaints are an Error bad_format that names it.
class ZipReader {
 public:
  struct Entry {
    std::string name{};
    std::uint64_t index = 0;
    std::uint64_t size = 0;         ///< unpacked, as the archive says
    std::uint64_t packed_size = 0;  ///< in the archive
    bool is_stored = false;         ///< not compressed
  };

  /// `name` is what errors call it. An archive with more entries than `max_entries` is refused
  /// before they are looked at.
  static ZipReader of_file(const std::string& path, const std::string& name,
                           std::size_t max_entries);
  /// The bytes must outlive it.
  static ZipReader of_bytes(std::span<const std::byte> bytes, const std::string& name,
                            std::size_t max_entries);

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

  /// Throws unless the entry unpacks to exactly the size that it says, with the right checksum.
  /// Requires a size that fits into memory.
  [[nodiscard]] std::vector<std::byte> read(const Entry& entry) const;

  [[noreturn]] void refuse(const std::string& what) const;

 private:
  struct Discard {
    void operator()(zip* archive) const;
  };

  ZipReader(zip* archive, std::string name, std::size_t max_entries);

  std::unique_ptr<zip, Discard> archive_;
  std::string name_;
  std::vector<Entry> entries_;
};

}  // namespace caos::studio
