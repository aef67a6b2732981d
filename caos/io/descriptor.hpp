#pragma once

#include <string>
#include <utility>

#include "caos/core/error.hpp"

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

}  // namespace caos::io
