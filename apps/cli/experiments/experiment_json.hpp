#pragma once

#include <optional>
#include <vector>

#include "apps/predictions/json_text.hpp"
#include "caos/guarantee.hpp"

// What the JSON of experiments has in common.
namespace caos::cli {

/// Null for what is absent.
template <typename Value>
predictions::Json json_or_null(const std::optional<Value>& value) {
  return value ? predictions::Json(*value) : predictions::Json(nullptr);
}

/// An array with the JSON of each row.
template <typename Row, typename ToJson>
predictions::Json rows_json(const std::vector<Row>& rows, ToJson to_json) {
  predictions::Json json = predictions::Json::array();
  for (const Row& row : rows) json.push_back(to_json(row));
  return json;
}

/// Adds `guarantee` and, for `none`, its reason as `why_none`.
inline void add_guarantee(predictions::Json& json, const Guarantee& guarantee) {
  const bool none = guarantee.kind == Guarantee::Kind::none;
  json["guarantee"] = none ? "none" : guarantee.text();
  json["why_none"] = none ? predictions::Json(guarantee.why_none) : predictions::Json(nullptr);
}

}  // namespace caos::cli
