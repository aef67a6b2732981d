#include "caos/calibration_file.hpp"

#include "caos/io/artifact.hpp"

namespace caos {

void save_calibration(const std::string& path, const SavedCalibration& saved) {
  io::write_artifact(path, saved.calibration, saved.own, saved.num_labels);
}

SavedCalibration load_calibration(const std::string& path) {
  const io::Artifact artifact = io::Artifact::open(path);
  return {artifact.calibration(), artifact.own_scores(), artifact.num_labels()};
}

}  // namespace caos
