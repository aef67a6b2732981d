#include <fmt/format.h>

#include "apps/studio/routes/api.hpp"
#include "apps/studio/routes/studio_json.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

using http::Answer;
using http::Body;
using http::Request;

Json measures_json(const Measures& all) {
  Json measures = Json::array();
  for (const Measure& measure : all.measures) {
    measures.push_back({{"name", measure.name},
                        {"kind", name_of(measure.kind)},
                        {"landmarks", measure.landmarks}});
  }
  Json skeleton = Json::array();
  for (const auto& [from, to] : all.skeleton) skeleton.push_back({from, to});
  return {{"revision", all.revision},
          {"measures", std::move(measures)},
          {"skeleton", std::move(skeleton)}};
}

std::vector<Id> read_ids(const Json& list, const std::string& where) {
  std::vector<Id> ids;
  require(list.is_array(), ErrorKind::invalid_input,
          [&] { return fmt::format("{} must be a list of landmarks", where); });
  for (const Json& item : list) {
    require(item.is_number_integer(), ErrorKind::invalid_input,
            [&] { return fmt::format("{} must be a list of numbers of landmarks", where); });
    ids.push_back(item.get<Id>());
  }
  return ids;
}

Measure read_measure(const Json& object, const std::string& where) {
  Reader reader(object, where);
  Measure measure{.name = reader.text("name"), .kind = parse_measure_kind(reader.text("kind"))};
  measure.landmarks = read_ids(reader.list("landmarks"), where + ".landmarks");
  reader.finish();
  return measure;
}

Measures read_measures(const Json& body) {
  Reader reader(body);
  Measures all{.revision = reader.whole("revision")};
  const Json& measures = reader.list("measures");
  for (std::size_t i = 0; i < measures.size(); ++i) {
    all.measures.push_back(read_measure(measures[i], fmt::format("measures[{}]", i)));
  }
  const Json& skeleton = reader.list("skeleton");
  for (std::size_t i = 0; i < skeleton.size(); ++i) {
    const std::string where = fmt::format("skeleton[{}]", i);
    const std::vector<Id> ends = read_ids(skeleton[i], where);
    require(ends.size() == 2, ErrorKind::invalid_input,
            [&] { return fmt::format("{} must have two landmarks", where); });
    all.skeleton.emplace_back(ends[0], ends[1]);
  }
  reader.finish();
  return all;
}

Answer show_measures(const Api& api, const Request& request) {
  check_query(request, {});
  return answer_of(measures_json(api.store.measures(id_in(request, "p"))));
}

Answer replace_measures(const Api& api, const Request& request) {
  check_query(request, {});
  const Id project = id_in(request, "p");
  const Measures wanted = read_measures(parse_body(request));
  const auto written = api.store.replace_measures(project, wanted.revision, wanted);
  if (!written) {
    return conflict("the measures were changed meanwhile; look at what is there now and try again",
                    {{"current", measures_json(api.store.measures(project))}});
  }
  publish(api.events, {.kind = Event::Kind::project, .project = project});
  return answer_of(measures_json(*written));
}

}  // namespace

std::vector<http::Route> measure_routes(const Api& api) {
  return {
      {"GET", "/v1/projects/{p}/measures", Body::none,
       [&api](const Request& r) { return show_measures(api, r); }},
      {"PUT", "/v1/projects/{p}/measures", Body::json,
       [&api](const Request& r) { return replace_measures(api, r); }},
  };
}

}  // namespace caos::studio
