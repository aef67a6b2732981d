#pragma once

#include <string>

namespace caos::python {

/// What the program prints, as Python's `print` wants it: the last line without its end.
[[nodiscard]] inline std::string without_newline(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace caos::python
