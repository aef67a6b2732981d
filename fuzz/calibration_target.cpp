#include "caos/calibration.hpp"
#include "caos/io/artifact.hpp"
#include "caos/miscoverage.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

/// A calibration whose checksum is right, as an attacker would forge it, does no harm in use.
FUZZ_TARGET(calibration, input) {
  const io::Artifact artifact(
      io::SafetensorsFile(io::MappedFile::of_bytes(with_checksum(input), "input.caos")));
  const Calibration& calibration = artifact.calibration();
  demand(calibration.k() >= 1 && calibration.k() <= calibration.num_references(),
         "there are k references");
  const Matrix<Score> pools(2, calibration.num_references(), 0.5);
  (void)calibration.predict_set({.pools = pools.view()}, Miscoverage::parse("0.1"));
  (void)calibration.predict_p({.pools = pools.view()});
  const std::string path = scratch_folder() + "/again.caos";
  io::write_artifact(path, calibration, artifact.own_scores(), artifact.num_labels());
  demand(io::Artifact::open(path).num_labels() == artifact.num_labels(),
         "the labels are as many when written and read");
}

}  // namespace
}  // namespace caos::fuzz
