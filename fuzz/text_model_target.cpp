#include "caos/text/encoded/encoded_prediction.hpp"
#include "caos/text/text_model.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

/// A model whose checksum is right, as an attacker would forge it, does no harm in use.
FUZZ_TARGET(text_model, input) {
  const TextModel model = read_text_model(
      io::SafetensorsFile(io::MappedFile::of_bytes(with_checksum(input), "input.caos")));
  const std::string path = scratch_folder() + "/again.caos";
  write_text_model(path, model);
  const TextModel again = read_text_model(path);
  demand(again.scoring == model.scoring && again.labels == model.labels &&
             again.examples == model.examples && again.ids == model.ids,
         "the model is the same when written and read");
  const std::vector<std::string> texts{"one", "two"};
  const Matrix<Score> scores(texts.size() * model.labels.size(), model.calibration.num_references(),
                             0.5);
  const auto predictions =
      predict_texts(model, texts, scores.view(), {.alphas = {Miscoverage::parse("0.1")}});
  demand(predictions.size() == texts.size(), "every text is predicted");
  if (!model.vectors) return;
  const auto by_vectors = EncodedPredictor(model, 1).predict(
      model.vectors->labels.view(),
      {.alphas = {Miscoverage::parse("0.1")}, .method = Method::full_kernel});
  demand(by_vectors.size() == model.labels.size(), "every vector is predicted");
}

}  // namespace
}  // namespace caos::fuzz
