#include "caos/text/label_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/utf8.hpp"

namespace caos::text {

LabelSpace::LabelSpace(std::vector<std::string> names, const std::string& source)
    : names_(std::move(names)) {
  require(names_.size() >= 2, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: there must be at least two labels, not {}", source, names_.size());
  });
  std::set<std::string_view> seen;
  for (const std::string& name : names_) {
    require(!name.empty() && is_utf8(name), ErrorKind::invalid_input,
            [&] { return fmt::format("{}: a label is empty or not UTF-8", source); });
    require(seen.insert(name).second, ErrorKind::invalid_input,
            [&] { return fmt::format("{}: the label '{}' is listed twice", source, name); });
  }
}

std::optional<Label> LabelSpace::find(std::string_view name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) return std::nullopt;
  return static_cast<Label>(found - names_.begin());
}

}  // namespace caos::text
