#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace caos::io {

/// A cache: a folder of files that can be computed again, kept below a size by deleting the least
/// recently used. Several processes may share the folder, each with its own object; for a
/// moment it may exceed the size by what they write. Safe to use from several threads.
///
/// Files lie in folders of two hexadecimal digits, and their names begin with these. Anything else
/// in the folder is neither counted nor deleted.
class BoundedFolder {
 public:
  /// `ending` is that of all names, such as ".safetensors".
  BoundedFolder(std::string path, std::string ending, std::uint64_t most_bytes)
      : path_(std::move(path)), ending_(std::move(ending)), most_bytes_(most_bytes) {}

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Whether a file of this size may be written at all.
  [[nodiscard]] bool has_room_for(std::uint64_t bytes) const { return bytes <= most_bytes_; }

  /// Notes that a file was used now: its time of modification says so to other processes.
  void touch(const std::string& file) const;

  /// Notes that a file was written, and deletes others where there are too many. Files that cannot
  /// be deleted stay.
  void added(std::uint64_t bytes);

 private:
  [[nodiscard]] bool must_look() const;
  void shrink();

  std::string path_;
  std::string ending_;
  std::uint64_t most_bytes_;
  std::mutex mutex_;
  std::optional<std::uint64_t> bytes_{};  // when last looked at, and what was added since
  std::uint64_t added_ = 0;               // since then
};

}  // namespace caos::io
