#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace caos::io {

/// Where the writer of `write_whole` puts its bytes. Buffers small writes, passes large ones on.
class Sink {
 public:
  /// Writes to an open descriptor, which the caller closes; `name` is what errors call it.
  Sink(int descriptor, std::string name);

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);

  /// Hands everything to the system. What was not flushed is lost with the sink.
  void flush();

  /// Replaces the first bytes of what was written. Throws `backend` where bytes are only appended:
  /// on a pipe, or on the standard output.
  void write_at_start(std::string_view text);

 private:
  void pass_on(std::span<const std::byte> bytes);

  int descriptor_;
  std::string name_;
  std::vector<std::byte> buffer_;
};

/// Whether a file that was written must outlive a crash of the machine.
enum class Durability {
  safe,         ///< on the disk before it takes its name
  may_be_lost,  ///< whole or damaged after a crash, which its reader must notice: for caches
};

/// Throws `not_found` if `path` cannot become a file, because its folder is missing or it is a
/// folder itself: to find out before long work.
void check_target(const std::string& path);

/// Writes the file at `path` whole or not at all: what `writer` writes appears there once it is
/// complete and safe on the disk, and replaces a file of that name.
/// On failure nothing of it remains and an older file is untouched. Failures of the system and
/// foreign exceptions of the writer become an Error backend; an Error of the writer keeps its kind.
/// A missing folder is an Error not_found. Pipes and devices (/dev/stdout) are written directly.
void write_whole(const std::string& path, const std::function<void(Sink&)>& writer,
                 Durability durability = Durability::safe);

}  // namespace caos::io
