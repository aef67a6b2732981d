#include <fmt/format.h>

#include <memory>
#include <utility>

#include "apps/studio/exchange/backup.hpp"
#include "apps/studio/exchange/export_landmarks.hpp"
#include "apps/studio/exchange/export_sets.hpp"
#include "apps/studio/exchange/import_landmarks.hpp"
#include "apps/studio/exchange/import_scheme.hpp"
#include "apps/studio/routes/api.hpp"
#include "apps/studio/routes/studio_json.hpp"
#include "apps/studio/routes/uploaded_files.hpp"
#include "caos/error.hpp"

namespace caos::studio {
namespace {

using http::Answer;
using http::Body;
using http::Request;

/// The name in letters that every browser takes, and in full for those that know how.
std::string disposition(const std::string& name) {
  std::string plain;
  std::string full;
  for (const char letter : name) {
    const auto code = static_cast<unsigned char>(letter);
    const bool harmless =
        std::isalnum(code) != 0 || letter == '-' || letter == '_' || letter == '.';
    const bool ascii = code < 0x80;
    plain += harmless && ascii ? letter : '_';
    full += harmless && ascii ? std::string(1, letter) : fmt::format("%{:02X}", code);
  }
  return fmt::format("attachment; filename=\"{}\"; filename*=UTF-8''{}", plain, full);
}

Answer hand_over(Download file) {
  return {.content_type = std::move(file.type),
          .body = std::move(file.bytes),
          .headers = {{"Content-Disposition", disposition(file.name)},
                      {"X-Caos-Losses", fmt::format("{}", file.losses.size())}}};
}

Answer hand_over(LargeDownload file) {
  const auto held = std::make_shared<const SpooledFile>(std::move(file.file));
  return {.content_type = std::move(file.type),
          .headers = {{"Content-Disposition", disposition(file.name)}},
          .long_body = http::LongBody{.size = held->size(),
                                      .read = [held](std::size_t offset, std::span<std::byte> out) {
                                        return held->read(offset, out);
                                      }}};
}

Json to_json(const ImportResult& result) {
  return {{"images", result.images},
          {"points", result.points},
          {"new_landmarks", result.new_landmarks},
          {"unknown_images", result.unknown_images},
          {"skipped", result.skipped},
          {"warnings", result.warnings}};
}

Answer propose(const Api& api, const Request& request) {
  check_query(request, {});
  static_cast<void>(api.store.project(id_in(request, "p")));
  const Json body = parse_body(request);
  Reader reader(body);
  const auto files = read_files(reader);
  const landmarks::FileOptions options = read_file_options(reader);
  reader.finish();
  Json proposed = Json::array();
  for (const SchemeLandmark& landmark : scheme_from_files(files, options)) {
    proposed.push_back(
        {{"name", landmark.name}, {"color", landmark.color}, {"pair", or_null(landmark.pair)}});
  }
  return answer_of({{"landmarks", std::move(proposed)}});
}

Answer import(const Api& api, const Request& request) {
  check_query(request, {});
  const Id project = id_in(request, "p");
  const Json body = parse_body(request);
  Reader reader(body);
  const auto files = read_files(reader);
  const ImportOptions options{.files = read_file_options(reader),
                              .annotator = reader.text("annotator"),
                              .add_landmarks = reader.flag("add_landmarks", false),
                              .overwrite = reader.flag("overwrite", false)};
  reader.finish();
  const ImportResult result = import_landmarks(api.store, project, files, options);
  api.changed({.kind = Event::Kind::scheme,
               .project = project,
               .revision = api.store.project(project).scheme_revision});
  api.changed({.kind = Event::Kind::images, .project = project});
  return answer_of(to_json(result));
}

landmarks::Format format_in(const Request& request) {
  const auto format = query_text(request, "format");
  require(format.has_value(), ErrorKind::invalid_input, "format is missing in the address");
  return landmarks::parse_format(*format);
}

Answer export_points(const Api& api, const Request& request) {
  check_query(request, {"format", "images", "tps_y", "proposals"});
  const Id project = id_in(request, "p");
  landmarks::FileOptions options;
  options.tps = tps_options(query_text(request, "tps_y").value_or("bottom"));
  PointsOptions points{
      .images = parse_exported_images(query_text(request, "images").value_or("labeled"))};
  const bool with_proposals = query_flag(request, "proposals", false);
  if (with_proposals) {
    points.proposals = [&](const ImageRecord& image) {
      return proposed_landmarks(api.store, api.workbench, project, image);
    };
  }
  Download file = export_landmarks(api.store, project, points, format_in(request), options);
  // What is not noted has not been handed out.
  if (with_proposals) api.workbench.note_all_seen(project, Shown::outside_sample);
  return hand_over(std::move(file));
}

Answer measures_file(const Api& api, const Request& request) {
  check_query(request, {"images"});
  return hand_over(
      export_measures(api.store, id_in(request, "p"),
                      parse_exported_images(query_text(request, "images").value_or("labeled"))));
}

Answer sets(const Api& api, const Request& request) {
  check_query(request, {"format", "alpha", "simultaneous"});
  const Project project = api.store.project(id_in(request, "p"));
  const std::string format = query_text(request, "format").value_or("json");
  require(format == "csv" || format == "json", ErrorKind::invalid_input,
          [&] { return fmt::format("format: '{}' is not csv or json", format); });
  const bool simultaneous = query_flag(request, "simultaneous", project.settings.simultaneous);
  const auto alpha = query_text(request, "alpha");
  const SetsOptions options{
      .csv = format == "csv",
      .alpha = Miscoverage::parse(
          alpha ? *alpha : api.workbench.status(project.id, simultaneous).guarantee.alpha),
      .simultaneous = simultaneous};
  return hand_over(export_sets(api.store, api.workbench, project.id, options));
}

Answer model(const Api& api, const Request& request) {
  check_query(request, {});
  return hand_over(export_model(api.store, api.workbench, id_in(request, "p")));
}

Answer backup(const Api& api, const Request& request) {
  check_query(request, {});
  return hand_over(backup_project(api.store, id_in(request, "p")));
}

Answer restore(const Api& api, const Request& request) {
  check_query(request, {"name"});
  const Project project = restore_project(api.store, request.file, query_text(request, "name"));
  api.changed({.kind = Event::Kind::project, .project = project.id});
  return answer_of(
      to_json(project, api.store.num_images(project.id), api.store.scheme(project.id).size()), 201);
}

}  // namespace

std::vector<http::Route> exchange_routes(const Api& api) {
  return {
      {"POST", "/v1/projects/{p}/scheme/import", Body::json,
       [&api](const Request& r) { return propose(api, r); }},
      {"POST", "/v1/projects/{p}/import", Body::json,
       [&api](const Request& r) { return import(api, r); }},
      {"GET", "/v1/projects/{p}/export", Body::none,
       [&api](const Request& r) { return export_points(api, r); }},
      {"GET", "/v1/projects/{p}/export/measures", Body::none,
       [&api](const Request& r) { return measures_file(api, r); }},
      {"GET", "/v1/projects/{p}/export/sets", Body::none,
       [&api](const Request& r) { return sets(api, r); }},
      {"GET", "/v1/projects/{p}/export/model", Body::none,
       [&api](const Request& r) { return model(api, r); }},
      {"GET", "/v1/projects/{p}/backup", Body::none,
       [&api](const Request& r) { return backup(api, r); }},
      {"POST", "/v1/restore", Body::file, [&api](const Request& r) { return restore(api, r); }},
  };
}

}  // namespace caos::studio
