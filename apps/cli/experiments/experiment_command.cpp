#include "apps/cli/program.hpp"

namespace caos::cli {

void add_experiment(Command& app) {
  Command& experiment = app.add_subcommand("experiment", "The paper's experiments on your data");
  add_experiment_landmarks(experiment);
  add_experiment_raft(experiment);
  experiment.footer(
      "Example (after 'caos landmarks synthesize -o faces'):\n"
      "  caos experiment landmarks --images faces --landmarks faces/all.csv --seeds 3 -o report");
}

}  // namespace caos::cli
