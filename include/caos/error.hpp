#pragma once

#include <stdexcept>
#include <string>

namespace caos {

/// The kind of an error, as far as callers need to distinguish them.
enum class ErrorKind {
  invalid_input,  ///< a request that cannot be met: k too large, shapes that disagree
  not_found,      ///< a file that is missing or cannot be opened
  bad_format,     ///< invalid data: NaN, a truncated file, a label out of
                  ///< range
  backend,        ///< a system or model runtime that failed: disk full, no memory
};

/// The one exception type of the library.
/// The message names the problem, its place, and the remedy.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

/// Throws `Error` unless `condition` holds. For arguments of callers; use assert internally.
/// `message` is a callable that returns the text, so that a check that passes formats nothing.
template <typename Message>
void require(bool condition, ErrorKind kind, Message&& message) {
  if (!condition) throw Error(kind, message());
}

inline void require(bool condition, ErrorKind kind, const char* message) {
  if (!condition) throw Error(kind, message);
}

}  // namespace caos
