#include "caos/io/printable.hpp"

#include <algorithm>
#include <cstddef>

namespace caos::io {

std::string printable(std::string_view text) {
  constexpr std::size_t enough = 40;
  std::string result(text.substr(0, enough));
  std::ranges::replace_if(
      result, [](char c) { return c < ' ' || c > '~'; }, '?');
  return text.size() > enough ? result + "..." : result;
}

}  // namespace caos::io
