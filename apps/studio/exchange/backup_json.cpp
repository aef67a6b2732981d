#include "apps/studio/exchange/backup_json.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "apps/studio/exchange/backup_additions.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/formats/json/json_view.hpp"

namespace caos::studio {
namespace {

using landmarks::Json;
using landmarks::JsonView;

constexpr const char* file_name = "project.json";
constexpr const char* format_name = "caos-project";
/// Version 1 knew neither looks nor what happened after the draw; version 2 neither its own time
/// nor what was seen before the draw, how many places the order has, or that points were changed
/// late; version 3 no precision of embeddings, which was float32; version 4 no acceptances without
/// review, measures or changes of the working size.
constexpr std::int64_t format_version = 5;

template <typename Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// Writing.

Json to_json(const Settings& settings) {
  return {{"score", settings.score},
          {"k", settings.k},
          {"alpha", settings.alpha},
          {"simultaneous", settings.simultaneous},
          {"use_corrections", settings.use_corrections},
          {"target", settings.target},
          {"mm_per_pixel", or_null(settings.mm_per_pixel)}};
}

Json to_json(const std::vector<Look>& looks) {
  Json list = Json::array();
  for (const Look& look : looks) list.push_back({{"size", look.size}, {"alpha", look.alpha}});
  return list;
}

Json to_json(const Sampling& sampling) {
  return {{"kind", name_of(sampling.kind)},
          {"size", sampling.size},
          {"seed", sampling.seed},
          {"seed_given", sampling.seed_given},
          {"drawn_at", sampling.drawn_at},
          {"largest", sampling.largest},
          {"looks", to_json(sampling.looks)},
          {"units", sampling.units},
          {"after_results", sampling.after_results}};
}

Json to_json(const Integrity& integrity) {
  return {{"removed", integrity.removed},           {"results_seen_at", integrity.results_seen_at},
          {"resized_at", integrity.resized_at},     {"retargeted_at", integrity.retargeted_at},
          {"relabeled_at", integrity.relabeled_at}, {"restored_at", integrity.restored_at},
          {"backup_at", integrity.backup_at},       {"rescaled_at", integrity.rescaled_at}};
}

Json to_json(const Project& project) {
  return {{"name", project.name},
          {"created_at", project.created_at},
          {"backbone", project.backbone},
          {"working_size", project.working_size},
          {"precision", project.precision},
          {"settings", to_json(project.settings)},
          {"sampling", to_json(project.sampling)},
          {"integrity", to_json(project.integrity)},
          {"scheme_revision", project.scheme_revision}};
}

Json to_json(const SchemeLandmark& landmark) {
  return {{"name", landmark.name}, {"color", landmark.color}, {"pair", or_null(landmark.pair)}};
}

/// What points and lines of the history have in common; the place only where there is one.
void add_place(Json& json, const std::optional<PointState>& state, double x, double y) {
  json["state"] = state ? Json(name_of(*state)) : Json(nullptr);
  if (!state || state == PointState::missing) return;
  json["x"] = x;
  json["y"] = y;
}

template <typename Entry>
void add_origin(Json& json, const Entry& entry) {
  json["annotator"] = entry.annotator;
  json["at"] = entry.at;
  json["source"] = name_of(entry.source);
}

Json to_json(const Point& point) {
  Json json = {{"landmark", point.landmark}};
  add_place(json, point.state, point.x, point.y);
  add_origin(json, point);
  return json;
}

Json to_json(const HistoryEntry& entry) {
  Json json = {
      {"reading", entry.reading}, {"revision", entry.revision}, {"landmark", entry.landmark}};
  add_place(json, entry.state, entry.x, entry.y);
  add_origin(json, entry);
  json["change"] = entry.change;
  return json;
}

Json to_json(const ReadingSnapshot& reading);
Json to_json(const ImageSnapshot& snapshot);
Json to_json(const AuditedLandmark& landmark);
Json to_json(const Audit& audit);

template <typename Items>
Json list_of(const Items& items) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(to_json(item));
  return list;
}

Json to_json(const ReadingSnapshot& reading) {
  return {{"reading", reading.number},
          {"revision", reading.revision},
          {"changed_by", reading.changed_by},
          {"changed_at", reading.changed_at},
          {"points", list_of(reading.points)}};
}

Json to_json(const ImageSnapshot& snapshot) {
  const ImageRecord& image = snapshot.image;
  return {{"name", image.name},
          {"sha256", image.sha256},
          {"width", image.width},
          {"height", image.height},
          {"subject", or_null(image.subject)},
          {"mm_per_pixel", or_null(image.mm_per_pixel)},
          {"added_at", image.added_at},
          {"order", or_null(image.order)},
          {"seen_at", image.seen_at},
          {"readings", list_of(snapshot.readings)},
          {"history", list_of(snapshot.history)}};
}

Json to_json(const AuditedLandmark& landmark) {
  return {{"name", landmark.name}, {"missed", landmark.missed}, {"absent", landmark.absent}};
}

Json to_json(const Audit& audit) {
  return {{"first", audit.first},
          {"end", audit.end},
          {"size", audit.size},
          {"population", audit.population},
          {"by_subject", audit.by_subject},
          {"alpha", audit.alpha},
          {"simultaneous", audit.simultaneous},
          {"calibration", audit.calibration},
          {"begun_at", audit.begun_at},
          {"finished_at", audit.finished_at},
          {"discarded_at", audit.discarded_at},
          {"landmarks", list_of(audit.landmarks)}};
}

// Reading.

std::optional<std::string> optional_text(const JsonView& object, const char* key) {
  const auto view = object.find(key);
  return view ? std::optional(view->text()) : std::nullopt;
}

std::optional<double> optional_number(const JsonView& object, const char* key) {
  const auto view = object.find(key);
  return view ? std::optional(view->number()) : std::nullopt;
}

/// What names cannot say is said to be wrong here, with the place.
template <typename Parse>
auto named(const JsonView& view, Parse parse) {
  try {
    return parse(view.text());
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::invalid_input) view.refuse(error.what());
    throw;
  }
}

