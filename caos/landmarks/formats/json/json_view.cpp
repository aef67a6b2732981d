#include "caos/landmarks/formats/json/json_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "caos/error.hpp"
#include "caos/io/refuse.hpp"
#include "caos/landmarks/formats/landmark_table.hpp"
#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

constexpr int max_depth = 64;

std::size_t line_at(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte > 0 ? byte - 1 : 0);
  return 1 + static_cast<std::size_t>(std::ranges::count(before, '\n'));
}

}  // namespace

Json parse_json(std::string_view text, const std::string& name) {
  const auto shallow = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > max_depth) io::refuse(name, "is nested too deeply to hold landmarks");
    return true;
  };
  try {
    return Json::parse(text, shallow);
  } catch (const Json::parse_error& error) {
    refuse_line(name, line_at(text, error.byte),
                "not valid JSON here; look for a missing quote, comma or bracket");
  } catch (const Json::exception&) {
    io::refuse(name, "holds a number that is too large");
  }
}

std::string json_text(const Json& json, int indent) {
  try {
    return json.dump(indent) + "\n";
  } catch (const Json::exception&) {
    throw Error(ErrorKind::invalid_input, "names must be UTF-8 to be written as JSON");
  }
}

JsonView JsonView::at(const char* key) const {
  auto found = find(key);
  if (!found) refuse(fmt::format("has no '{}'", key));
  return *std::move(found);
}

std::optional<JsonView> JsonView::find(const char* key) const {
  require_object();
  const auto found = json_->find(key);
  if (found == json_->end() || found->is_null()) return std::nullopt;
  return JsonView(*found, *name_, path_.empty() ? key : fmt::format("{}.{}", path_, key));
}

std::vector<JsonView> JsonView::items() const {
  if (!json_->is_array()) refuse("not a list");
  std::vector<JsonView> result;
  result.reserve(json_->size());
  for (const Json& item : *json_) {
    result.push_back(JsonView(item, *name_, fmt::format("{}[{}]", path_, result.size())));
  }
  return result;
}

const std::string& JsonView::text() const {
  if (!json_->is_string()) refuse("not a text");
  return json_->get_ref<const std::string&>();
}

double JsonView::number() const {
  if (!json_->is_number()) refuse("not a number");
  return json_->get<double>();
}

double JsonView::coordinate() const {
  const double value = number();
  if (!is_coordinate(value)) refuse(fmt::format("is {}, which is not a valid position", value));
  return value;
}

std::size_t JsonView::positive() const {
  const double value = number();
  const bool whole = value >= 1 && value <= max_coordinate && std::trunc(value) == value;
  if (!whole) refuse("not a whole number of pixels");
  return static_cast<std::size_t>(value);
}

bool JsonView::truth() const {
  if (!json_->is_boolean()) refuse("is neither true nor false");
  return json_->get<bool>();
}

void JsonView::refuse(const std::string& what) const {
  io::refuse(*name_, path_.empty() ? what : fmt::format("{}: {}", path_, what));
}

void JsonView::require_object() const {
  if (!json_->is_object()) refuse("not an object");
}

}  // namespace caos::landmarks
