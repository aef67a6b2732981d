#pragma once

#include <string>
#include <vector>

#include "apps/studio/http/answer.hpp"
#include "apps/studio/routes/json_arguments.hpp"
#include "apps/studio/store/records.hpp"
#include "apps/studio/workbench/workbench.hpp"

// What the studio keeps and finds, as the JSON of openapi.json.
namespace caos::studio {

[[nodiscard]] Json to_json(const Settings& settings);
[[nodiscard]] Json to_json(const Project& project, std::size_t num_images,
                           std::size_t num_landmarks);
[[nodiscard]] Json to_json(const SchemeLandmark& landmark);
[[nodiscard]] Json to_json(const ImageRecord& image, const Sampling& sampling);
[[nodiscard]] Json to_json(const Point& point);
[[nodiscard]] Json to_json(const Reading& reading);
[[nodiscard]] Json to_json(const HistoryEntry& entry);
[[nodiscard]] Json to_json(const ProjectGuarantee& guarantee);
[[nodiscard]] Json to_json(const SupportingReference& reference);
[[nodiscard]] Json to_json(const ImageRegions& regions);
[[nodiscard]] Json to_json(const QueueEntry& entry);
[[nodiscard]] Json to_json(const Status& status);
[[nodiscard]] Json to_json(const Event& event);
[[nodiscard]] std::string name_of(Event::Kind kind);

template <typename Value>
[[nodiscard]] Json to_json(const std::vector<Value>& values) {
  Json list = Json::array();
  for (const Value& value : values) list.push_back(to_json(value));
  return list;
}

/// null for nothing.
template <typename Value>
[[nodiscard]] Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// As text; what is not UTF-8 becomes U+FFFD.
[[nodiscard]] inline std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

[[nodiscard]] inline http::Answer answer_of(const Json& json, int status = 200) {
  return http::json_answer(text_of(json), status);
}

/// 409: changed by another client meanwhile. `more` stands beside the error.
[[nodiscard]] http::Answer conflict(const std::string& message, const Json& more);

}  // namespace caos::studio
