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

/// The manifest in a text, with the "state" of each of its files now: matches, changed, missing, or
/// not checked. `file` is where it lies. Throws Error bad_format where it is none.
[[nodiscard]] Json read_manifest(const std::string& file, std::string_view text);

/// Whether it is the manifest of the result as that is now. Throws as `read_manifest` does.
[[nodiscard]] bool is_manifest_of(const std::string& file, std::string_view text,
                                  const std::string& result);

/// What such a manifest says, for people.
[[nodiscard]] std::string manifest_text(const std::string& file, const Json& json);

}  // namespace caos::cli
