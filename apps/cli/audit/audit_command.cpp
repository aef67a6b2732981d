#include "apps/cli/program.hpp"

namespace caos::cli {

void add_audit(CLI::App& app) {
  CLI::App& audit = *app.add_subcommand(
      "audit", "How many regions are correct, from a few blindly labeled images");
  audit.require_subcommand(1);
  add_audit_draw(audit);
  add_audit_report(audit);
  add_audit_bound(audit);
  for (CLI::App* verb : audit.get_subcommands({})) verb->group("Verbs");
  audit.footer(
      "Example (after the example of 'caos landmarks --help'):\n"
      "  caos audit draw faces/regions.json --m 30 --out faces/plan.json\n"
      "  caos audit report faces/plan.json --landmarks faces/audit.csv\n"
      "where faces/audit.csv has the landmarks of the 30 images that were drawn.");
}

}  // namespace caos::cli
