#include "apps/cli/program.hpp"

namespace caos::cli {

void add_classify(Command& app) {
  Command& classify =
      app.add_subcommand("classify", "Label sets for vectors: embeddings or tables of features");
  add_classify_evaluate(classify);
  add_classify_calibrate(classify);
  add_classify_predict(classify);
  classify.footer(
      "Example (in a copy of the project):\n"
      "  caos classify evaluate --train examples/iris/iris.csv --test-size 40 --alpha 0.1\n"
      "  caos classify calibrate --train examples/iris/iris.csv -o iris.caos\n"
      "  caos classify predict iris.caos examples/iris/new.csv --alpha 0.1 -o sets.csv");
}

}  // namespace caos::cli
