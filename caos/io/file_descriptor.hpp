#pragma once

#include <sys/stat.h>

#include <string>
#include <utility>

#include "caos/error.hpp"

// Shared by the sources that speak to the system; not for users of the library.
namespace caos::io {

/// An open file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor();

  explicit operator bool() const { return value_ >= 0; }
  [[nodiscard]] int get() const { return value_; }

 private:
  int value_;
};

/// What the system says about an errno.
[[nodiscard]] std::string reason(int code);

/// An Error backend that names the file, what failed, and why.
[[nodiscard]] Error failed(const std::string& name, const char* what, int code);

/// What the system knows of an open file; throws `not_found` where that is nothing.
[[nodiscard]] struct stat status_of(int descriptor, const std::string& name);

/// Throws `not_found` if a folder is open there.
void require_no_directory(int descriptor, const std::string& name);

/// A file, open to be read. Throws `not_found` where it is missing, cannot be opened or is a
/// folder.
[[nodiscard]] Descriptor open_to_read(const std::string& path);

}  // namespace caos::io
