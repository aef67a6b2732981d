#include "apps/cli/audit/audit_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "caos/error.hpp"
#include "caos/io/csv.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/landmarks/formats/json/json_view.hpp"
#include "caos/rng.hpp"

namespace caos::cli {
namespace {

using landmarks::JsonView;

constexpr const char* format_name = "caos-audit-plan";
constexpr std::uint64_t image_stream = 0x7375626a;  // which image stands for its subject

std::size_t column_of(const io::CsvTable& table, const char* name) {
  const auto found = std::ranges::find(table.header, name);
  require(found != table.header.end(), ErrorKind::bad_format, [&] {
    return fmt::format("{}: missing column '{}'; expected the columns image and subject",
                       table.name, name);
  });
  return static_cast<std::size_t>(found - table.header.begin());
}

/// Subjects in the order in which they first appear, each with its images.
std::vector<std::pair<std::string, std::vector<std::string>>> by_subject(
    const std::vector<std::string>& images, const SubjectFile& subjects) {
  std::vector<std::pair<std::string, std::vector<std::string>>> result;
  std::map<std::string, std::size_t> position;
  for (const std::string& image : images) {
    const auto known = subjects.subject_of.find(image);
    if (known == subjects.subject_of.end()) {
      result.push_back({image, {image}});
      continue;
    }
    const auto [place, is_new] = position.emplace(known->second, result.size());
    if (is_new) result.push_back({known->second, {}});
    result[place->second].second.push_back(image);
  }
  return result;
}

/// All units of the pool, in a fixed order.
std::vector<AuditedUnit> units_of(const RegionFile& regions,
                                  const std::optional<SubjectFile>& subjects, std::uint64_t seed) {
  std::vector<AuditedUnit> units;
  if (!subjects) {
    for (const std::string& image : regions.names) units.push_back({.image = image});
    return units;
  }
  Rng rng = Rng::stream(seed, image_stream);
  for (auto& [subject, images] : by_subject(regions.names, *subjects)) {
    units.push_back({.image = images[rng.below(images.size())], .subject = subject});
  }
  return units;
}

Json fixed_json(const FixedFile& file) { return {{"path", file.path}, {"sha256", file.sha256}}; }

FixedFile fixed_file(const JsonView& view) {
  return {.path = view.at("path").text(), .sha256 = view.at("sha256").text()};
}

std::uint64_t seed_of(const JsonView& view) {
  if (!view.json().is_number_unsigned()) view.refuse("not a whole number of at least 0");
  return view.json().get<std::uint64_t>();
}

Confidence confidence_of(const JsonView& view) {
  try {
    return Confidence::parse(view.text());
  } catch (const Error& error) {
    view.refuse(error.what());
  }
}

AuditedUnit unit_of(const JsonView& view, bool has_subjects) {
  AuditedUnit unit{.image = view.at("image").text()};
  if (has_subjects) unit.subject = view.at("subject").text();
  return unit;
}

void check_unchanged(const std::string& plan, const FixedFile& fixed, const std::string& now) {
  require(fixed.sha256 == now, ErrorKind::bad_format, [&] {
    return fmt::format(
        "{}: was drawn from another version of {}; regions must not change after the draw: draw a "
        "new audit",
        plan, fixed.path);
  });
}

/// Over all that a report depends on, so that nothing of it can be chosen once labels are known.
std::string checksum_of(const Json& plan) {
  const std::string text = plan.dump();
  return io::sha256(std::as_bytes(std::span(text)));
}

Json content_of(const AuditPlan& plan) {
  Json units = Json::array();
  for (const AuditedUnit& unit : plan.units) {
    Json json = {{"image", unit.image}};
    if (unit.subject) json["subject"] = *unit.subject;
    units.push_back(std::move(json));
  }
  return {{"format", format_name},
          {"version", 1},
          {"regions", fixed_json(plan.regions)},
          {"subjects", plan.subjects ? fixed_json(*plan.subjects) : Json(nullptr)},
          {"confidence", plan.options.confidence.text()},
          {"together", plan.options.together},
          {"seed", plan.seed},
          {"pool", plan.pool},
          {"audited", plan.units.size()},
          {"units", std::move(units)}};
}

void check_intact(const JsonView& view, const AuditPlan& plan) {
  const bool intact = view.at("audited").positive() == plan.units.size() &&
                      view.at("checksum").text() == checksum_of(content_of(plan));
  if (!intact) view.refuse("the plan was changed after it was drawn; draw a new audit");
}

}  // namespace

SubjectFile read_subjects(const std::string& path) {
  const io::MappedFile file = io::MappedFile::read(path);
  const io::CsvTable table = io::parse_csv(file.text(), path);
  const std::size_t image = column_of(table, "image");
  const std::size_t subject = column_of(table, "subject");
  SubjectFile subjects{.file = {path, io::sha256(file.bytes())}};
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string& name = table.rows[row][subject];
    if (name.empty()) continue;
    const auto [known, is_new] = subjects.subject_of.emplace(table.rows[row][image], name);
    require(is_new || known->second == name, ErrorKind::bad_format, [&, &first = known->second] {
      return fmt::format("{}: line {}: '{}' is an image of '{}' above and of '{}' here", path,
                         table.lines[row], table.rows[row][image], first, name);
    });
  }
  return subjects;
}

