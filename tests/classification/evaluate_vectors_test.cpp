#include "caos/classification/evaluate_vectors.hpp"

#include <gtest/gtest.h>

#include "caos/classification/vector_methods.hpp"
#include "tests/classification/vector_problem.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::classification {
namespace {

using vector_problem::labeled;

TestVectors test_vectors(std::size_t m) {
  const auto labels = vector_problem::labels(m, 3);
  return {.vectors = vector_problem::points(labels, 5, 9), .labels = labels};
}

VectorEvaluateOptions every_method(std::size_t n) {
  return {.methods = vector_methods(),
          .alphas = {Miscoverage::parse("0.1"), Miscoverage::parse("0.2")},
          .partition = split::halve(n, 0)};
}

TEST(EvaluateVectors, EveryMethodInOrder) {
  const auto results = evaluate_vectors(labeled(40), test_vectors(60), every_method(40));
  ASSERT_EQ(results.size(), 20U);
  for (std::size_t r = 0; r < results.size(); ++r) {
    EXPECT_EQ(results[r].method, vector_methods()[r / 2]);
    EXPECT_EQ(results[r].outcomes.size(), 60U);
    if (results[r].guarantee.kind != Guarantee::Kind::none) {
      EXPECT_GE(results[r].evaluation.coverage, 0.7) << method_name(results[r].method);
    }
  }
  EXPECT_EQ(results[0].rank, 37U);
  EXPECT_FALSE(results[0].threshold.has_value());
}

TEST(EvaluateVectors, AgreesWithTheClassifier) {
  const TestVectors test = test_vectors(30);
  VectorEvaluateOptions options = every_method(40);
  options.classifier.standardize = true;
  const auto results = evaluate_vectors(labeled(40), test, options);
  const VectorClassifier classifier(labeled(40), {.standardize = true});
  const auto predictions = classifier.predict(test.vectors.view(), {.alphas = options.alphas});
  for (std::size_t t = 0; t < 30; ++t) {
    EXPECT_EQ(results[0].outcomes[t].size, static_cast<double>(predictions[t].sets[0].size()));
  }
}

TEST(EvaluateVectors, GroupsAndLabelsThatAreNotListed) {
  TestVectors test = test_vectors(30);
  test.labels[0] = unlisted_label;
  const LabeledVectors examples = labeled(60);
  VectorEvaluateOptions options{.methods = {Method::full_ratio, Method::caos},
                                .alphas = {Miscoverage::parse("0.1")},
                                .grouping = Grouping::by_label(examples.labels, 3),
                                .partition = split::halve(60, 0)};
  const auto results = evaluate_vectors(examples, test, options);
  for (const MethodResult& result : results) {
    ASSERT_EQ(result.groups.size(), 3U);
    EXPECT_EQ(result.groups[0].n, 20U);
    EXPECT_EQ(result.groups[0].num_test, 9U);
    EXPECT_EQ(result.outcomes[0].covered, 0);
    EXPECT_EQ(result.guarantee.text(), "group-conditional");
  }
}

TEST(EvaluateVectors, NamesOfMethodsCanBeReadBack) {
  for (const Method method : vector_methods()) {
    EXPECT_EQ(parse_vector_method(method_name(method)), method);
  }
  test::expect_error([] { (void)parse_vector_method("knn"); }, ErrorKind::invalid_input,
                     {"unknown method 'knn'; choose among full-kernel, full-ratio, caos"});
}

}  // namespace
}  // namespace caos::classification
