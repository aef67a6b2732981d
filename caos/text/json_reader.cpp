#include "caos/text/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "caos/error.hpp"

namespace caos::text {
namespace {

constexpr int max_depth = 64;

std::size_t line_breaks(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

template <typename Json>
Json parse_as(std::string_view text, const std::string& name, std::size_t first_line) {
  const auto shallow = [&](int depth, typename Json::parse_event_t, Json&) {
    if (depth > max_depth) refuse_line(name, first_line, "is nested too deeply");
    return true;
  };
  try {
    return Json::parse(text, shallow);
  } catch (const typename Json::parse_error& error) {
    const std::string_view before = text.substr(0, error.byte > 0 ? error.byte - 1 : 0);
    refuse_line(name, first_line + line_breaks(before),
                "not valid JSON here; look for a missing quote, comma or bracket");
  } catch (const typename Json::exception&) {
    refuse_line(name, first_line, "holds a number that is too large; write it as a text");
  }
}

}  // namespace

OrderedJson parse_json(std::string_view text, const std::string& name, std::size_t first_line) {
  return parse_as<OrderedJson>(text, name, first_line);
}

nlohmann::json parse_large_json(std::string_view text, const std::string& name) {
  return parse_as<nlohmann::json>(text, name, 1);
}

nlohmann::json parse_answer(std::string_view text) {
  using Json = nlohmann::json;
  struct TooDeep {};
  const auto shallow = [](int depth, Json::parse_event_t, Json&) {
    if (depth > max_depth) throw TooDeep();
    return true;
  };
  try {
    return Json::parse(text, shallow);
  } catch (const Json::exception&) {
    return nullptr;
  } catch (const TooDeep&) {
    return nullptr;
  }
}

std::optional<std::string> scalar_text(const OrderedJson& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return value.dump();
  return std::nullopt;
}

void refuse_line(const std::string& name, std::size_t line, const std::string& what) {
  throw Error(ErrorKind::bad_format, fmt::format("{}:{}: {}", name, line, what));
}

}  // namespace caos::text
