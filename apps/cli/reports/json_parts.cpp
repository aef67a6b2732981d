#include "apps/cli/reports/json_parts.hpp"

#include <algorithm>
#include <utility>

namespace caos::cli {
namespace {

void add_once(std::vector<std::string>& texts, std::string text) {
  if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
}

}  // namespace

const Json& member(const Json& object, const char* key) {
  static const Json null;
  const auto found = object.find(key);
  return found == object.end() ? null : *found;
}

std::optional<double> number(const Json& value) {
  if (!value.is_number()) return std::nullopt;
  return value.get<double>();
}

std::string plain_text(const Json& value) {
  if (value.is_null()) return {};
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::vector<std::string> distinct(const Json& rows, const char* key) {
  std::vector<std::string> texts;
  for (const Json& row : rows) add_once(texts, plain_text(member(row, key)));
  return texts;
}

std::vector<std::string> distinct_keys(const Json& rows, const char* key) {
  std::vector<std::string> keys;
  for (const Json& row : rows) {
    for (const auto& item : member(row, key).items()) add_once(keys, item.key());
  }
  return keys;
}

}  // namespace caos::cli
