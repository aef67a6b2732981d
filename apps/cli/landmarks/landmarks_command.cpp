#include "apps/cli/program.hpp"

namespace caos::cli {

void add_landmarks(Command& app) {
  Command& landmarks = app.add_subcommand("landmarks", "Regions for landmarks in images");
  add_landmarks_embed(landmarks);
  add_landmarks_calibrate(landmarks);
  add_landmarks_predict(landmarks);
  add_landmarks_accept(landmarks);
  add_landmarks_evaluate(landmarks);
  add_landmarks_convert(landmarks);
  add_landmarks_show(landmarks);
  add_landmarks_synthesize(landmarks);
  landmarks.footer(
      "Example:\n"
      "  caos landmarks synthesize -o faces\n"
      "  caos landmarks calibrate --images faces/labeled --landmarks faces/labeled.csv \\\n"
      "    -o faces/model.caos\n"
      "  caos landmarks predict faces/model.caos faces/new -o faces/regions.json \\\n"
      "    --overlay faces/overlays");
}

}  // namespace caos::cli