Settings settings_in(const JsonView& view) {
  return {.score = view.at("score").text(),
          .k = whole<std::size_t>(view.at("k")),
          .alpha = view.at("alpha").text(),
          .simultaneous = view.at("simultaneous").truth(),
          .use_corrections = view.at("use_corrections").truth(),
          .target = optional_text(view, "target").value_or("subject"),
          .mm_per_pixel = optional_number(view, "mm_per_pixel")};
}

Look look_in(const JsonView& view) {
  return {.size = whole<std::size_t>(view.at("size")), .alpha = view.at("alpha").text()};
}

Sampling sampling_in(const JsonView& view, std::int64_t version) {
  Sampling sampling{.kind = named(view.at("kind"), parse_sampling_kind),
                    .size = whole<std::size_t>(view.at("size")),
                    .seed = whole<std::uint64_t>(view.at("seed")),
                    .drawn_at = view.at("drawn_at").text()};
  sampling.largest = sampling.size;
  if (version == 1) return sampling;
  sampling.seed_given = view.at("seed_given").truth();
  sampling.largest = whole<std::size_t>(view.at("largest"));
  for (const JsonView& look : view.at("looks").items()) sampling.looks.push_back(look_in(look));
  if (version == 2) return sampling;
  sampling.units = whole<std::size_t>(view.at("units"));
  sampling.after_results = view.at("after_results").truth();
  return sampling;
}

Integrity integrity_in(const JsonView& view, std::int64_t version) {
  Integrity integrity{.removed = whole<std::size_t>(view.at("removed")),
                      .results_seen_at = view.at("results_seen_at").text(),
                      .resized_at = view.at("resized_at").text(),
                      .retargeted_at = view.at("retargeted_at").text()};
  if (version == 2) return integrity;
  integrity.relabeled_at = view.at("relabeled_at").text();
  integrity.restored_at = view.at("restored_at").text();
  integrity.backup_at = view.at("backup_at").text();
  if (version >= 5) integrity.rescaled_at = view.at("rescaled_at").text();
  return integrity;
}

Project project_in(const JsonView& view, std::int64_t version) {
  Project project{.name = view.at("name").text(),
                  .created_at = view.at("created_at").text(),
                  .backbone = view.at("backbone").text(),
                  .working_size = view.at("working_size").text(),
                  .precision = version < 4 ? "float32" : view.at("precision").text()};
  project.settings = settings_in(view.at("settings"));
  project.sampling = sampling_in(view.at("sampling"), version);
  if (version > 1) project.integrity = integrity_in(view.at("integrity"), version);
  project.scheme_revision = whole<std::int64_t>(view.at("scheme_revision"));
  return project;
}

SchemeLandmark landmark_in(const JsonView& view) {
  return {.name = view.at("name").text(),
          .color = view.at("color").text(),
          .pair = optional_text(view, "pair")};
}

template <typename Entry>
void read_place(const JsonView& view, Entry& entry) {
  entry.x = view.at("x").coordinate();
  entry.y = view.at("y").coordinate();
}

template <typename Entry>
void read_origin(const JsonView& view, Entry& entry) {
  entry.annotator = view.at("annotator").text();
  entry.at = view.at("at").text();
  entry.source = named(view.at("source"), parse_source);
}

Point point_in(const JsonView& view) {
  Point point{.landmark = whole<Id>(view.at("landmark")),
              .state = named(view.at("state"), parse_point_state)};
  if (point.state != PointState::missing) read_place(view, point);
  read_origin(view, point);
  return point;
}

