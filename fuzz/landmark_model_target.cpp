#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/landmark_predictor.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

/// An image of a few patches, all alike, that a model of this dimension can be asked about.
Matrix<float> flat_image(std::size_t dimension) {
  Matrix<float> image(12, dimension);
  for (std::size_t p = 0; p < image.rows(); ++p) image(p, p % dimension) = 1;
  return image;
}

void predict(const LandmarkModel& model, Method method) {
  const LandmarkPredictor predictor(model, {.alpha = Miscoverage::parse("0.2"), .method = method});
  const Matrix<float> image = flat_image(model.references.patches.cols());
  demand(predictor.predict(image.view()).size() == predictor.num_landmarks(),
         "every landmark is predicted");
}

/// A model whose checksum is right, as an attacker would forge it, does no harm in use.
FUZZ_TARGET(landmark_model, input) {
  const LandmarkModel model = read_landmark_model(
      io::SafetensorsFile(io::MappedFile::of_bytes(with_checksum(input), "input.caos")));
  const auto bytes = landmark_model_bytes(model);
  const LandmarkModel again =
      read_landmark_model(io::SafetensorsFile(io::MappedFile::of_bytes(bytes, "again.caos")));
  demand(landmark_model_bytes(again) == bytes, "the model is the same when written and read");
  predict(model, Method::caos);
  predict(model, Method::full_caos);
}

}  // namespace
}  // namespace caos::fuzz
