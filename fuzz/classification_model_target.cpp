#include "caos/classification/classification_model.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

/// A model whose checksum is right, as an attacker would forge it, does no harm in use.
FUZZ_TARGET(classification_model, input) {
  const ClassificationModel model = read_classification_model(
      io::SafetensorsFile(io::MappedFile::of_bytes(with_checksum(input), "input.caos")));
  const std::string path = scratch_folder() + "/again.caos";
  write_classification_model(path, model);
  const ClassificationModel again = read_classification_model(path);
  demand(again.label_names == model.label_names && again.features == model.features &&
             again.labels_from_train == model.labels_from_train,
         "the model is the same when written and read");
  const LabeledVectors& labeled = model.classifier.labeled();
  const bool grouped = model.classifier.grouping().kind() == Grouping::Kind::by_input;
  const Matrix<double> inputs(2, labeled.vectors.cols(), 0.5);
  const auto predictions = model.classifier.predict(
      inputs.view(),
      {.alphas = {Miscoverage::parse("0.1")}, .groups = std::vector<GroupId>(grouped ? 2 : 0)});
  demand(predictions.size() == 2, "every vector is predicted");
}

}  // namespace
}  // namespace caos::fuzz
