#pragma once

#include <stdexcept>
#include <string>

namespace caos {

/// What went wrong, as far as a caller has to tell cases apart.
enum class ErrorKind {
  invalid_input,  ///< a request that cannot be met: k too large, shapes that disagree
  not_found,      ///< a file that is missing or cannot be opened
  bad_format,     ///< data that are not what they should be: NaN, a truncated file, a label out of
                  ///< range
  backend,        ///< a system or model runtime that failed: disk full, no memory
};

/// The one exception type of the library.
/// The message says what is wrong, where, and what would be right.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

/// Throws `Error` unless `condition` holds. For what a caller hands in; inside, use assert.
/// `message` is a callable that returns the text, so that a check that passes formats nothing.
template <typename Message>
void require(bool condition, ErrorKind kind, Message&& message) {
  if (!condition) throw Error(kind, message());
}

inline void require(bool condition, ErrorKind kind, const char* message) {
  if (!condition) throw Error(kind, message);
}

}  // namespace caos
