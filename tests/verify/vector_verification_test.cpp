#include "caos/verify/vector_verification.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/classification/vector_problem.hpp"
#include "tests/support/expect_error.hpp"

namespace caos {
namespace {

/// Whole numbers, so that distances tie; every third vector is a copy of another.
LabeledVectors tied_vectors(std::size_t n) {
  LabeledVectors examples = vector_problem::labeled(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (double& value : examples.vectors.row(i)) value = std::round(value);
    if (i % 3 == 2) {
      std::ranges::copy(examples.vectors.row(i - 1), examples.vectors.row(i).begin());
    }
  }
  examples.label_vectors = Matrix<double>(3, 5, 0.25);
  for (std::size_t y = 0; y < 3; ++y) examples.label_vectors(y, y) = 1;
  return examples;
}

VerifyOptions some_splits() {
  return {.alphas = {Miscoverage::parse("0.1"), Miscoverage::parse("0.3")}, .splits = 40};
}

const IdentityCheck& identity(const Verification& part, const std::string& name) {
  return *std::ranges::find(part.identities, name, &IdentityCheck::name);
}

TEST(VectorVerification, FindsNothingWrongWithTheProgram) {
  for (const bool standardize : {false, true}) {
    for (const VectorDistance distance : {VectorDistance::euclidean, VectorDistance::cosine}) {
      const Verification part =
          verify_vectors(tied_vectors(48),
                         {.k = 2, .distance = distance, .standardize = standardize}, some_splits());
      EXPECT_FALSE(part.contradicts());
      EXPECT_EQ(part.labeled, 36U);
      EXPECT_EQ(part.coverage.size(), 8U);  // two methods and alphas, of all and by label
      for (const IdentityCheck& check : part.identities) {
        EXPECT_GT(check.compared, 0U) << check.name;
        EXPECT_EQ(check.broken, 0U) << check.name << ": " << check.first_broken;
      }
    }
  }
}

TEST(VectorVerification, LooksAtTheMethodsThatAreNamed) {
  VerifyOptions options = some_splits();
  options.methods = {Method::caos, Method::full_kernel};
  const Verification part = verify_vectors(tied_vectors(24), {}, options);
  for (const CoverageCheck& check : part.coverage) {
    EXPECT_TRUE(check.method.starts_with("full-kernel")) << check.method;
  }
}

/// A program that is wrong in one way.
template <typename Change>
VectorAnswerer wrong_program(Change change) {
  return [change](const VectorProblem& problem) {
    VectorAnswers answers = answer_vectors(problem);
    change(problem, answers);
    return answers;
  };
}

TEST(VectorVerification, FindsFaults) {
  const auto broken = [](const VectorAnswerer& program, const std::string& name) {
    VerifyOptions options = some_splits();
    options.splits = 2;
    const Verification part = verify_vectors(tied_vectors(48), {}, options, program);
    EXPECT_TRUE(part.contradicts());
    EXPECT_GT(identity(part, name).broken, 0U) << name;
    EXPECT_NE(identity(part, name).first_broken, "");
  };
  broken(wrong_program([](const VectorProblem&, VectorAnswers& answers) {
           answers.p_values[1](0, 0) += 1.0 / 37;
         }),
         "definitions");
  broken(wrong_program([](const VectorProblem&, VectorAnswers& answers) {
           answers.p_values_by_label[0](0, 1) = 0;
         }),
         "definitions");
  broken(wrong_program([](const VectorProblem&, VectorAnswers& answers) {
           for (auto& of_alpha : answers.sets[0]) of_alpha[0].clear();
         }),
         "membership");
  broken(wrong_program(
             [](const VectorProblem&, VectorAnswers& answers) { answers.sets[0][0][0].clear(); }),
         "infeasible");
  broken(wrong_program([](const VectorProblem& problem, VectorAnswers& answers) {
           answers.p_values[0](0, 0) = problem.labeled.vectors(0, 0);
         }),
         "example-order");
  broken(wrong_program([](const VectorProblem& problem, VectorAnswers& answers) {
           if (problem.threads == 4) answers.p_values[0](0, 0) = 0.5;
         }),
         "threads");
}

TEST(VectorVerification, RefusesTooFewExamples) {
  VerifyOptions options = some_splits();
  options.test_size = 24;
  test::expect_error([&] { (void)verify_vectors(tied_vectors(24), {}, options); },
                     ErrorKind::invalid_input, {"24"});
}

}  // namespace
}  // namespace caos
