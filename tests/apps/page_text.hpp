#pragma once

#include <cstddef>
#include <string>

#include "apps/cli/pages/assets.hpp"

// What tests of pages have in common.
namespace caos::cli {

/// A page up to its scripts.
inline std::string before_scripts(const std::string& page) {
  return page.substr(0, page.find("<!--"));
}

inline bool has_vega() { return !assets::vega_js.empty(); }

/// How often a part occurs in a text.
inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t result = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++result;
  }
  return result;
}

}  // namespace caos::cli
