#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "apps/cli/audit/audit_output.hpp"
#include "apps/cli/audit/audit_plan.hpp"
#include "apps/cli/landmarks/landmark_inputs.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/formats/image_names.hpp"

namespace caos::cli {
namespace {

struct AuditReportCommandOptions {
  CommonOptions common;
  std::string plan;
  std::string regions;
  AnnotationFileOptions annotations;
  bool unlisted_are_absent = false;
};

using Labels = std::map<std::string, const landmarks::Annotation*>;

/// The labels by image. Exactly the images of the plan must be there.
Labels labels_of(const AuditReportCommandOptions& options, const AuditPlan& plan,
                 const landmarks::LandmarkTable& table) {
  Labels labels;
  for (const landmarks::Annotation& annotation : table.annotations) {
    labels.emplace(annotation.image, &annotation);
  }
  std::set<std::string> planned;
  for (const AuditedUnit& unit : plan.units) {
    planned.insert(unit.image);
    require(labels.contains(unit.image), ErrorKind::bad_format, [&] {
      return fmt::format(
          "{}: lacks the image '{}', which {} has; an audit counts exactly the {} images that were "
          "drawn",
          options.annotations.landmarks, unit.image, options.plan, plan.units.size());
    });
  }
  for (const auto& [image, annotation] : labels) {
    require(planned.contains(image), ErrorKind::bad_format, [&, &name = image] {
      return fmt::format(
          "{}: has the image '{}', which {} lacks; an audit counts exactly the {} images that were "
          "drawn: leave others out",
          options.annotations.landmarks, name, options.plan, plan.units.size());
    });
  }
  return labels;
}

/// A landmark under another name would count as absent everywhere, that is, as a hit.
void check_names(const AuditReportCommandOptions& options, const RegionFile& regions,
                 const std::vector<std::string>& labeled) {
  for (const std::string& name : regions.landmarks) {
    require(std::ranges::find(labeled, name) != labeled.end(), ErrorKind::bad_format, [&] {
      return fmt::format(
          "{}: has no landmark '{}', which {} has regions for; name it in some image, without a "
          "position where it is absent",
          options.annotations.landmarks, name, regions.name);
    });
  }
  for (const std::string& name : labeled) {
    if (std::ranges::find(regions.landmarks, name) != regions.landmarks.end()) continue;
    warn(options.common, fmt::format("{}: landmark '{}' has no regions in {}; it is not counted",
                                     options.annotations.landmarks, name, regions.name));
  }
}

/// A landmark that the labels do not mention may be absent, or not labeled yet: absence counts as a
/// hit, so it must be stated.
const landmarks::Landmark* labeled_point(const AuditReportCommandOptions& options,
                                         const landmarks::Annotation& annotation,
                                         const std::string& name) {
  const auto found = std::ranges::find(annotation.landmarks, name, &landmarks::Landmark::name);
  if (found != annotation.landmarks.end()) return &*found;
  require(options.unlisted_are_absent, ErrorKind::bad_format, [&] {
    return fmt::format(
        "{}: does not mention landmark '{}' of the image '{}'; label it, or list it without a "
        "position if the image lacks it; if this file leaves out absent landmarks and all labeling "
        "is done, give --unlisted-are-absent",
        options.annotations.landmarks, name, annotation.image);
  });
  return nullptr;
}

AuditOutcome outcome_of(const FrozenRegion& region, const landmarks::Landmark* point,
                        bool use_hidden) {
  using landmarks::Visibility;
  const bool present =
      point != nullptr && (point->visibility == Visibility::visible ||
                           (use_hidden && point->visibility == Visibility::hidden));
  if (!present) return AuditOutcome::absent;
  return region.contains(point->x, point->y) ? AuditOutcome::contained : AuditOutcome::missed;
}

Matrix<AuditOutcome> outcomes_of(const AuditReportCommandOptions& options, const AuditPlan& plan,
                                 const RegionFile& regions, const Labels& labels) {
  Matrix<AuditOutcome> outcomes(plan.units.size(), regions.landmarks.size());
  for (std::size_t i = 0; i < plan.units.size(); ++i) {
    const std::string& image = plan.units[i].image;
    const std::vector<FrozenRegion>& of_image = regions.images.at(image).regions;
    for (std::size_t t = 0; t < of_image.size(); ++t) {
      outcomes(i, t) =
          outcome_of(of_image[t], labeled_point(options, *labels.at(image), regions.landmarks[t]),
                     options.annotations.use_hidden);
    }
  }
  return outcomes;
}

/// For formats that need the sizes of the images.
landmarks::ImageSizes sizes_of(const RegionFile& regions, const landmarks::ImageIndex& index) {
  return [&](const std::string& image) -> std::optional<landmarks::ImageSize> {
    const auto found = index.find(image);
    if (!found) return std::nullopt;
    const FrozenImage& frozen = regions.images.at(regions.names[*found]);
    return landmarks::ImageSize{frozen.width, frozen.height};
  };
}

/// The labels, with images called as the regions call them.
landmarks::LandmarkTable read_labels(const AuditReportCommandOptions& options,
                                     const RegionFile& regions) {
  const landmarks::ImageIndex index(regions.names);
  landmarks::FileOptions how = file_options(options.annotations, regions.apply_orientation);
  how.sizes = sizes_of(regions, index);
  landmarks::LandmarkTable table = read_table(options.common, options.annotations, how);
  for (landmarks::Annotation& annotation : table.annotations) {
    if (const auto found = index.find(annotation.image)) annotation.image = regions.names[*found];
  }
  check_table(table);
  return table;
}

AuditReport audit(const AuditReportCommandOptions& options, const AuditPlan& plan,
                  const RegionFile& regions) {
  const landmarks::LandmarkTable table = read_labels(options, regions);
  const Labels labels = labels_of(options, plan, table);
  check_names(options, regions, table.landmark_names());
  const Matrix<AuditOutcome> outcomes = outcomes_of(options, plan, regions, labels);
  AuditReportOptions what = plan.options;
  if (!options.annotations.use_hidden) what.absence = AuditAbsence::hidden;
  return audit_report(regions.landmarks, outcomes.view(), plan.pool, what);
}

Json statements_of(const AuditReport& report) {
  Json statements = Json::array();
  for (const AuditFinding& finding : report.findings) statements.push_back(finding.statement);
  return statements;
}

void run(const AuditReportCommandOptions& options) {
  check_standard_input({options.plan, options.regions, options.annotations.landmarks});
  const AuditPlan plan = read_audit_plan(options.plan);
  const std::string regions_path = options.regions.empty() ? plan.regions.path : options.regions;
  std::vector<std::string> inputs = {options.plan, regions_path, options.annotations.landmarks};
  std::optional<SubjectFile> subjects;
  if (plan.subjects) {
    inputs.push_back(plan.subjects->path);
    subjects = read_subjects(plan.subjects->path);
  }
  Manifest manifest(options.common, {.inputs = inputs});
  const RegionFile regions = read_regions(regions_path);
  check_plan(options.plan, plan, regions, subjects);
  const AuditReport report = audit(options, plan, regions);
  print_result(
      options.common, [&] { return to_json(report, plan); }, [&] { return to_text(report, plan); });
  manifest.set_guarantee(statements_of(report));
  manifest.write();
}

}  // namespace

void add_audit_report(Command& audit) {
  Command& command =
      audit.add_subcommand("report", "Report the bound from the labels of the drawn images");
  const auto options = std::make_shared<AuditReportCommandOptions>();
  add_path(command, "plan", options->plan, "A plan written by 'caos audit draw'")
      ->required()
      ->type_name("");
  add_path(command, "--landmarks", options->annotations.landmarks,
           "Landmark file with the drawn images, labeled without looking at their regions")
      ->required();
  add_path(command, "--regions", options->regions,
           "The regions that were audited; by default where they were when the audit was drawn");
  add_landmark_format_options(command, options->annotations);
  add_use_hidden(command, options->annotations);
  command.add_flag(
      "--unlisted-are-absent", options->unlisted_are_absent,
      "Landmarks that the file does not list for an image are absent there; for formats "
      "that cannot say so");
  add_result_options(command, options->common);
  command.footer(
      "Example (after the example of 'caos audit draw --help'):\n"
      "  caos audit report faces/plan.json --landmarks faces/audit.csv");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
