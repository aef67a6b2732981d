#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace caos::io {

/// The text with the letters A to Z in lower case; other bytes stay, whatever the locale.
[[nodiscard]] inline std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

}  // namespace caos::io
