#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "caos/classification.hpp"
#include "caos/classification/kernel_votes.hpp"
#include "caos/classification/ratio_scores.hpp"
#include "caos/classification/reference_vectors.hpp"
#include "caos/classification/vector_rules.hpp"
#include "tests/classification/vector_problem.hpp"
#include "tests/support/expect_error.hpp"

namespace caos {
namespace {

using test::expect_error;
using vector_problem::labeled;

const std::vector<Miscoverage> alphas = {Miscoverage::parse("0.1"), Miscoverage::parse("0.3")};

Matrix<double> some_inputs(std::size_t m = 9) {
  return vector_problem::points(vector_problem::labels(m, 3), 5, 77);
}

TEST(VectorClassifier, SetsAreThePValuesAboveAlpha) {
  for (const Method method : {Method::full_kernel, Method::full_ratio}) {
    const VectorClassifier classifier(labeled(40), {.method = method});
    const Matrix<double> inputs = some_inputs();
    const auto predictions = classifier.predict(inputs.view(), {.alphas = alphas});
    ASSERT_EQ(predictions.size(), 9U);
    std::size_t correct = 0;
    for (std::size_t t = 0; t < predictions.size(); ++t) {
      const VectorPrediction& one = predictions[t];
      for (std::size_t a = 0; a < alphas.size(); ++a) {
        PredictionSet expected;
        for (Label y = 0; y < 3; ++y) {
          if (one.p_values[y] > alphas[a].value()) expected.push_back(y);
        }
        EXPECT_EQ(one.sets[a], expected);
      }
      correct += one.point == t % 3 ? 1U : 0U;
    }
    EXPECT_GE(correct, 7U);
  }
}

TEST(VectorClassifier, BatchesAndThreadsDoNotMatter) {
  const Matrix<double> inputs = some_inputs(40);
  const VectorClassifier one(labeled(30), {.threads = 1});
  const VectorClassifier two(labeled(30), {.threads = 2});
  const auto all = one.predict(inputs.view(), {});
  const auto parallel = two.predict(inputs.view(), {});
  for (std::size_t t = 0; t < inputs.rows(); ++t) {
    EXPECT_EQ(all[t].p_values, parallel[t].p_values);
    EXPECT_EQ(all[t].p_values, one.predict(inputs.view().rows_from(t, 1), {})[0].p_values);
  }
}

TEST(VectorClassifier, CosineIgnoresLengths) {
  LabeledVectors longer = labeled(30);
  for (std::size_t i = 0; i < 30; ++i) {
    for (double& value : longer.vectors.row(i)) value *= 4;  // exact in binary
  }
  const Matrix<double> inputs = some_inputs();
  const auto plain = VectorClassifier(labeled(30)).predict(inputs.view(), {});
  const auto scaled = VectorClassifier(longer).predict(inputs.view(), {});
  for (std::size_t t = 0; t < inputs.rows(); ++t) {
    EXPECT_EQ(plain[t].p_values, scaled[t].p_values);
  }
}

TEST(VectorClassifier, StandardizationIgnoresTheScaleOfADimensionAndTheOrderOfRows) {
  const VectorClassifierOptions options{.method = Method::full_ratio, .standardize = true};
  LabeledVectors examples = labeled(30);
  Matrix<double> inputs = some_inputs();
  const auto plain = VectorClassifier(examples, options).predict(inputs.view(), {});
  for (std::size_t i = 0; i < 30; ++i) examples.vectors(i, 2) *= 1024;
  for (std::size_t t = 0; t < inputs.rows(); ++t) inputs(t, 2) *= 1024;
  const auto scaled = VectorClassifier(examples, options).predict(inputs.view(), {});
  for (std::size_t t = 0; t < inputs.rows(); ++t) {
    EXPECT_EQ(plain[t].p_values, scaled[t].p_values);
  }
  std::swap_ranges(examples.vectors.row(0).begin(), examples.vectors.row(0).end(),
                   examples.vectors.row(7).begin());
  std::swap(examples.labels[0], examples.labels[7]);
  const auto swapped = VectorClassifier(examples, options).predict(inputs.view(), {});
  for (std::size_t t = 0; t < inputs.rows(); ++t) {
    EXPECT_EQ(plain[t].p_values, swapped[t].p_values);
  }
}

TEST(VectorClassifier, LabelVectorsAreAPrior) {
  LabeledVectors examples = labeled(3);
  examples.label_vectors = Matrix<double>(3, 5);
  for (std::size_t y = 0; y < 3; ++y) examples.label_vectors(y, y) = 1;
  const Matrix<double> inputs = some_inputs(3);
  const VectorClassifier classifier(examples, {.prior_weight = 1000});
  const auto predictions = classifier.predict(inputs.view(), {});
  for (std::size_t t = 0; t < 3; ++t) EXPECT_EQ(predictions[t].point, t);
  EXPECT_FALSE(classifier.options().are_default(true));
  EXPECT_TRUE(VectorClassifierOptions{}.are_default(true));
}

TEST(VectorClassifier, AnInfeasibleAlphaGivesEveryLabel) {
  const VectorClassifier classifier(labeled(6));
  const Miscoverage alpha = Miscoverage::parse("0.1");
  EXPECT_FALSE(classifier.is_feasible(alpha));
  EXPECT_EQ(classifier.guarantee(alpha).text(), "marginal");
  EXPECT_EQ(classifier.guarantee(alpha, RankRule::clip).name(), "none");
  const Matrix<double> inputs = some_inputs(1);
  EXPECT_EQ(classifier.predict(inputs.view(), {.alphas = {alpha}})[0].sets[0].size(), 3U);
}

TEST(VectorClassifier, GroupsHaveTheirOwnGuarantee) {
  const LabeledVectors examples = labeled(40);
  std::vector<GroupId> ids;
  for (std::size_t i = 0; i < 40; ++i) ids.push_back(i < 30 ? 1 : 2);
  const VectorClassifier classifier(examples, Grouping::by_input(ids));
  const Matrix<double> inputs = some_inputs(3);
  const auto found = classifier.predict(inputs.view(), {.alphas = alphas, .groups = {1, 2, 9}});
  EXPECT_EQ(found[2].sets[0].size(), 3U);  // a group without examples
  EXPECT_EQ(found[2].p_values, (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(classifier.guarantee(alphas[0]).text(), "group-conditional");
  EXPECT_EQ(classifier.smallest_feasible_alpha(), smallest_feasible_alpha(10));
  EXPECT_EQ(VectorClassifier(examples).smallest_feasible_alpha(), smallest_feasible_alpha(40));
  expect_error([&] { (void)classifier.predict(inputs.view(), {}); }, ErrorKind::invalid_input,
               {"groups were given for 0 of 3 inputs"});
}

TEST(VectorClassifier, SmoothedPValuesAreSmallerAndDecide) {
  const VectorClassifier classifier(labeled(40));
  const Matrix<double> inputs = some_inputs();
  const auto plain = classifier.predict(inputs.view(), {.alphas = alphas});
  const auto smooth = classifier.predict(inputs.view(), {.alphas = alphas, .smoothing_seed = 5});
  const auto other = classifier.predict(inputs.view(), {.alphas = alphas, .smoothing_seed = 6});
  for (std::size_t t = 0; t < inputs.rows(); ++t) {
    EXPECT_NE(smooth[t].p_values, other[t].p_values);
    for (Label y = 0; y < 3; ++y) EXPECT_LE(smooth[t].p_values[y], plain[t].p_values[y]);
    for (const Label y : smooth[t].sets[0]) EXPECT_GT(smooth[t].p_values[y], 0.1);
  }
}

/// 1 - cos and the sum of absolute differences, each in plain loops.
Matrix<double> plain_distances(const Matrix<double>& some, const Matrix<double>& others,
                               VectorDistance distance) {
  Matrix<double> result(some.rows(), others.rows());
  const auto units = [](const Matrix<double>& rows) {
    return classification::directions(rows.view(), "rows");
  };
  const Matrix<float> a = units(some);
  const Matrix<float> b = units(others);
  for (std::size_t i = 0; i < some.rows(); ++i) {
    for (std::size_t j = 0; j < others.rows(); ++j) {
      double sum = 0;
      for (std::size_t d = 0; d < some.cols(); ++d) {
        sum += distance == VectorDistance::cosine ? double{a(i, d)} * double{b(j, d)}
                                                  : std::abs(some(i, d) - others(j, d));
      }
      result(i, j) = distance == VectorDistance::cosine ? std::max(0.0, 1 - sum) : sum;
    }
  }
  return result;
}

TEST(VectorClassifier, RatiosTakeOtherDistances) {
  LabeledVectors examples = labeled(30);
  for (std::size_t i = 0; i < 30; ++i) {  // sums of few bits are exact in every order
    for (double& value : examples.vectors.row(i)) value = std::round(value * 64) / 64;
  }
  const Matrix<double> inputs = some_inputs();
  for (const VectorDistance distance : {VectorDistance::cosine, VectorDistance::manhattan}) {
    const VectorClassifierOptions options{.method = Method::full_ratio, .distance = distance};
    const auto found = VectorClassifier(examples, options).predict(inputs.view(), {});
    const classification::RatioScores scores(
        plain_distances(examples.vectors, examples.vectors, distance).view(), examples.labels, 3);
    const Matrix<double> rows = plain_distances(inputs, examples.vectors, distance);
    for (std::size_t t = 0; t < inputs.rows(); ++t) {
      const auto expected = classification::count(scores.candidates(rows.row(t)), examples.labels,
                                                  Grouping::none(30));
      EXPECT_EQ(found[t].p_values, expected.p_values()) << distance_name(distance);
    }
    EXPECT_FALSE(options.are_default(false));
  }
  EXPECT_EQ(parse_distance("cosine"), VectorDistance::cosine);
  expect_error([] { (void)parse_distance("chebyshev"); }, ErrorKind::invalid_input,
               {"unknown distance 'chebyshev'", "manhattan"});
}

TEST(VectorClassifier, SmoothingDependsOnTheNumberOfAnInputAndNotOnBatches) {
  const VectorClassifier classifier(labeled(40));
  const Matrix<double> inputs = some_inputs(9);
  const auto all = classifier.predict(inputs.view(), {.smoothing_seed = 5});
  for (std::size_t t = 0; t < 9; ++t) {
    const auto one =
        classifier.predict(inputs.view().rows_from(t, 1), {.smoothing_seed = 5, .first_input = t});
    EXPECT_EQ(one[0].p_values, all[t].p_values);
  }
}

TEST(VectorClassifier, RefusesWhatItCannotUse) {
  LabeledVectors bad = labeled(6);
  bad.name = "train.npy";
  bad.vectors(4, 2) = std::numeric_limits<double>::quiet_NaN();
  expect_error([&] { VectorClassifier c(bad); }, ErrorKind::bad_format,
               {"train.npy: row 4, column 2 is nan", "not finite"});
  bad.vectors(4, 2) = -1.5e100;  // distances would overflow
  expect_error([&] { VectorClassifier c(bad, {.method = Method::full_ratio}); },
               ErrorKind::bad_format, {"train.npy: row 4, column 2 is -1.5e+100", "beyond 1e100"});
  LabeledVectors zero = labeled(6);
  zero.name = "train.npy";
  std::ranges::fill(zero.vectors.row(3), 0.0);
  expect_error([&] { VectorClassifier c(zero); }, ErrorKind::bad_format,
               {"train.npy: row 3 is all zeros", "full-ratio"});
  EXPECT_NO_THROW(VectorClassifier(zero, {.method = Method::full_ratio}));
  expect_error(
      [&] {
        VectorClassifier c(zero,
                           {.method = Method::full_ratio, .distance = VectorDistance::cosine});
      },
      ErrorKind::bad_format, {"train.npy: row 3 is all zeros"});
  expect_error([&] { VectorClassifier c(labeled(6), {.method = Method::caos}); },
               ErrorKind::invalid_input, {"caos takes score arrays"});
  LabeledVectors names = labeled(6);
  names.label_vectors = Matrix<double>(3, 4, 1.0);
  names.label_vectors_name = "names.npy";
  expect_error([&] { VectorClassifier c(names); }, ErrorKind::invalid_input,
               {"names.npy: has vectors of 4 values", "5"});
  names.label_vectors = Matrix<double>(2, 5, 1.0);
  expect_error([&] { VectorClassifier c(names); }, ErrorKind::invalid_input,
               {"names.npy: has 2 rows; expected 3"});
  const VectorClassifier classifier(labeled(6));
  const Matrix<double> narrow(2, 4, 1.0);
  expect_error([&] { (void)classifier.predict(narrow.view(), {.name = "new.npy"}); },
               ErrorKind::invalid_input, {"new.npy: has vectors of 4 values"});
  const Matrix<double> zeros(2, 5, 0.0);
  expect_error([&] { (void)classifier.predict(zeros.view(), {.name = "new.npy"}); },
               ErrorKind::bad_format, {"new.npy: row 0 is all zeros"});
}

}  // namespace
}  // namespace caos
