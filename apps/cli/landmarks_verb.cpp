#include "program.hpp"

namespace caos::cli {

void add_landmarks(CLI::App& app) {
  CLI::App& landmarks = *app.add_subcommand("landmarks", "Regions for landmarks in images");
  landmarks.require_subcommand(1);
  add_landmarks_embed(landmarks);
  add_landmarks_calibrate(landmarks);
  add_landmarks_predict(landmarks);
  add_landmarks_evaluate(landmarks);
  add_landmarks_convert(landmarks);
  for (CLI::App* verb : landmarks.get_subcommands({})) verb->group("Verbs");
  landmarks.footer(
      "Example:\n"
      "  printf 'image,landmark,x,y\\nface.png,nose,12.5,8\\n' > points.csv\n"
      "  caos landmarks convert points.csv points.xml");
}

}  // namespace caos::cli