HistoryEntry history_entry_in(const JsonView& view) {
  HistoryEntry entry{.revision = whole<std::int64_t>(view.at("revision")),
                     .reading = whole<int>(view.at("reading")),
                     .landmark = whole<Id>(view.at("landmark"))};
  if (const auto state = view.find("state")) entry.state = named(*state, parse_point_state);
  if (entry.state && entry.state != PointState::missing) read_place(view, entry);
  read_origin(view, entry);
  entry.change = view.at("change").text();
  return entry;
}

template <typename Read>
auto list_in(const JsonView& view, Read read) {
  std::vector<decltype(read(view))> list;
  for (const JsonView& item : view.items()) list.push_back(read(item));
  return list;
}

ReadingSnapshot reading_in(const JsonView& view) {
  return {.number = whole<int>(view.at("reading")),
          .revision = whole<std::int64_t>(view.at("revision")),
          .changed_by = view.at("changed_by").text(),
          .changed_at = view.at("changed_at").text(),
          .points = list_in(view.at("points"), point_in)};
}

ImageSnapshot image_in(const JsonView& view) {
  ImageRecord image{.name = view.at("name").text(),
                    .sha256 = view.at("sha256").text(),
                    .width = view.at("width").positive(),
                    .height = view.at("height").positive(),
                    .subject = optional_text(view, "subject"),
                    .mm_per_pixel = optional_number(view, "mm_per_pixel"),
                    .added_at = view.at("added_at").text()};
  if (const auto order = view.find("order")) image.order = whole<std::size_t>(*order);
  image.seen_at = view.at("seen_at").text();
  return {.image = std::move(image),
          .readings = list_in(view.at("readings"), reading_in),
          .history = list_in(view.at("history"), history_entry_in)};
}

AuditedLandmark audited_landmark_in(const JsonView& view) {
  return {.name = view.at("name").text(),
          .missed = list_in(view.at("missed"), [](const JsonView& item) { return item.text(); }),
          .absent = whole<std::size_t>(view.at("absent"))};
}

Audit audit_in(const JsonView& view) {
  return {.first = whole<std::size_t>(view.at("first")),
          .end = whole<std::size_t>(view.at("end")),
          .size = whole<std::size_t>(view.at("size")),
          .population = whole<std::size_t>(view.at("population")),
          .by_subject = view.at("by_subject").truth(),
          .alpha = view.at("alpha").text(),
          .simultaneous = view.at("simultaneous").truth(),
          .calibration = view.at("calibration").text(),
          .begun_at = view.at("begun_at").text(),
          .finished_at = view.at("finished_at").text(),
          .discarded_at = view.at("discarded_at").text(),
          .landmarks = list_in(view.at("landmarks"), audited_landmark_in)};
}

/// Backups of earlier versions have none.
std::vector<Audit> audits_in(const JsonView& view) {
  const auto audits = view.find("audits");
  return audits ? list_in(*audits, audit_in) : std::vector<Audit>{};
}

std::vector<Acceptance> acceptances_in(const JsonView& view, std::int64_t version) {
  if (version < 5) return {};
  return list_in(view.at("acceptances"), acceptance_in);
}

std::int64_t version_in(const JsonView& view) {
  if (view.at("format").text() != format_name)
    view.at("format").refuse("not a backup of a project");
  const auto version = whole<std::int64_t>(view.at("version"));
  if (version >= 1 && version <= format_version) return version;
  view.at("version").refuse(fmt::format(
      "is {}, but this program knows versions 1 to {}; restore it with the program that made it",
      version, format_version));
}

}  // namespace

std::string backup_json(const ProjectSnapshot& project) {
  Json acceptances = Json::array();
  for (const Acceptance& one : project.acceptances) acceptances.push_back(acceptance_json(one));
  const Json json = {{"format", format_name},
                     {"version", format_version},
                     {"made_at", project.made_at},
                     {"project", to_json(project.project)},
                     {"landmarks", list_of(project.scheme)},
                     {"removed_landmarks", list_of(project.removed)},
                     {"images", list_of(project.images)},
                     {"audits", list_of(project.audits)},
                     {"acceptances", std::move(acceptances)},
                     {"measures", measures_json(project.measures)}};
  return landmarks::json_text(json, 1) + "\n";
}

ProjectSnapshot parse_backup_json(std::string_view text) {
  const std::string name = file_name;
  const Json json = landmarks::parse_json(text, name);
  const JsonView view(json, name);
  const std::int64_t version = version_in(view);
  return {.project = project_in(view.at("project"), version),
          .scheme = list_in(view.at("landmarks"), landmark_in),
          .removed = list_in(view.at("removed_landmarks"), landmark_in),
          .images = list_in(view.at("images"), image_in),
          .audits = audits_in(view),
          .acceptances = acceptances_in(view, version),
          .measures = version < 5 ? Measures{} : measures_in(view.at("measures")),
          .made_at = version < 3 ? std::string() : view.at("made_at").text()};
}

}  // namespace caos::studio
