#include "landmarks_verb.hpp"

#include "program.hpp"

namespace caos::cli {

void add_landmarks(CLI::App& app) {
  CLI::App& verb = *app.add_subcommand("landmarks", "Regions for landmarks in images");
  verb.require_subcommand(1);
  add_landmarks_evaluate(verb);
}

}  // namespace caos::cli
