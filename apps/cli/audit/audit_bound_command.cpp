#include <fmt/format.h>

#include <memory>
#include <optional>

#include "apps/cli/audit/audit_output.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "caos/audit.hpp"
#include "caos/error.hpp"

namespace caos::cli {
namespace {

struct AuditBoundCommandOptions {
  CommonOptions common;
  std::size_t hits = 0;
  std::size_t audited = 0;
  std::size_t pool = 0;  ///< 0: not given
  std::string confidence{default_confidence};
  std::size_t statements = 1;
};

std::string statement_of(const AuditBound& bound, const Confidence& confidence) {
  if (bound.remaining == std::size_t{0}) return "All units were audited and none remain.";
  const std::string together =
      bound.statements > 1 ? fmt::format(", for all {} statements together,", bound.statements)
                           : std::string();
  const std::string which = bound.remaining
                                ? fmt::format("of the remaining {} units", *bound.remaining)
                                : std::string("of further units");
  return fmt::format("With {} confidence{} at least {} {} are hits.", confidence.percent(),
                     together, audit_percent(bound), which);
}

void run(const AuditBoundCommandOptions& options) {
  const Confidence confidence = Confidence::parse(options.confidence);
  Manifest manifest(options.common, {});
  AuditCount count{.hits = options.hits, .audited = options.audited};
  if (options.pool > 0) count.pool = options.pool;
  const AuditBound bound = audit_bound(count, confidence, options.statements);
  const std::string statement = statement_of(bound, confidence);
  print_result(
      options.common,
      [&] {
        Json json = bound_json(bound);
        json["confidence"] = confidence.value();
        json["statement"] = statement;
        json["assumption"] = audit_assumption(bound, AuditUnit::other);
        return json;
      },
      [&] {
        return fmt::format("{} hits of {}. {}\nThis holds if {}.\n", options.hits, options.audited,
                           statement, audit_assumption(bound, AuditUnit::other));
      });
  manifest.set_guarantee(statement);
  manifest.write();
}

}  // namespace

void add_audit_bound(Command& audit) {
  Command& command = audit.add_subcommand("bound", "The bound from a count of correct units");
  const auto options = std::make_shared<AuditBoundCommandOptions>();
  add_whole_number(command, "--hits", options->hits, "Audited units that are correct", 0)
      ->required()
      ->default_str("");
  add_whole_number(command, "--of", options->audited, "Audited units, fixed beforehand")
      ->required()
      ->default_str("");
  add_whole_number(
      command, "--pool-size", options->pool,
      "Units that the audited ones were drawn from, including them; by default an infinite "
      "population")
      ->default_str("");
  add_confidence(command, options->confidence);
  add_whole_number(command, "--statements", options->statements,
                   "Number of statements that hold simultaneously (Bonferroni)");
  add_result_options(command, options->common);
  command.footer("Example:\n  caos audit bound --hits 30 --of 30 --pool-size 1000");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
