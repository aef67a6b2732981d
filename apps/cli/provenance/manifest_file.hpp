#pragma once

#include <string>
#include <string_view>

#include "apps/predictions/json_text.hpp"

namespace caos::cli {

using predictions::Json;
using predictions::json_text;

inline constexpr const char* manifest_kind = "caos manifest";
inline constexpr const char* manifest_suffix = ".manifest.json";
inline constexpr int manifest_format = 1;

/// Whether a text looks like a manifest: a JSON object.
[[nodiscard]] bool is_manifest(std::string_view text);

/// The manifest in a text, with the current "state" of each of its files: matches, changed, missing
/// or not checked. `file` is its path. Throws Error bad_format if it is not a valid manifest.
[[nodiscard]] Json read_manifest(const std::string& file, std::string_view text);

/// Whether it is the manifest of the present content of `result`. Throws as `read_manifest` does.
[[nodiscard]] bool is_manifest_of(const std::string& file, std::string_view text,
                                  const std::string& result);

/// What `read_manifest` returned, as text.
[[nodiscard]] std::string manifest_text(const std::string& file, const Json& json);

/// How many of these files, the "inputs" or "outputs" of `read_manifest`, have the state.
[[nodiscard]] std::size_t count_of(const Json& files, std::string_view state);

}  // namespace caos::cli
