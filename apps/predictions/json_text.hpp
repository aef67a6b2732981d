#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace caos::predictions {

/// Keys stay in the order in which they are written.
using Json = nlohmann::ordered_json;

/// JSON as text. Names of files need not be UTF-8; what is not becomes U+FFFD.
[[nodiscard]] inline std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace caos::predictions
