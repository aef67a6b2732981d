#include "caos/io/safetensors_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/arrays/shape.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"

namespace caos::io {
namespace {

using Json = nlohmann::json;

constexpr const char* metadata_key = "__metadata__";
constexpr std::size_t alignment = 64;

struct NamedType {
  std::string_view dtype;
  ElementType type;
};

constexpr std::array<NamedType, 5> types = {{{"F64", ElementType::f64},
                                             {"I64", ElementType::i64},
                                             {"F32", ElementType::f32},
                                             {"F16", ElementType::f16},
                                             {"U8", ElementType::u8}}};

Json describe_tensor(const TensorRef& tensor, std::size_t begin) {
  return {{"dtype", dtype_of(tensor.type)},
          {"shape", tensor.shape},
          {"data_offsets", {begin, begin + tensor.bytes.size()}}};
}

std::string dump(const Json& json, const std::string& path) {
  try {
    return json.dump();
  } catch (const Json::exception&) {
    throw Error(ErrorKind::invalid_input, fmt::format("{}: its texts must be UTF-8", path));
  }
}

std::string padded(std::string text, const std::string& path) {
  const std::size_t end = sizeof(std::uint64_t) + text.size();
  text.append((alignment - end % alignment) % alignment, ' ');
  require(text.size() <= max_safetensors_header, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: names and metadata have {} bytes; at most 16 MiB fit", path,
                       text.size());
  });
  return text;
}

[[noreturn]] void refuse_header(const std::string& name, const std::string& what) {
  refuse(name, "its header " + what);
}

/// Stops hostile headers while they are read: nesting deeper than ours, endless lists, and keys
/// given twice, of which the JSON library would keep one.
class Guard {
 public:
  explicit Guard(const std::string& name) : name_(name) {}

  void see(int depth, Json::parse_event_t event, const Json& parsed) {
    using Event = Json::parse_event_t;
    if (depth > max_depth) refuse_header(name_, "is nested too deeply");
    if (++num_events_ > max_events) refuse_header(name_, "has too many entries");
    const auto level = static_cast<std::size_t>(depth);
    if (event == Event::object_start) keys_[level].clear();
    if (event == Event::key) see_key(level, parsed.get_ref<const std::string&>());
  }

 private:
  static constexpr int max_depth = 3;  // {"a": {"shape": [2]}}
  static constexpr std::size_t max_events = std::size_t{1} << 16;

  void see_key(std::size_t level, const std::string& key) {
    // The keys of an object are one level below its beginning.
    const bool is_new = keys_[level - 1].insert(key).second;
    if (!is_new) refuse_header(name_, fmt::format("has '{}' twice", printable(key)));
  }

  const std::string& name_;
  std::size_t num_events_ = 0;
  std::array<std::set<std::string>, max_depth + 1> keys_;
};

Json parse_json(std::string_view text, const std::string& name) {
  Guard guard(name);
  const auto callback = [&](int depth, Json::parse_event_t event, Json& parsed) {
    guard.see(depth, event, parsed);
    return true;
  };
  try {
    return Json::parse(text, callback);
  } catch (const Json::exception&) {
    refuse_header(name, "not valid JSON");
  }
}

/// Turns the JSON of a header into types.
class HeaderReader {
 public:
  HeaderReader(std::span<const std::byte> data, const std::string& name)
      : data_(data), name_(name) {}

  SafetensorsHeader read(const Json& json) const {
    SafetensorsHeader header;
    if (!json.is_object()) refuse_header(name_, "not a JSON object");
    for (const auto& [key, value] : json.items()) {
      if (key == metadata_key) {
        header.metadata = read_metadata(value);
      } else {
        header.tensors.push_back(read_tensor(key, value));
      }
    }
    require_no_holes(header.tensors);
    return header;
  }

 private:
  Metadata read_metadata(const Json& json) const {
    Metadata result;
    if (!json.is_object()) refuse_header(name_, "has metadata that are not an object");
    for (const auto& [key, value] : json.items()) {
      if (!value.is_string()) refuse_header(name_, "has metadata that are not texts");
      result.emplace(key, value.get<std::string>());
    }
    return result;
  }

  TensorRef read_tensor(const std::string& key, const Json& json) const {
    const bool complete = json.is_object() && json.size() == 3 && json.contains("dtype") &&
                          json.contains("shape") && json.contains("data_offsets");
    if (!complete) refuse_tensor(key, "without exactly a dtype, a shape and data_offsets");
    const ElementType type = read_type(key, json["dtype"]);
    const Shape shape = read_numbers(key, json["shape"]);
    const auto bytes = slice(key, read_numbers(key, json["data_offsets"]));
    const auto expected = byte_size(shape, size_of(type));
    if (expected != bytes.size()) refuse_tensor(key, "whose data do not fill its shape");
    return {.name = key, .type = type, .shape = shape, .bytes = bytes};
  }

  ElementType read_type(const std::string& key, const Json& json) const {
    const auto* const found =
        json.is_string()
            ? std::ranges::find(types, json.get_ref<const std::string&>(), &NamedType::dtype)
            : types.end();
    if (found == types.end()) refuse_tensor(key, "of a type other than F64, I64, F32, F16 and U8");
    return found->type;
  }

  Shape read_numbers(const std::string& key, const Json& json) const {
    const bool numbers = json.is_array() && std::ranges::all_of(json, &Json::is_number_unsigned);
    if (!numbers) refuse_tensor(key, "with a shape or offsets that are not whole numbers");
    return json.get<Shape>();
  }

  std::span<const std::byte> slice(const std::string& key, const Shape& offsets) const {
    const bool inside =
        offsets.size() == 2 && offsets[0] <= offsets[1] && offsets[1] <= data_.size();
    if (!inside) refuse_tensor(key, "whose data lie outside the file");
    return data_.subspan(offsets[0], offsets[1] - offsets[0]);
  }

  void require_no_holes(std::vector<TensorRef>& tensors) const {
    // An empty array begins where the next one does, and comes before it.
    std::ranges::sort(tensors, {},
                      [](const TensorRef& t) { return std::pair(t.bytes.data(), t.bytes.size()); });
    const std::byte* end = data_.data();
    for (const TensorRef& tensor : tensors) {
      if (tensor.bytes.data() != end) refuse_tensor(tensor.name, "that does not follow the others");
      end += tensor.bytes.size();
    }
    if (end != data_.data() + data_.size())
      refuse_header(name_, "does not describe all data of the file");
  }

  [[noreturn]] void refuse_tensor(const std::string& key, const char* what) const {
    refuse_header(name_, fmt::format("has an array '{}' {}", printable(key), what));
  }

  std::span<const std::byte> data_;
  const std::string& name_;
};

}  // namespace

std::string_view dtype_of(ElementType type) {
  const auto* const found = std::ranges::find(types, type, &NamedType::type);
  return found == types.end() ? std::string_view() : found->dtype;
}

std::string format_safetensors_header(const Metadata& metadata, std::span<const TensorRef> tensors,
                                      const std::string& path) {
  Json json;
  json[metadata_key] = metadata;
  json[metadata_key]["checksum"] = std::string(checksum_digits, '0');
  std::size_t begin = 0;
  for (const TensorRef& tensor : tensors) {
    json[tensor.name] = describe_tensor(tensor, begin);
    begin += tensor.bytes.size();
  }
  return padded(dump(json, path), path);
}

SafetensorsHeader parse_safetensors_header(std::string_view json, std::span<const std::byte> data,
                                           const std::string& name) {
  return HeaderReader(data, name).read(parse_json(json, name));
}

}  // namespace caos::io
