#include "apps/cli/program.hpp"

namespace caos::cli {

void add_experiment(CLI::App& app) {
  CLI::App& experiment =
      *app.add_subcommand("experiment", "The paper's experiments, on data of your own");
  experiment.require_subcommand(1);
  add_experiment_landmarks(experiment);
  add_experiment_raft(experiment);
  for (CLI::App* verb : experiment.get_subcommands({})) verb->group("Verbs");
  experiment.footer(
      "Example (after 'caos landmarks draw --out faces'):\n"
      "  caos experiment landmarks --images faces --landmarks faces/all.csv --seeds 3 --out report");
}

}  // namespace caos::cli
