#include "apps/studio/routes/api.hpp"
#include "apps/studio/routes/studio_json.hpp"
#include "caos/version.hpp"

namespace caos::assets {
extern const std::string_view openapi_json;
}

namespace caos::studio {
namespace {

using http::Answer;
using http::Body;
using http::Request;

Answer health(const Api& api, const Request& request) {
  check_query(request, {});
  Json answer = {{"status", "ok"}, {"login", api.has_login}};
  if (request.is_known) {  // what is known to be here, and at which path, helps an attacker
    answer["version"] = version();
    answer["backbone"] = api.backbone;
    answer["score"] = Settings{}.score;
    answer["k"] = Settings{}.k;
    answer["working_size"] = api.working_size;
    answer["patch_size"] =
        api.workbench.frame_at({.backbone = api.backbone}, api.working_size, 1000, 1000)
            .grid.patch_size;
  }
  return answer_of(answer);
}

Answer metrics(const Api& api) {
  return {.content_type = "text/plain; version=0.0.4; charset=utf-8", .body = api.metrics.text()};
}

Answer events(const Api& api, const Request& request) {
  check_query(request, {"project"});
  const auto project = query_whole(request, "project");
  if (project) static_cast<void>(api.store.project(*project));
  Answer answer{.events = api.events.subscribe(project.value_or(0))};
  if (answer.events) return answer;
  answer = http::error_answer(503, "busy", "too many pages wait for events; close some");
  answer.headers.emplace_back("Retry-After", "5");
  return answer;
}

}  // namespace

std::vector<http::Route> server_routes(const Api& api) {
  return {
      {"GET", "/v1/health", Body::none,
       [&api](const Request& request) { return health(api, request); }},
      {"GET", "/v1/metrics", Body::none, [&api](const Request&) { return metrics(api); }},
      {"GET", "/v1/openapi.json", Body::none,
       [](const Request&) { return http::json_answer(std::string(assets::openapi_json)); }},
      {"GET", "/v1/events", Body::none,
       [&api](const Request& request) { return events(api, request); }},
  };
}

}  // namespace caos::studio
