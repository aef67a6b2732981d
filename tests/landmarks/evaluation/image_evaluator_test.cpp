#include "caos/landmarks/evaluation/image_evaluator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/kernels/every_target.hpp"
#include "tests/landmarks/embedding/synthetic_images.hpp"
#include "tests/landmarks/patch_problem.hpp"
#include "tests/support/problem.hpp"

namespace {

using caos::CalibratedLandmarks;
using caos::LandmarkEvaluateOptions;
using caos::LandmarkEvaluation;
using caos::LandmarkMethodResult;
using caos::LandmarkTally;
using caos::Matrix;
using caos::Method;
using caos::Outcome;
using patches::Drawn;
using patches::Noise;

bool same(const Outcome& a, const Outcome& b) {
  return a.covered == b.covered && a.size == b.size && a.singleton == b.singleton &&
         a.empty == b.empty;
}

void expect_same(const std::vector<LandmarkMethodResult>& a,
                 const std::vector<LandmarkMethodResult>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t r = 0; r < a.size(); ++r) {
    for (std::size_t t = 0; t < a[r].outcomes.size(); ++t) {
      EXPECT_TRUE(std::ranges::equal(a[r].outcomes[t], b[r].outcomes[t],
                                     [](const auto& x, const auto& y) { return same(x, y); }))
          << method_name(a[r].method) << " k = " << a[r].k << ", landmark " << t;
    }
  }
}

LandmarkEvaluation evaluate_in_batches(const CalibratedLandmarks& landmarks,
                                       const patches::Problem& problem,
                                       const caos::ImageEvaluator& evaluator,
                                       const caos::TestPatches& test, std::size_t batch) {
  LandmarkTally tally(landmarks, test);
  for (std::size_t x = 0; x < problem.images.size(); x += batch) {
    evaluator.evaluate(x, std::min(x + batch, problem.images.size()), tally);
  }
  return tally.finish();
}

LandmarkEvaluation evaluate_exactly(const CalibratedLandmarks& landmarks,
                                    const patches::Problem& problem,
                                    const caos::TestPatches& test) {
  const auto matcher = exact_matcher(landmarks.labeled, landmarks.references, {});
  return evaluate_in_batches(landmarks, problem, caos::ImageEvaluator(landmarks, test, *matcher),
                             test, 1);
}

/// Coarse similarities lead to the outcomes and sets of the exact ones, whatever the batch and the
/// filter.
void expect_exact(const patches::Problem& problem, LandmarkEvaluateOptions options,
                  std::optional<std::size_t> num_directions = std::nullopt) {
  options.partition = caos::split::halve(problem.labeled.size(), 3);
  const caos::TestPatches test = problem.test();
  for (const Method kept : {Method::caos, Method::full_caos}) {
    options.keep_sets = kept;
    const CalibratedLandmarks landmarks(
        problem.labeled, options, weights_by_subject(problem.labeled, all_images(problem.labeled)));
    const auto exact = evaluate_exactly(landmarks, problem, test);
    const caos::ImageEvaluator coarse(landmarks, test, *landmarks.matcher, num_directions);
    for (const std::size_t batch : {1U, 3U}) {
      const auto found = evaluate_in_batches(landmarks, problem, coarse, test, batch);
      EXPECT_EQ(found.sets, exact.sets);
      expect_same(found.methods, exact.methods);
      expect_same(found.ablation, exact.ablation);
      for (std::size_t a = 0; a < exact.simultaneous.size(); ++a) {
        EXPECT_EQ(found.simultaneous[a].evaluation.coverage,
                  exact.simultaneous[a].evaluation.coverage);
        EXPECT_EQ(found.simultaneous[a].evaluation.mean_set_size,
                  exact.simultaneous[a].evaluation.mean_set_size);
        EXPECT_EQ(found.simultaneous[a].covered_separately,
                  exact.simultaneous[a].covered_separately);
      }
    }
  }
}

