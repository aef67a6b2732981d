#include <fmt/format.h>

#include "apps/studio/routes/api.hpp"
#include "apps/studio/routes/studio_json.hpp"

namespace caos::studio {
namespace {

using http::Answer;
using http::Body;
using http::Request;

Json describe(const Api& api, Id project) {
  const std::int64_t revision = api.store.project(project).scheme_revision;
  return {{"revision", revision}, {"landmarks", to_json(api.store.scheme(project))}};
}

SchemeLandmark read_landmark(const Json& object, std::size_t index) {
  Reader reader(object, fmt::format("landmarks[{}]", index));
  SchemeLandmark landmark;
  landmark.id = reader.whole("id", 0);
  landmark.name = reader.text("name");
  landmark.color = reader.text("color", "");
  if (reader.has("pair") || reader.has_null("pair")) landmark.pair = reader.text_or_null("pair");
  reader.finish();
  return landmark;
}

std::vector<SchemeLandmark> read_landmarks(const Json& list) {
  std::vector<SchemeLandmark> landmarks;
  for (std::size_t i = 0; i < list.size(); ++i) landmarks.push_back(read_landmark(list[i], i));
  return landmarks;
}

Answer show_scheme(const Api& api, const Request& request) {
  check_query(request, {});
  return answer_of(describe(api, id_in(request, "p")));
}

Answer points_lost(std::size_t points) {
  return conflict(fmt::format("{} points of landmarks that go would be lost; send drop_points to "
                              "take them away",
                              points),
                  {{"points", points}});
}

Answer replace(const Api& api, const Request& request) {
  check_query(request, {});
  const Id project = id_in(request, "p");
  const Json body = parse_body(request);
  Reader reader(body);
  const std::int64_t base = reader.whole("revision");
  const auto landmarks = read_landmarks(reader.list("landmarks"));
  const bool drop_points = reader.flag("drop_points", false);
  const bool confirmed = reader.flag("confirm", false);
  reader.finish();
  const std::size_t lost = drop_points ? 0 : api.store.points_lost(project, landmarks);
  if (lost > 0) return points_lost(lost);
  if (!confirmed && api.store.rescheming_costs_guarantee(project, landmarks)) {
    return conflict(retargeting_cost, {{"confirm", true}});
  }
  const auto replaced = api.store.replace_scheme(project, base, landmarks, drop_points, confirmed);
  if (!replaced) {
    return conflict("the scheme was changed meanwhile; look at it and try again",
                    {{"current", describe(api, project)}});
  }
  api.changed(
      {.kind = Event::Kind::scheme, .project = project, .revision = replaced->scheme_revision});
  return answer_of(describe(api, project));
}

}  // namespace

std::vector<http::Route> scheme_routes(const Api& api) {
  return {
      {"GET", "/v1/projects/{p}/scheme", Body::none,
       [&api](const Request& r) { return show_scheme(api, r); }},
      {"PUT", "/v1/projects/{p}/scheme", Body::json,
       [&api](const Request& r) { return replace(api, r); }},
  };
}

}  // namespace caos::studio
