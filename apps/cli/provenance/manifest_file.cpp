#include "apps/cli/provenance/manifest_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "caos/error.hpp"
#include "caos/io/sha256.hpp"

namespace caos::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw Error(ErrorKind::bad_format, fmt::format("{}: not a caos manifest: {}", file, why));
}

Json parse(const std::string& file, std::string_view text) {
  constexpr int max_depth = 16;
  const auto not_too_deep = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > max_depth) refuse(file, "it is nested too deeply");
    return true;
  };
  Json json = Json::parse(text, not_too_deep, false);
  if (!json.is_object() || json.value("kind", Json()) != manifest_kind) {
    refuse(file, "it is not a JSON object of that kind");
  }
  if (json.value("format", Json()) != manifest_format) {
    refuse(file, fmt::format("its format is {}; this version reads {}",
                             json_text(json.value("format", Json())), manifest_format));
  }
  return json;
}

/// A text of the manifest; any other type is refused.
std::string text_in(const std::string& file, const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_string())
    refuse(file, fmt::format("'{}' is not a string", key));
  return found->get<std::string>();
}

constexpr std::string_view matches = "matches";

/// At the same relative path from the manifest as when it was written, if both moved together;
/// otherwise the recorded path.
std::string place_of(const std::string& path, const std::string& written,
                     const std::string& manifest) {
  const bool both_alike = fs::path(path).is_absolute() == fs::path(written).is_absolute();
  std::error_code ignored;
  // Made absolute first: only then folders above the current one have names.
  const auto whole = [&](const std::string& name) {
    return fs::absolute(name, ignored).lexically_normal();
  };
  const fs::path beside = whole(path).lexically_relative(whole(written).parent_path());
  if (both_alike && !beside.empty()) {
    const fs::path moved = (fs::path(manifest).parent_path() / beside).lexically_normal();
    if (fs::is_regular_file(moved, ignored)) return moved.string();
  }
  return path;
}

std::string_view state_of(const Json& entry, const std::string& place) {
  if (!entry.contains("sha256") || entry.value("path", Json()) == "-") return "not checked";
  std::error_code ignored;
  // Some of the system's virtual files never end.
  const std::string there = fs::weakly_canonical(place, ignored).string();
  if (there.starts_with("/proc/") || there.starts_with("/sys/")) return "not checked";
  if (!fs::is_regular_file(place, ignored)) return "missing";
  if (entry.value("bytes", Json()) != fs::file_size(place, ignored)) return "changed";
  try {
    const io::FileHash hash = io::hash_of_file(place);
    return entry["sha256"] == hash.sha256 ? matches : "changed";
  } catch (const Error&) {  // cannot be read
    return "not checked";
  }
}

Json checked(const std::string& file, const Json& json, const char* key) {
  const std::string written = text_in(file, json, "manifest");
  Json list = Json::array();
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array())
    refuse(file, fmt::format("'{}' is not a list", key));
  for (const Json& entry : *found) {
    if (!entry.is_object()) refuse(file, fmt::format("an entry of '{}' is not an object", key));
    Json one = entry;
    const std::string place = place_of(text_in(file, entry, "path"), written, file);
    one["state"] = state_of(entry, place);
    list.push_back(std::move(one));
  }
  return list;
}

/// One line, without control characters.
std::string shown(const Json& value) {
  return value.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string plain(const Json& value) {
  const std::string text = shown(value);
  return value.is_string() ? text.substr(1, text.size() - 2) : text;
}

std::string options_text(const Json& options) {
  std::string text;
  if (!options.is_object()) return text;
  for (const auto& [name, value] : options.items()) {
    if (value.is_null() || value == false) continue;
    text += fmt::format("    {}{}{}\n", plain(name), value == true ? "" : " ",
                        value == true ? "" : shown(value));
  }
  return text;
}

std::string files_text(const char* title, const Json& files) {
  std::string text = fmt::format("  {}\n", title);
  for (const Json& file : files) {
    const std::string note =
        file.contains("note") ? fmt::format(" ({})", plain(file["note"])) : std::string();
    text += fmt::format("    {:<12} {}{}\n", file["state"].get<std::string>(), plain(file["path"]),
                        note);
  }
  return files.empty() ? "" : text;
}

std::string model_text(const char* title, const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_object()) return "";
  return fmt::format("  {:<15} {}: {}\n", title, plain(found->value("name", Json(""))),
                     plain(found->value("identity", Json(""))));
}

std::string guarantee_text(const Json& guarantee) {
  if (guarantee.is_null()) return "";
  if (!guarantee.is_array()) return fmt::format("  guarantee       {}\n", plain(guarantee));
  std::string text = "  guarantee\n";
  for (const Json& one : guarantee) {
    text += "   ";
    for (const auto& [key, value] : one.items()) {
      text += fmt::format(" {}{}", key == "alpha" ? "alpha " : "", plain(value));
    }
    text += "\n";
  }
  return text;
}

/// Manifests of version 0.1 call it a verb.
Json command_in(const Json& json) { return json.value("command", json.value("verb", Json(""))); }

}  // namespace

bool is_manifest(std::string_view text) {
  // The other files begin with the length of a header, in eight bytes of which the last is zero.
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_text = text.substr(0, 8).find('\0') == text.npos;
  return is_text && first != text.npos && text[first] == '{';
}

Json read_manifest(const std::string& file, std::string_view text) {
  Json json = parse(file, text);
  json["outputs"] = checked(file, json, "outputs");
  json["inputs"] = checked(file, json, "inputs");
  return json;
}

bool is_manifest_of(const std::string& file, std::string_view text, const std::string& result) {
  const Json json = parse(file, text);
  const std::string written = text_in(file, json, "manifest");
  for (const Json& output : json.value("outputs", Json::array())) {
    std::error_code ignored;
    if (!output.is_object()) continue;
    const std::string place = place_of(text_in(file, output, "path"), written, file);
    if (fs::equivalent(place, result, ignored)) return state_of(output, place) == matches;
  }
  return false;
}

std::string manifest_text(const std::string& file, const Json& json) {
  return fmt::format("{}: the provenance of a result\n", file) +
         fmt::format("  command         {} ({}, kernels {})\n", plain(command_in(json)),
                     plain(json.value("program", Json(""))),
                     plain(json.value("kernels", Json("")))) +
         "  options\n" + options_text(json.value("options", Json())) +
         model_text("backbone", json, "backbone") +
         model_text("language model", json, "language_model") +
         files_text("outputs", json["outputs"]) + files_text("inputs", json["inputs"]) +
         guarantee_text(json.value("guarantee", Json())) + "\n" +
         plain(json.value("same_bytes", Json(""))) + "\n";
}

std::size_t count_of(const Json& files, std::string_view state) {
  return static_cast<std::size_t>(
      std::ranges::count_if(files, [&](const Json& file) { return file["state"] == state; }));
}

}  // namespace caos::cli