LandmarkEvaluateOptions everything() {
  LandmarkEvaluateOptions options;
  options.methods.assign(caos::all_methods().begin(), caos::all_methods().end());
  options.alphas = {problem::alpha(10), problem::alpha(30), problem::alpha(5)};
  options.k = 2;
  options.ablation_ks = {1, 3, 6};
  options.simultaneous = true;
  return options;
}

TEST(ImageEvaluator, IsExactWhereSimilaritiesAreTiedOrNearlySo) {
  for (const Noise noise : {Noise::none, Noise::last_bits, Noise::little, Noise::much}) {
    for (const std::size_t dimension : {1U, 2U, 5U, 16U, 33U}) {
      for (const std::uint64_t seed : {1U, 2U}) {
        SCOPED_TRACE(testing::Message() << static_cast<int>(noise) << ' ' << dimension);
        Drawn drawn(seed, {.labeled = 21,
                           .test = 7,
                           .patches = 19,
                           .tasks = 4,
                           .dimension = dimension,
                           .kinds = 6,
                           .noise = noise});
        expect_exact(drawn.problem(), everything());
      }
    }
  }
}

TEST(ImageEvaluator, IsExactForLargeKAndManyPatches) {
  LandmarkEvaluateOptions options = everything();
  options.k = 31;
  options.ablation_ks = {4, 5, 10, 11, 32};
  Drawn drawn(5, {.labeled = 66,
                  .test = 2,
                  .patches = 700,
                  .tasks = 2,
                  .dimension = 24,
                  .kinds = 9,
                  .noise = Noise::little});
  expect_exact(drawn.problem(), options);
  options.methods = {Method::caos, Method::full_caos};
  options.k = 64;
  options.ablation_ks = {};
  Drawn more(6, {.labeled = 70,
                 .test = 1,
                 .patches = 10'000,
                 .tasks = 1,
                 .dimension = 3,
                 .kinds = 40,
                 .noise = Noise::last_bits});
  expect_exact(more.problem(), options);
}

TEST(ImageEvaluator, IsExactWhereThousandsOfScoresAreAdded) {
  LandmarkEvaluateOptions options = everything();
  options.methods = {Method::caos, Method::full_caos};
  options.k = 3000;
  options.ablation_ks = {};
  Drawn drawn(13, {.labeled = 3010,
                   .test = 2,
                   .patches = 9,
                   .tasks = 1,
                   .dimension = 3,
                   .kinds = 4,
                   .noise = Noise::last_bits});
  expect_exact(drawn.problem(), options);
}

TEST(ImageEvaluator, TakesImagesOfOnePatch) {
  LandmarkEvaluateOptions options = everything();
  Drawn drawn(8, {.labeled = 30,
                  .test = 40,
                  .patches = 1,
                  .tasks = 2,
                  .dimension = 7,
                  .kinds = 4,
                  .noise = Noise::little});
  expect_exact(drawn.problem(), options);
}

LandmarkEvaluateOptions caos_and_full() {
  LandmarkEvaluateOptions options = everything();
  options.methods = {Method::caos, Method::full_caos};
  return options;
}

TEST(FilteredEvaluator, IsExactWhereSimilaritiesAreTiedOrNearlySo) {
  for (const Noise noise : {Noise::none, Noise::last_bits, Noise::little, Noise::much}) {
    for (const std::size_t dimension : {1U, 2U, 5U, 16U, 33U}) {
      for (const std::size_t directions : {1U, 3U, 16U, 95U}) {
        SCOPED_TRACE(testing::Message() << static_cast<int>(noise) << ' ' << dimension);
        Drawn drawn(dimension + directions, {.labeled = 21,
                                             .test = 13,
                                             .patches = 19,
                                             .tasks = directions == 3 ? 3U : 1U,
                                             .dimension = dimension,
                                             .kinds = 6,
                                             .noise = noise});
        expect_exact(drawn.problem(), caos_and_full(), directions);
      }
    }
  }
}

