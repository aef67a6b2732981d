#include "apps/studio/exchange/download_name.hpp"

namespace caos::studio {
namespace {

/// Longer ones are cut, so that suffixes fit into 255 bytes.
constexpr std::size_t longest = 100;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::string download_name(std::string_view project, std::string_view suffix) {
  std::string name;
  for (const char c : project.substr(0, longest)) {
    if (is_plain(c))
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (name.ends_with('-')) name.pop_back();
  return (name.empty() ? "project" : name) + std::string(suffix);
}

}  // namespace caos::studio
