#include "apps/cli/program.hpp"

namespace caos::cli {

void add_text(Command& app) {
  Command& text =
      app.add_subcommand("text", "Label sets for texts, with a language model or an encoder");
  add_text_calibrate(text);
  add_text_predict(text);
  add_text_evaluate(text);
  add_text_score(text);
  text.footer(
      "Example (in a copy of the project; examples/messages has task.json):\n"
      "  caos text evaluate --train examples/messages/messages.csv --alpha 0.1\n"
      "  caos text calibrate --train examples/messages/messages.csv -o messages.caos\n"
      "  caos text predict messages.caos examples/messages/new.csv --alpha 0.1 -o sets.csv");
}

}  // namespace caos::cli
