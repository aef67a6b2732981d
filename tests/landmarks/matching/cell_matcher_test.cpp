#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "caos/error.hpp"
#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/matching/patch_matcher.hpp"
#include "tests/landmarks/cells/cell_problem.hpp"
#include "tests/support/oracle.hpp"

namespace caos {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();
const PatchScore by_geometry{PatchScore::Kind::geometry, 0};

/// Vectors in float, and deviations, may differ from the oracle's in their last bits; a tiny
/// deviation magnifies that.
void expect_close(double a, double b) {
  if (a == b) return;
  EXPECT_NEAR(a, b, 1e-4 * (1 + std::abs(b)));
}

RC_GTEST_PROP(CellMatcher, OwnScoresAreTheDefinition, ()) {
  const cells::Problem problem = cells::arbitrary(1);
  const LabeledPatches& labeled = problem.labeled;
  const ReferencePatches references = reference_patches(labeled);
  const auto own = make_matcher(labeled, references, by_geometry)->own_scores(2);
  for (std::size_t t = 0; t < labeled.num_tasks(); ++t) {
    const cells::Oracle oracle(labeled, t);
    const OwnScores table = own->table(t);
    for (std::size_t i = 0; i < oracle.images.size(); ++i) {
      for (std::size_t j = 0; j < oracle.images.size(); ++j) {
        if (i != j) expect_close(table(i, j), oracle.own(oracle.images[i], oracle.images[j]));
      }
    }
  }
}

/// Pruned or not: thresholds that no cell meets, some, and all.
RC_GTEST_PROP(CellMatcher, CandidatesAreTheDefinition, ()) {
  const std::size_t k = *rc::gen::inRange<std::size_t>(1, 4);
  const cells::Problem problem = cells::arbitrary(k);
  const LabeledPatches& labeled = problem.labeled;
  const ReferencePatches references = reference_patches(labeled);
  const auto matcher = make_matcher(labeled, references, by_geometry);
  const double threshold = *rc::gen::element(no_limit, 3.0, 12.0, 24.0, 40.0, 1000.0, -1.0);
  std::vector<LandmarkRules> rules;
  for (const PatchTask& task : references.tasks) {
    rules.push_back({.pools = {{task.columns, {{k, threshold}}}}});
  }
  const auto decider = matcher->decider(rules);
  for (const cells::Image& image : problem.images) {
    const CellSource source = cells::Problem::source(image);
    const auto found = decider->candidates({image.patches.view(), image.cells, &source},
                                           std::vector<bool>(image.cells.size(), true));
    for (std::size_t t = 0; t < rules.size(); ++t) {
      const auto pools = cells::Oracle(labeled, t).pools(image);
      std::size_t next = 0;
      double best = no_limit;
      for (std::size_t y = 0; y < image.cells.size(); ++y) {
        const double score = oracle::minsum(pools[y], k);
        best = std::min(best, score);
        const bool member = next < found[t].members.size() && found[t].members[next].patch == y;
        if (std::abs(score - threshold) >= 1e-3 * (1 + std::abs(threshold))) {
          ASSERT_EQ(member, score <= threshold) << y << " " << score << " " << threshold;
        }
        if (member) expect_close(found[t].members[next++].score, score);
      }
      expect_close(found[t].proposal.score, best);
      expect_close(oracle::minsum(pools[found[t].proposal.patch], k), best);
      EXPECT_EQ(found[t].proposal.supporting_references.size(), k);
    }
  }
}

/// The members at a finite threshold are those of the full evaluation, bit for bit: with a
/// threshold of +infinity nothing is pruned.
RC_GTEST_PROP(CellMatcher, PruningChangesNothing, ()) {
  const std::size_t k = *rc::gen::inRange<std::size_t>(1, 4);
  const cells::Problem problem = cells::arbitrary(k);
  const ReferencePatches references = reference_patches(problem.labeled);
  const auto matcher = make_matcher(problem.labeled, references, by_geometry);
  const auto decide = [&](double threshold, const cells::Image& image) {
    std::vector<LandmarkRules> rules;
    for (const PatchTask& task : references.tasks) {
      rules.push_back({.pools = {{task.columns, {{k, threshold}}}}});
    }
    const CellSource source = cells::Problem::source(image);
    return matcher->decider(rules)->candidates({image.patches.view(), image.cells, &source},
                                               std::vector<bool>(image.cells.size(), true));
  };
  for (const cells::Image& image : problem.images) {
    const auto all = decide(no_limit, image);
    // A score that occurs, so that ties at the threshold do, too.
    const auto& scores = all[0].members;
    const double threshold = scores[*rc::gen::inRange<std::size_t>(0, scores.size())].score;
    const auto some = decide(threshold, image);
    for (std::size_t t = 0; t < all.size(); ++t) {
      std::size_t next = 0;
      for (const auto& member : all[t].members) {
        if (member.score > threshold) continue;
        RC_ASSERT(next < some[t].members.size());
        RC_ASSERT(some[t].members[next].patch == member.patch);
        RC_ASSERT(some[t].members[next++].score == member.score);
      }
      RC_ASSERT(next == some[t].members.size());
      RC_ASSERT(some[t].proposal.patch == all[t].proposal.patch);
      RC_ASSERT(some[t].proposal.score == all[t].proposal.score);
    }
  }
}

LandmarkEvaluateOptions evaluate_options(std::vector<Method> methods) {
  LandmarkEvaluateOptions options;
  options.methods = std::move(methods);
  options.alphas = {Miscoverage::parse("0.25")};
  options.k = 2;
  options.score = by_geometry;
  options.partition = split::halve(8, 3);
  options.keep_sets = Method::caos;
  return options;
}

/// SCOS counts included.
RC_GTEST_PROP(CellMatcher, SetsAreThoseOfAllScores, ()) {
  const cells::Problem problem = cells::arbitrary(3);
  const LabeledPatches& labeled = problem.labeled;
  const ReferencePatches references = reference_patches(labeled);
  const auto matcher = make_matcher(labeled, references, by_geometry);
  const std::vector<PoolRule::Limit> limits = {{1, 4}, {2, 9}, {2, no_limit}, {3, 30}, {3, 45}};
  std::vector<LandmarkRules> rules;
  for (const PatchTask& task : references.tasks) {
    rules.push_back({.pools = {{task.columns, limits}},
                     .scos = ScosRule{task.columns, {std::vector<Score>(task.columns.size(), 6)}}});
  }
  const TestPatches test = problem.test();
  const QueryImages images{test.image, test.labels.view(), test.grids, test.cells};
  const ImageSets sets = matcher->decider(rules)->decide(images, 0, test.size());
  for (std::size_t x = 0; x < test.size(); ++x) {
    for (std::size_t t = 0; t < rules.size(); ++t) {
      const auto pools = cells::Oracle(labeled, t).pools(problem.images[x]);
      std::size_t close = 0;
      std::vector<std::uint32_t> sizes(pools[0].size());
      for (std::size_t y = 0; y < pools.size(); ++y) {
        for (std::size_t l = 0; l < limits.size(); ++l) {
          const double score = oracle::minsum(pools[y], limits[l].k);
          if (std::abs(score - limits[l].threshold) < 1e-3) continue;
          ASSERT_EQ(sets.holds(x, t, l, y), score <= limits[l].threshold);
        }
        for (std::size_t r = 0; r < pools[y].size(); ++r) {
          sizes[r] += pools[y][r] <= 6 ? 1U : 0U;
          close += std::abs(pools[y][r] - 6) < 1e-3 ? 1U : 0U;
        }
      }
      if (test.labels(x, t) == missing_label || close > 0) continue;
      EXPECT_EQ(sets.scos[t][x].sizes, sizes);
    }
  }
}

TEST(CellMatcher, DoesNotDependOnThreads) {
  const cells::Problem problem = cells::make(5, {.labeled = 8, .test = 6, .missing = 0});
  LandmarkEvaluateOptions options =
      evaluate_options({Method::caos, Method::scos, Method::scos_best, Method::split_caos});
  options.threads = 1;
  const LandmarkEvaluation one = evaluate_landmarks(problem.labeled, problem.test(), options);
  options.threads = 4;
  const LandmarkEvaluation four = evaluate_landmarks(problem.labeled, problem.test(), options);
  EXPECT_EQ(one.sets, four.sets);
  for (std::size_t m = 0; m < one.methods.size(); ++m) {
    EXPECT_EQ(one.methods[m].summary->mean_set_size.mean,
              four.methods[m].summary->mean_set_size.mean);
  }
}

/// A target's own landmarks decide what counts as covered, and nothing else.
TEST(CellMatcher, IgnoresTheTargetsOwnLandmarks) {
  cells::Problem problem = cells::make(9, {.labeled = 8, .test = 4, .missing = 0});
  const LandmarkEvaluateOptions options = evaluate_options({Method::caos});
  const auto before = evaluate_landmarks(problem.labeled, problem.test(), options).sets;
  for (std::size_t x = 0; x < 4; ++x) {
    for (std::int64_t& label : problem.labels.row(x)) label = 0;
  }
  EXPECT_EQ(evaluate_landmarks(problem.labeled, problem.test(), options).sets, before);
}

/// In calibration a target is a labeled image: its own score of one landmark depends on its cell of
/// that landmark alone, neither on where in the cell it is nor on its other landmarks.
TEST(CellMatcher, IgnoresALabeledTargetsOtherLandmarks) {
  const cells::Problem problem = cells::make(13, {.labeled = 8, .test = 1, .missing = 0});
  const auto row_of = [](const LabeledPatches& labeled, std::size_t i) {
    const ReferencePatches references = reference_patches(labeled);
    const auto own = make_matcher(labeled, references, by_geometry)->own_scores(1);
    std::vector<Score> row;
    for (std::size_t j = 0; j < labeled.size(); ++j) {
      if (j != i) row.push_back(own->table(0)(i, j));
    }
    return row;
  };
  LabeledPatches changed = problem.labeled;
  for (std::size_t t = 1; t < changed.num_tasks(); ++t) changed.labels(2, t) = 0;
  for (Offset& offset : changed.offsets.row(2)) offset = {0.03, 0.98};
  read_cells(changed, 1);
  EXPECT_EQ(row_of(changed, 2), row_of(problem.labeled, 2));
  EXPECT_NE(row_of(changed, 3), row_of(problem.labeled, 3));  // it is a reference there
}

TEST(CellMatcher, RefusesScoresOfPatches) {
  const cells::Problem problem = cells::make(1, {.missing = 0});
  const ReferencePatches references = reference_patches(problem.labeled);
  for (const char* score : {"cosine", "margin", "softmax"}) {
    EXPECT_THROW(make_matcher(problem.labeled, references, parse_patch_score(score)), Error);
  }
}

}  // namespace
}  // namespace caos