TEST(FilteredEvaluator, IsExactForLargeKAndManyPatchesAndImagesOfOne) {
  LandmarkEvaluateOptions options = caos_and_full();
  options.k = 31;
  options.ablation_ks = {4, 5, 10, 11, 32};
  Drawn drawn(5, {.labeled = 66,
                  .test = 3,
                  .patches = 700,
                  .tasks = 1,
                  .dimension = 24,
                  .kinds = 9,
                  .noise = Noise::little});
  expect_exact(drawn.problem(), options, 6);
  Drawn more(6, {.labeled = 66,
                 .test = 90,
                 .patches = 1,
                 .tasks = 2,
                 .dimension = 24,
                 .kinds = 12,
                 .noise = Noise::much});
  expect_exact(more.problem(), options, 7);
}

TEST(ImageEvaluator, IsExactOnEveryInstructionSet) {
  Drawn drawn(11, {.labeled = 24,
                   .test = 5,
                   .patches = 45,
                   .tasks = 3,
                   .dimension = 33,
                   .kinds = 8,
                   .noise = Noise::little,
                   .missing = 6,
                   .any_size = true});
  const patches::Problem problem = drawn.problem();
  caos::kernels::on_every_target([&] { expect_exact(problem, everything()); });
}

TEST(ImageEvaluator, IsExactWithSubjectsAndMissingLandmarks) {
  for (const Noise noise : {Noise::none, Noise::last_bits, Noise::little}) {
    Drawn drawn(12, {.labeled = 40,
                     .test = 6,
                     .patches = 40,
                     .tasks = 4,
                     .dimension = 9,
                     .kinds = 5,
                     .noise = noise,
                     .missing = 5,
                     .subjects = 15,
                     .any_size = true});
    LandmarkEvaluateOptions options = everything();
    options.methods = {Method::caos, Method::full_caos};
    expect_exact(drawn.problem(), options);
    options.rule = caos::RankRule::clip;
    options.alphas = {problem::alpha(1), problem::alpha(20)};
    expect_exact(drawn.problem(), options);
  }
}

TEST(FilteredEvaluator, IsExactOnEveryInstructionSet) {
  Drawn drawn(9, {.labeled = 40,
                  .test = 4,
                  .patches = 50,
                  .tasks = 1,
                  .dimension = 31,
                  .kinds = 10,
                  .noise = Noise::little});
  const patches::Problem problem = drawn.problem();
  caos::kernels::on_every_target([&] { expect_exact(problem, caos_and_full(), 5); });
}

TEST(FilteredEvaluator, ChoosesAFilterByItselfAndTakesMoreImagesThen) {
  // Enough work for a trial, and patches of few kinds, most of them in no set.
  Drawn drawn(10, {.labeled = 300,
                   .test = 600,
                   .patches = 170,
                   .tasks = 1,
                   .dimension = 48,
                   .kinds = 40,
                   .noise = Noise::little});
  patches::Problem problem = drawn.problem();
  for (std::size_t i = 0; i < problem.labeled.size(); ++i) {
    // The landmark is where the first kind is, if anywhere.
    const auto first = std::as_const(problem.labeled.images[0]).row(0);
    double best = -2;
    for (std::size_t y = 0; y < 170; ++y) {
      const auto row = std::as_const(problem.labeled.images[i]).row(y);
      const double similarity = std::inner_product(row.begin(), row.end(), first.begin(), 0.0);
      if (similarity <= best) continue;
      best = similarity;
      problem.labeled.labels(i, 0) = static_cast<std::int64_t>(y);
    }
  }
  LandmarkEvaluateOptions options = caos_and_full();
  options.partition = caos::split::halve(problem.labeled.size(), 3);
  const caos::TestPatches test = problem.test();
  const CalibratedLandmarks landmarks(
      problem.labeled, options, weights_by_subject(problem.labeled, all_images(problem.labeled)));
  const caos::ImageEvaluator chosen(landmarks, test);
  EXPECT_GT(chosen.images_at_once(),
            caos::ImageEvaluator(landmarks, test, *landmarks.matcher, 0).images_at_once());
  const auto exact = evaluate_exactly(landmarks, problem, test);
  expect_same(evaluate_in_batches(landmarks, problem, chosen, test, 25).methods, exact.methods);
}

}  // namespace
