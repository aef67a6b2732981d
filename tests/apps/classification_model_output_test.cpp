#include "apps/cli/classify/classification_model_output.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caos::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

LabeledVectors four_vectors() {
  LabeledVectors labeled{.vectors = Matrix<double>(4, 2), .labels = {0, 1, 0, 1}, .num_labels = 2};
  for (std::size_t i = 0; i < 4; ++i) labeled.vectors(i, i % 2) = 1;
  return labeled;
}

TEST(ClassificationModelOutput, StatesMethodParametersAndGuarantee) {
  const ClassificationModel model{VectorClassifier(four_vectors()), {"yes", "no"}};
  const auto json = to_json({"m.caos", model});
  EXPECT_EQ(json["kind"], "classification model");
  EXPECT_EQ(json["method"], "full-kernel");
  EXPECT_EQ(json["n"], 4);
  EXPECT_EQ(json["dimensions"], 2);
  EXPECT_EQ(json["temperature"], 0.1);
  EXPECT_EQ(json["prior_weight"], 0.001);
  EXPECT_EQ(json["guarantee"], "marginal");
  EXPECT_EQ(json["smallest_feasible_alpha"], 0.2);
  EXPECT_FALSE(json.contains("k"));
  EXPECT_THAT(to_text({"m.caos", model}), HasSubstr("2 (yes, no)"));
}

TEST(ClassificationModelOutput, NamesNeighborsForRatiosAndTheCostOfListedLabels) {
  const ClassificationModel model{
      VectorClassifier(four_vectors(), {.method = Method::full_ratio, .standardize = true}),
      {"yes", "no"},
      true};
  const auto json = to_json({"m.caos", model});
  EXPECT_EQ(json["k"], 1);
  EXPECT_EQ(json["standardize"], "batch");
  EXPECT_FALSE(json.contains("temperature"));
  EXPECT_THAT(json["guarantee"].get<std::string>(), HasSubstr(listed_labels_cost));
  const std::string text = to_text({"m.caos", model});
  EXPECT_THAT(text, ContainsRegex("neighbors k +1\n"));
  EXPECT_THAT(text, Not(HasSubstr("temperature")));
}

TEST(ClassificationModelOutput, ShowsTheWeightOfLabelNames) {
  LabeledVectors labeled = four_vectors();
  labeled.label_vectors = Matrix<double>(2, 2, 0.5);
  const ClassificationModel model{VectorClassifier(labeled), {"yes", "no"}};
  const auto json = to_json({"m.caos", model});
  EXPECT_EQ(json["prior_weight"], 0.1);
  EXPECT_EQ(json["label_vectors"], true);
}

}  // namespace
}  // namespace caos::cli