AuditPlan draw_audit(const RegionFile& regions, const std::optional<SubjectFile>& subjects,
                     std::size_t count, std::uint64_t seed, const AuditReportOptions& options) {
  const std::vector<AuditedUnit> units = units_of(regions, subjects, seed);
  require(1 <= count && count <= units.size(), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} {}; {} of them cannot be drawn", regions.name, units.size(),
                       subjects ? "subjects" : "images", count);
  });
  AuditPlan plan{.regions = {regions.name, regions.sha256},
                 .options = options,
                 .seed = seed,
                 .pool = units.size()};
  if (subjects) plan.subjects = subjects->file;
  plan.options.unit = subjects ? AuditUnit::subject : AuditUnit::image;
  const std::vector<std::size_t> order = audit_order(units.size(), seed);
  for (std::size_t i = 0; i < count; ++i) plan.units.push_back(units[order[i]]);
  return plan;
}

Json to_json(const AuditPlan& plan) {
  Json json = content_of(plan);
  json["checksum"] = checksum_of(json);
  return json;
}

AuditPlan read_audit_plan(const std::string& path) {
  const io::MappedFile file = io::MappedFile::read(path);
  const landmarks::Json json = landmarks::parse_json(file.text(), path);
  const JsonView view(json, path);
  const auto format = view.find("format");
  if (!format || format->text() != format_name || view.at("version").positive() != 1) {
    view.refuse("not a plan of version 1 that 'caos audit draw' wrote");
  }
  AuditPlan plan{.regions = fixed_file(view.at("regions"))};
  if (const auto subjects = view.find("subjects")) plan.subjects = fixed_file(*subjects);
  plan.options = {.confidence = confidence_of(view.at("confidence")),
                  .together = view.at("together").truth(),
                  .unit = plan.subjects ? AuditUnit::subject : AuditUnit::image};
  plan.seed = seed_of(view.at("seed"));
  plan.pool = view.at("pool").positive();
  for (const JsonView& unit : view.at("units").items()) {
    plan.units.push_back(unit_of(unit, plan.subjects.has_value()));
  }
  check_intact(view, plan);
  return plan;
}

void check_plan(const std::string& path, const AuditPlan& plan, const RegionFile& regions,
                const std::optional<SubjectFile>& subjects) {
  check_unchanged(path, plan.regions, regions.sha256);
  if (plan.subjects) check_unchanged(path, *plan.subjects, subjects->file.sha256);
  const AuditPlan drawn = draw_audit(regions, subjects, plan.units.size(), plan.seed, plan.options);
  require(drawn.units == plan.units && drawn.pool == plan.pool, ErrorKind::bad_format, [&] {
    return fmt::format("{}: its images are not those that seed {} draws; draw a new audit", path,
                       plan.seed);
  });
}

}  // namespace caos::cli
