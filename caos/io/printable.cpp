#include "caos/io/printable.hpp"

#include <algorithm>
#include <cstddef>

namespace caos::io {
namespace {

constexpr std::size_t enough = 40;

std::string in_ascii(std::string_view text) {
  std::string result(text);
  std::ranges::replace_if(
      result, [](char c) { return c < ' ' || c > '~'; }, '?');
  return result;
}

}  // namespace

std::string printable(std::string_view text) {
  const std::string result = in_ascii(text.substr(0, enough));
  return text.size() > enough ? result + "..." : result;
}

std::string printable_path(std::string_view path) {
  if (path.size() <= enough) return in_ascii(path);
  return "..." + in_ascii(path.substr(path.size() - enough));
}

}  // namespace caos::io
