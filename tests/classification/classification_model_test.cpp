#include "caos/classification/classification_model.hpp"

#include <gtest/gtest.h>

#include "caos/io/model_file.hpp"
#include "tests/classification/vector_problem.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos {
namespace {

using vector_problem::labeled;

class ClassificationModelFile : public testing::Test {
 protected:
  [[nodiscard]] std::string path() const { return directory_ / "model.caos"; }

  test::TempDir directory_;
};

TEST_F(ClassificationModelFile, PredictsTheSameWhenReadBack) {
  LabeledVectors examples = labeled(20);
  examples.label_vectors = Matrix<double>(3, 5, 0.25);
  std::vector<GroupId> ids(20, 4);
  ids[3] = -1;
  const ClassificationModel model{
      VectorClassifier(examples, Grouping::by_input(ids), {.temperature = 0.3, .prior_weight = 2}),
      {"a", "b", "ü|x"},
      true};
  write_classification_model(path(), model);
  const ClassificationModel again = read_classification_model(path());
  EXPECT_EQ(again.label_names, model.label_names);
  EXPECT_TRUE(again.labels_from_train);
  const Matrix<double> inputs = vector_problem::points(vector_problem::labels(5, 3), 5, 3);
  const VectorPredictOptions options{.alphas = {Miscoverage::parse("0.2")},
                                     .groups = {4, -1, 4, 4, 7}};
  const auto first = model.classifier.predict(inputs.view(), options);
  const auto second = again.classifier.predict(inputs.view(), options);
  for (std::size_t t = 0; t < 5; ++t) {
    EXPECT_EQ(first[t].p_values, second[t].p_values);
    EXPECT_EQ(first[t].sets, second[t].sets);
  }
  EXPECT_EQ(guarantee_of(again, Miscoverage::parse("0.5")).kind,
            Guarantee::Kind::group_conditional);
}

TEST_F(ClassificationModelFile, KeepsFloat32WhereNothingIsLost) {
  LabeledVectors examples = labeled(20);
  const auto type_of = [&] {
    const ClassificationModel model{
        VectorClassifier(examples, {.method = Method::full_ratio, .k = 2, .standardize = true}),
        {"a", "b", "c"}};
    write_classification_model(path(), model);
    EXPECT_EQ(read_classification_model(path()).classifier.options().k, 2U);
    EXPECT_TRUE(read_classification_model(path()).classifier.options().standardize);
    return io::SafetensorsFile::open(path()).tensor("vectors").type;
  };
  EXPECT_EQ(type_of(), io::ElementType::f64);
  for (std::size_t i = 0; i < 20; ++i) {
    for (double& value : examples.vectors.row(i)) value = double{static_cast<float>(value)};
  }
  EXPECT_EQ(type_of(), io::ElementType::f32);
}

TEST_F(ClassificationModelFile, KeepsDistanceAndFeatures) {
  const ClassificationModel model{
      VectorClassifier(labeled(20),
                       {.method = Method::full_ratio, .distance = VectorDistance::manhattan}),
      {"a", "b", "c"},
      false,
      {"v", "w", "x", "y", "z"}};
  write_classification_model(path(), model);
  const ClassificationModel again = read_classification_model(path());
  EXPECT_EQ(again.classifier.options().distance, VectorDistance::manhattan);
  EXPECT_EQ(again.features, model.features);
  test::expect_error(
      [&] {
        write_classification_model(path(), {model.classifier, model.label_names, false, {"v"}});
      },
      ErrorKind::invalid_input, {"one name per feature"});
}

TEST_F(ClassificationModelFile, RefusesWhatDoesNotFitTogether) {
  const ClassificationModel model{VectorClassifier(labeled(20)), {"a", "b", "c"}};
  test::expect_error(
      [&] {
        write_classification_model(path(), {model.classifier, {"a", "a", "c"}});
      },
      ErrorKind::invalid_input, {"one name per label, each once"});
  write_classification_model(path(), model);
  const io::SafetensorsFile file = io::SafetensorsFile::open(path());
  const auto rewritten = [&](const std::string& key, const std::string& value) {
    io::Metadata metadata = file.metadata();
    metadata[key] = value;
    const std::vector<io::TensorRef> tensors = {file.tensor("vectors"), file.tensor("labels"),
                                                file.tensor("label_names")};
    const std::string other = directory_ / "other.caos";
    io::write_safetensors(other, metadata, tensors);
    return other;
  };
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, std::string>>{{"method", "caos"},
                                                        {"method", "x"},
                                                        {"temperature", "-1"},
                                                        {"temperature", "nan"},
                                                        {"k", "-2"},
                                                        {"num_labels", "4"},
                                                        {"distance", "chebyshev"},
                                                        {"groups", "inputs"},
                                                        {"standardize", "maybe"},
                                                        {"version", "2"},
                                                        {"prior_weight", "1e9"}}) {
    test::expect_error([&] { (void)read_classification_model(rewritten(key, value)); },
                       ErrorKind::bad_format, {"other.caos"});
  }
  EXPECT_EQ(read_classification_model(rewritten("k", "1")).label_names, model.label_names);
  io::Metadata older = file.metadata();
  older.erase("distance");
  const std::string first = directory_ / "first.caos";
  io::write_safetensors(first, older,
                        std::vector<io::TensorRef>{file.tensor("vectors"), file.tensor("labels"),
                                                   file.tensor("label_names")});
  EXPECT_EQ(read_classification_model(first).classifier.options().distance,
            VectorDistance::euclidean);
}

}  // namespace
}  // namespace caos
