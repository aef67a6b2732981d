#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Shared by the readers and writers of JSON formats; not for users of the library.
namespace caos::landmarks {

/// Keys stay in the order in which they are written.
using Json = nlohmann::ordered_json;

/// Parses JSON. Throws `bad_format` with file and line if it is invalid or nested too deeply.
[[nodiscard]] Json parse_json(std::string_view text, const std::string& name);

/// The text of a file; names that are not UTF-8 are an Error invalid_input. `indent` as in dump.
[[nodiscard]] std::string json_text(const Json& json, int indent = -1);

/// An element of a JSON file that knows its path, so that errors can name it: each getter throws
/// bad_format unless the element is what was asked for.
class JsonView {
 public:
  JsonView(const Json& json, const std::string& name) : json_(&json), name_(&name) {}

  [[nodiscard]] JsonView at(const char* key) const;
  /// Nothing where the key is missing or null.
  [[nodiscard]] std::optional<JsonView> find(const char* key) const;
  [[nodiscard]] std::vector<JsonView> items() const;

  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] double number() const;
  /// A number that can be a position in an image.
  [[nodiscard]] double coordinate() const;
  /// A whole number from 1, such as a width; 640.0 is 640.
  [[nodiscard]] std::size_t positive() const;
  [[nodiscard]] bool truth() const;
  [[nodiscard]] const Json& json() const { return *json_; }
  /// Where it is in the file: `annotations[3].keypoints`.
  [[nodiscard]] const std::string& path() const { return path_; }

  [[noreturn]] void refuse(const std::string& what) const;

 private:
  JsonView(const Json& json, const std::string& name, std::string path)
      : json_(&json), name_(&name), path_(std::move(path)) {}

  void require_object() const;

  const Json* json_;
  const std::string* name_;
  std::string path_;
};

}  // namespace caos::landmarks
