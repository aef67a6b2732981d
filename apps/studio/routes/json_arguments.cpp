#include "apps/studio/routes/json_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "caos/error.hpp"

namespace caos::studio {
namespace {

template <typename Value>
std::optional<Value> parse(const std::string& text) {
  Value value{};
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc() && end == last ? std::optional(value) : std::nullopt;
}

template <typename Value>
std::optional<Value> query_value(const http::Request& request, const std::string& key,
                                 const char* what) {
  const auto found = request.query.find(key);
  if (found == request.query.end()) return std::nullopt;
  const auto value = parse<Value>(found->second);
  require(value.has_value() && std::isfinite(static_cast<double>(*value)), ErrorKind::invalid_input,
          [&] { return fmt::format("{}: '{}' is not {}", key, found->second, what); });
  return value;
}

bool is_utf8(const std::string& text) {
  try {
    [[maybe_unused]] const std::string written = Json(text).dump();
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

}  // namespace

Json parse_body(const http::Request& request) {
  // Visiting a value visits those within it, and needs stack for each.
  constexpr int max_depth = 64;
  const auto shallow = [](int depth, Json::parse_event_t, Json&) {
    require(depth <= max_depth, ErrorKind::bad_format, "the body is nested too deeply");
    return true;
  };
  try {
    return Json::parse(request.body, shallow);
  } catch (const Json::exception& error) {
    // Its messages begin with a code in brackets, for its own documentation.
    const std::string message = error.what();
    const std::size_t start = message.find("] ");
    throw Error(ErrorKind::bad_format,
                fmt::format("the body is not JSON: {}",
                            start == std::string::npos ? message : message.substr(start + 2)));
  }
}

Reader::Reader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
  require(object.is_object(), ErrorKind::invalid_input, [&] {
    return fmt::format("{} must be an object", where_.empty() ? "the body" : where_);
  });
}

std::string Reader::name_of(const std::string& key) const {
  return where_.empty() ? key : fmt::format("{}.{}", where_, key);
}

void Reader::refuse(const std::string& key, const std::string& what) const {
  throw Error(ErrorKind::invalid_input, fmt::format("{} {}", name_of(key), what));
}

const Json* Reader::find(const std::string& key) const {
  const auto found = object_.find(key);
  return found == object_.end() ? nullptr : &*found;
}

const Json& Reader::at(const std::string& key) {
  asked_.insert(key);
  const Json* found = find(key);
  if (found == nullptr) refuse(key, "is missing");
  return *found;
}

bool Reader::has(const std::string& key) const {
  const Json* found = find(key);
  return found != nullptr && !found->is_null();
}

bool Reader::has_null(const std::string& key) const {
  const Json* found = find(key);
  return found != nullptr && found->is_null();
}

std::string Reader::text(const std::string& key) {
  const Json& value = at(key);
  if (!value.is_string()) refuse(key, "must be a text");
  return value.get<std::string>();
}

std::string Reader::text(const std::string& key, std::string otherwise) {
  asked_.insert(key);
  return find(key) != nullptr ? text(key) : std::move(otherwise);
}

std::int64_t Reader::whole(const std::string& key) {
  const Json& value = at(key);
  const bool fits = value.is_number_integer() &&
                    (!value.is_number_unsigned() || value.get<std::uint64_t>() <= INT64_MAX);
  if (!fits) refuse(key, "must be a whole number");
  return value.get<std::int64_t>();
}

std::int64_t Reader::whole(const std::string& key, std::int64_t otherwise) {
  asked_.insert(key);
  return find(key) != nullptr ? whole(key) : otherwise;
}

std::size_t Reader::count(const std::string& key, std::size_t least) {
  const std::int64_t value = whole(key);
  if (value < static_cast<std::int64_t>(least)) {
    refuse(key, fmt::format("must be at least {}", least));
  }
  return static_cast<std::size_t>(value);
}

double Reader::number(const std::string& key) {
  const Json& value = at(key);
  if (!value.is_number()) refuse(key, "must be a number");
  return value.get<double>();
}

bool Reader::flag(const std::string& key, bool otherwise) {
  asked_.insert(key);
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) refuse(key, "must be true or false");
  return value->get<bool>();
}

const Json& Reader::list(const std::string& key) {
  const Json& value = at(key);
  if (!value.is_array()) refuse(key, "must be a list");
  return value;
}

const Json& Reader::object(const std::string& key) {
  const Json& value = at(key);
  if (!value.is_object()) refuse(key, "must be an object");
  return value;
}

std::optional<std::string> Reader::text_or_null(const std::string& key) {
  return at(key).is_null() ? std::nullopt : std::optional(text(key));
}

std::optional<double> Reader::number_or_null(const std::string& key) {
  return at(key).is_null() ? std::nullopt : std::optional(number(key));
}

void Reader::finish() const {
  for (const auto& [key, value] : object_.items()) {
    if (!asked_.contains(key)) refuse(key, "is not known here");
  }
}

void check_query(const http::Request& request, std::initializer_list<const char*> keys) {
  for (const auto& entry : request.query) {
    require(std::ranges::find(keys, entry.first) != keys.end(), ErrorKind::invalid_input,
            [&] { return fmt::format("'{}' in the address is not known here", entry.first); });
  }
}

std::optional<std::string> query_text(const http::Request& request, const std::string& key) {
  const auto found = request.query.find(key);
  if (found == request.query.end()) return std::nullopt;
  require(is_utf8(found->second), ErrorKind::invalid_input,
          [&] { return fmt::format("{} is not UTF-8", key); });
  return found->second;
}

std::optional<double> query_number(const http::Request& request, const std::string& key) {
  return query_value<double>(request, key, "a number");
}

std::optional<std::int64_t> query_whole(const http::Request& request, const std::string& key) {
  return query_value<std::int64_t>(request, key, "a whole number");
}

bool query_flag(const http::Request& request, const std::string& key, bool otherwise) {
  const auto found = request.query.find(key);
  if (found == request.query.end()) return otherwise;
  const bool known = found->second == "true" || found->second == "false";
  require(known, ErrorKind::invalid_input,
          [&] { return fmt::format("{}: '{}' is not true or false", key, found->second); });
  return found->second == "true";
}

Part part_in(const http::Request& request) {
  const auto offset = query_whole(request, "offset");
  const auto limit = query_whole(request, "limit");
  require(offset.value_or(0) >= 0 && limit.value_or(0) >= 0, ErrorKind::invalid_input,
          "offset and limit must not be negative");
  Part part{.offset = static_cast<std::size_t>(offset.value_or(0))};
  if (limit) part.limit = static_cast<std::size_t>(*limit);
  return part;
}

Id id_in(const http::Request& request, const std::string& name) {
  const std::string& text = request.argument(name);
  const auto id = parse<Id>(text);
  require(id && *id > 0, ErrorKind::not_found, [&] {
    return fmt::format("{} not found: '{}' is not a row number", request.path, text);
  });
  return *id;
}

}  // namespace caos::studio
