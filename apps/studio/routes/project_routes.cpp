#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "apps/studio/routes/api.hpp"
#include "apps/studio/routes/studio_json.hpp"
#include "caos/error.hpp"
#include "caos/vision/working_size.hpp"

namespace caos::studio {
namespace {

using http::Answer;
using http::Body;
using http::Request;

Json describe(const Api& api, const Project& project) {
  return to_json(project, api.store.num_images(project.id), api.store.scheme(project.id).size());
}

/// `settings` with what the object says otherwise.
Settings changed_settings(const Json& object, Settings settings) {
  Reader reader(object, "settings");
  settings.score = reader.text("score", settings.score);
  settings.alpha = reader.text("alpha", settings.alpha);
  settings.simultaneous = reader.flag("simultaneous", settings.simultaneous);
  settings.use_corrections = reader.flag("use_corrections", settings.use_corrections);
  settings.target = reader.text("target", settings.target);
  if (reader.has("k")) settings.k = reader.count("k", 1);
  if (reader.has("mm_per_pixel") || reader.has_null("mm_per_pixel")) {
    settings.mm_per_pixel = reader.number_or_null("mm_per_pixel");
  }
  reader.finish();
  return settings;
}

/// A size that a user asks for is one that new models know.
std::string read_working_size(Reader& reader, const std::string& otherwise) {
  if (!reader.has("working_size")) return otherwise;
  const std::string text = reader.text("working_size");
  if (text != otherwise) static_cast<void>(vision::WorkingSize::parse(text));
  return text;
}

/// 409: the request voids the guarantee.
Answer unconfirmed(const char* cost) { return conflict(cost, {{"confirm", true}}); }

Answer list_projects(const Api& api, const Request& request) {
  check_query(request, {});
  Json all = Json::array();
  for (const Project& project : api.store.projects()) all.push_back(describe(api, project));
  return answer_of({{"projects", std::move(all)}});
}

Answer add_project(const Api& api, const Request& request) {
  check_query(request, {});
  const Json body = parse_body(request);
  Reader reader(body);
  const std::string name = reader.text("name");
  const Settings settings =
      reader.has("settings") ? changed_settings(reader.object("settings"), {}) : Settings{};
  const std::string working_size = read_working_size(reader, api.working_size);
  reader.finish();
  const Project project = api.store.add_project(name, api.backbone, working_size, settings);
  api.changed({.kind = Event::Kind::project, .project = project.id});
  return answer_of(describe(api, project), 201);
}

Answer show_project(const Api& api, const Request& request) {
  check_query(request, {});
  return answer_of(describe(api, api.store.project(id_in(request, "p"))));
}

Answer change_project(const Api& api, const Request& request) {
  check_query(request, {});
  Project project = api.store.project(id_in(request, "p"));
  const Json body = parse_body(request);
  Reader reader(body);
  const std::string name = reader.text("name", project.name);
  const Settings settings = reader.has("settings")
                                ? changed_settings(reader.object("settings"), project.settings)
                                : project.settings;
  const std::string working_size = read_working_size(reader, project.working_size);
  const bool confirmed = reader.flag("confirm", false);
  reader.finish();
  if (!confirmed && api.store.retargeting_costs_guarantee(project.id, settings)) {
    return unconfirmed(retargeting_cost);
  }
  if (!confirmed && api.store.rescaling_costs_guarantee(project.id, working_size)) {
    return unconfirmed(rescaling_cost);
  }
  if (settings != project.settings) {
    project = api.store.change_settings(project.id, settings, confirmed);
  }
  if (name != project.name) project = api.store.rename_project(project.id, name);
  project = api.store.change_working_size(project.id, working_size, confirmed);
  api.changed({.kind = Event::Kind::project, .project = project.id});
  return answer_of(describe(api, project));
}

Answer remove_project(const Api& api, const Request& request) {
  check_query(request, {});
  const Id project = id_in(request, "p");
  const std::vector<ImageRecord> images = api.store.images(project);
  api.store.remove_project(project);
  for (const ImageRecord& image : images) api.pictures.forget(image);
  api.workbench.forget(project);
  publish(api.events, {.kind = Event::Kind::project, .project = project});
  return {.status = 204};
}

std::vector<Look> read_looks(const Json& list) {
  std::vector<Look> looks;
  for (std::size_t i = 0; i < list.size(); ++i) {
    Reader reader(list[i], fmt::format("looks[{}]", i));
    looks.push_back({.size = reader.count("size", 1), .alpha = reader.text("alpha", "")});
    reader.finish();
  }
  require(!looks.empty(), ErrorKind::invalid_input, "looks must have at least one");
  return looks;
}

/// The program draws the seed unless the caller gives one.
SampleRequest read_sample(Reader& reader) {
  SampleRequest request{.seed = std::random_device{}(), .confirmed = reader.flag("confirm", false)};
  if (reader.has("looks")) {
    request.looks = read_looks(reader.list("looks"));
  } else {
    request.size = reader.count("size", 1);
  }
  request.seed_given = reader.has("seed");
  if (request.seed_given) request.seed = reader.count("seed", 0);
  reader.finish();
  return request;
}

Answer finish_sample(const Api& api, const Project& project) {
  api.changed({.kind = Event::Kind::project, .project = project.id});
  return answer_of(describe(api, project));
}

const char* sampling_cost(const Api& api, Id project) {
  const bool is_drawn = api.store.project(project).sampling.kind != Sampling::Kind::none;
  return is_drawn ? resizing_cost : late_draw_cost;
}

Answer take_labeled(const Api& api, Id project, Reader& reader) {
  require(reader.text("from") == "labeled", ErrorKind::invalid_input,
          "from must be 'labeled', or give a size");
  const bool confirmed = reader.flag("confirm", false);
  reader.finish();
  if (!confirmed && api.store.resizing_costs_guarantee(project, {})) {
    return unconfirmed(sampling_cost(api, project));
  }
  return finish_sample(
      api, api.store.take_labeled_as_sample(project, std::random_device{}(), confirmed));
}

Answer sample(const Api& api, const Request& request) {
  check_query(request, {});
  const Id project = id_in(request, "p");
  const Json body = parse_body(request);
  Reader reader(body);
  if (reader.has("from")) return take_labeled(api, project, reader);
  const SampleRequest wanted = read_sample(reader);
  if (!wanted.confirmed && api.store.resizing_costs_guarantee(project, wanted)) {
    return unconfirmed(sampling_cost(api, project));
  }
  return finish_sample(api, api.store.draw_sample(project, wanted));
}

}  // namespace

std::vector<http::Route> project_routes(const Api& api) {
  return {
      {"GET", "/v1/projects", Body::none,
       [&api](const Request& r) { return list_projects(api, r); }},
      {"POST", "/v1/projects", Body::json,
       [&api](const Request& r) { return add_project(api, r); }},
      {"GET", "/v1/projects/{p}", Body::none,
       [&api](const Request& r) { return show_project(api, r); }},
      {"PATCH", "/v1/projects/{p}", Body::json,
       [&api](const Request& r) { return change_project(api, r); }},
      {"DELETE", "/v1/projects/{p}", Body::none,
       [&api](const Request& r) { return remove_project(api, r); }},
      {"POST", "/v1/projects/{p}/sample", Body::json,
       [&api](const Request& r) { return sample(api, r); }},
  };
}

}  // namespace caos::studio
