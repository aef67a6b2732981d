#include "apps/cli/program.hpp"

namespace caos::cli {

void add_audit(Command& app) {
  Command& audit =
      app.add_subcommand("audit", "Bound the number of correct regions by a blind audit");
  add_audit_draw(audit);
  add_audit_report(audit);
  add_audit_bound(audit);
  audit.footer(
      "Example (after the example of 'caos landmarks --help'):\n"
      "  caos audit draw faces/regions.json --m 30 -o faces/plan.json\n"
      "  caos audit report faces/plan.json --landmarks faces/audit.csv\n"
      "where faces/audit.csv has the landmarks of the 30 images that were drawn.");
}

}  // namespace caos::cli
