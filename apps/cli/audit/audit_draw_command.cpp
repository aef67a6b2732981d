#include <fmt/format.h>

#include <memory>
#include <optional>
#include <random>

#include "apps/cli/audit/audit_plan.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "caos/io/write_whole.hpp"

namespace caos::cli {
namespace {

struct AuditDrawCommandOptions {
  CommonOptions common;
  std::string regions;
  std::size_t count = 0;
  std::uint64_t seed = 0;  ///< drawn at random unless given
  std::string confidence{default_confidence};
  bool together = false;
  std::string subjects;
  std::string out;
};

/// A fixed one would give every audit of the same images the same, already labeled ones.
std::uint64_t random_seed() { return std::random_device{}(); }

std::string text_of(const AuditPlan& plan, const std::string& file) {
  std::string text = fmt::format(
      "{}: label these {} of {} images, drawn with seed {}, without looking at their regions:\n",
      file, plan.units.size(), plan.pool, plan.seed);
  if (plan.subjects) {
    text = fmt::format(
        "{}: label these images of {} of {} subjects, drawn with seed {}, without looking at their "
        "regions:\n",
        file, plan.units.size(), plan.pool, plan.seed);
  }
  for (const AuditedUnit& unit : plan.units) text += fmt::format("  {}\n", unit.image);
  return text;
}

void run(const AuditDrawCommandOptions& options) {
  const AuditReportOptions what{.confidence = Confidence::parse(options.confidence),
                                .together = options.together};
  const std::vector<std::string> inputs = {options.regions, options.subjects};
  check_standard_input(inputs);
  check_outputs({options.out}, inputs);
  Manifest manifest(options.common, {.inputs = inputs, .outputs = {options.out}});
  const RegionFile regions = read_regions(options.regions);
  std::optional<SubjectFile> subjects;
  if (!options.subjects.empty()) subjects = read_subjects(options.subjects);
  const AuditPlan plan = draw_audit(regions, subjects, options.count, options.seed, what);
  io::write_whole(options.out,
                  [&](io::Sink& sink) { sink.write(json_text(to_json(plan), 2) + "\n"); });
  if (!regions.apply_orientation) {
    warn(options.common,
         fmt::format("{}: was predicted with --ignore-orientation; label the images as they are "
                     "stored, not turned",
                     options.regions));
  }
  print_result(
      options.common,
      [&] {
        Json json = {{"file", options.out}};
        json.update(to_json(plan));
        return json;
      },
      [&] { return text_of(plan, options.out); });
  manifest.set_guarantee("none by itself; 'caos audit report' makes the statements");
  manifest.write();
}

}  // namespace

void add_audit_draw(Command& audit) {
  Command& command =
      audit.add_subcommand("draw", "Draw the images to label, and freeze regions and count");
  const auto options = std::make_shared<AuditDrawCommandOptions>();
  add_path(command, "regions", options->regions,
           "Regions written by 'caos landmarks predict --output FILE.json'")
      ->required()
      ->type_name("");
  add_whole_number(command, "--m", options->count,
                   "Number of images to label, or of subjects with --subjects")
      ->required()
      ->default_str("");
  add_output(command, options->out, "Where to write the plan, JSON")->required();
  Option* const seed =
      add_whole_number(command, "--seed", options->seed,
                       "Seed of the random order; by default a random one, which the plan records",
                       0)
          ->default_str("");
  add_confidence(command, options->confidence);
  command.add_flag("--together", options->together,
                   "All statements of the report hold simultaneously (Bonferroni), not each alone");
  add_path(command, "--subjects", options->subjects,
           "CSV with the columns image and subject: draw subjects, and one image of each");
  add_result_options(command, options->common);
  command.footer(
      "Example (after the example of 'caos landmarks --help'):\n"
      "  caos audit draw faces/regions.json --m 30 -o faces/plan.json");
  command.callback([options, seed] {
    if (seed->count() == 0) options->seed = random_seed();
    run(*options);
  });
}

}  // namespace caos::cli
