#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "caos/error.hpp"
#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/landmarks/matching/patch_matcher.hpp"
#include "tests/kernels/every_target.hpp"
#include "tests/landmarks/geometry/geometry_oracle.hpp"
#include "tests/landmarks/patch_problem.hpp"
#include "tests/support/oracle.hpp"

namespace caos {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const PatchScore geometry{PatchScore::Kind::geometry, 0};

/// A problem whose patches lie on grids, and whose landmarks lie anywhere in their patches.
struct Problem {
  patches::Problem plain;
  std::vector<vision::PatchGrid> grids;  ///< of the images to test on

  [[nodiscard]] TestPatches test() const {
    TestPatches result = plain.test();
    result.grids = grids;
    return result;
  }
  [[nodiscard]] const LabeledPatches& labeled() const { return plain.labeled; }
};

/// Rows by columns, as even as the number allows.
vision::PatchGrid grid_of(std::size_t size, Rng& rng) {
  std::vector<std::size_t> divisors;
  for (std::size_t d = 1; d <= size; ++d) {
    if (size % d == 0) divisors.push_back(d);
  }
  const std::size_t columns = divisors[rng.below(divisors.size())];
  return {.columns = columns, .rows = size / columns};
}

Matrix<float> draw_image(Rng& rng, std::size_t dimension, std::size_t size, std::uint64_t values) {
  Matrix<float> rows(size, dimension);
  for (std::size_t r = 0; r < size; ++r) {
    for (float& value : rows.row(r)) value = static_cast<float>(rng.below(values));
    rows(r, rng.below(dimension)) += 1;
  }
  return unit_rows(rows.view(), "drawn");
}

Problem make(std::uint64_t seed, const patches::Sizes& sizes, std::uint64_t values) {
  Rng rng(seed);
  Problem problem{patches::make(seed, sizes), {}};
  const auto redraw = [&](std::vector<Matrix<float>>& images, Matrix<std::int64_t>& labels,
                          std::vector<vision::PatchGrid>& grids) {
    for (std::size_t i = 0; i < images.size(); ++i) {
      images[i] = draw_image(rng, sizes.dimension, 1 + rng.below(40), values);
      grids.push_back(grid_of(images[i].rows(), rng));
      for (std::int64_t& label : labels.row(i)) {
        if (label != missing_label) label = static_cast<std::int64_t>(rng.below(images[i].rows()));
      }
    }
  };
  LabeledPatches& labeled = problem.plain.labeled;
  redraw(labeled.images, labeled.labels, labeled.grids);
  redraw(problem.plain.images, problem.plain.labels, problem.grids);
  labeled.offsets = Matrix<Offset>(labeled.size(), sizes.tasks);
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    for (Offset& offset : labeled.offsets.row(i)) offset = {rng.uniform(), rng.uniform()};
  }
  return problem;
}

Problem arbitrary(std::size_t k, bool with_subjects) {
  patches::Sizes sizes;
  sizes.labeled = *rc::gen::inRange<std::size_t>(4, 9);
  sizes.test = *rc::gen::inRange<std::size_t>(1, 3);
  sizes.tasks = *rc::gen::inRange<std::size_t>(1, 4);
  sizes.dimension = *rc::gen::inRange<std::size_t>(2, 6);
  sizes.missing = *rc::gen::element<std::size_t>(0, 3, 8);
  sizes.subjects = with_subjects ? *rc::gen::inRange<std::size_t>(3, 7) : 0;
  const auto values = *rc::gen::element<std::uint64_t>(2, 3, 100);
  Problem problem = make(*rc::gen::inRange<std::uint64_t>(0, 1'000'000'000), sizes, values);
  problem.plain = patches::usable(problem.plain, k);
  RC_PRE(problem.labeled().num_tasks() > 0U);
  return problem;
}

/// One landmark by the definition.
class Oracle {
 public:
  Oracle(const LabeledPatches& labeled, std::size_t task) : labeled_(labeled), task_(task) {
    for (std::size_t i = 0; i < labeled.size(); ++i) {
      if (labeled.labels(i, task) != missing_label) images.push_back(i);
    }
  }

  /// scores[y][j] of a new image.
  [[nodiscard]] oracle::Table pools(const Matrix<float>& image,
                                    const vision::PatchGrid& grid) const {
    oracle::Table result(image.rows());
    for (const std::size_t j : images) {
      const auto column = under(j, {image, grid});
      for (std::size_t y = 0; y < image.rows(); ++y) result[y].push_back(column[y]);
    }
    return result;
  }

  [[nodiscard]] oracle::Table own() const {
    oracle::Table result;
    for (const std::size_t i : images) {
      oracle::Pool row;
      for (const std::size_t j : images) {
        const auto scores = under(j, {labeled_.images[i], labeled_.grids[i]});
        row.push_back(labeled_.same_subject(i, j)
                          ? infinity
                          : scores[static_cast<std::size_t>(labeled_.labels(i, task_))]);
      }
      result.push_back(row);
    }
    return result;
  }

  Indices images;

 private:
  [[nodiscard]] std::vector<double> under(std::size_t j, const geometry_oracle::Image& to) const {
    const auto label = static_cast<std::size_t>(labeled_.labels(j, task_));
    return geometry_oracle::scores({labeled_.images[j], labeled_.grids[j]},
                                   {label, labeled_.position(j, task_)}, to);
  }

  const LabeledPatches& labeled_;
  std::size_t task_;
};

/// Scores in double may differ by the last bits of the standard deviation, which the oracle sums
/// up otherwise.
void expect_near(double a, double b) {
  if (a == b) return;
  EXPECT_NEAR(a, b, 1e-9 * (1 + std::abs(b)));
}

RC_GTEST_PROP(GeometryMatcher, OwnScoresAreTheDefinition, ()) {
  const Problem problem = arbitrary(1, *rc::gen::arbitrary<bool>());
  const ReferencePatches references = reference_patches(problem.labeled());
  const auto own = make_matcher(problem.labeled(), references, geometry)->own_scores(2);
  for (std::size_t t = 0; t < problem.labeled().num_tasks(); ++t) {
    const oracle::Table expected = Oracle(problem.labeled(), t).own();
    const OwnScores table = own->table(t);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      for (std::size_t j = 0; j < expected.size(); ++j) {
        if (i != j) expect_near(table(i, j), expected[i][j]);
      }
    }
  }
}

/// The candidates at a threshold that every patch meets, so that all scores show; and at one in
/// between.
RC_GTEST_PROP(GeometryMatcher, CandidatesAreTheDefinition, ()) {
  const std::size_t k = *rc::gen::inRange<std::size_t>(1, 4);
  const Problem problem = arbitrary(k, false);
  const LabeledPatches& labeled = problem.labeled();
  const ReferencePatches references = reference_patches(labeled);
  const auto matcher = make_matcher(labeled, references, geometry);
  const double threshold = *rc::gen::element(infinity, 3.0, 12.0, 24.0, 40.0, 1000.0, -1.0);
  std::vector<LandmarkRules> rules;
  for (const PatchTask& task : references.tasks) {
    rules.push_back({.pools = {{task.columns, {{k, threshold}}}}});
  }
  const auto decider = matcher->decider(rules);
  for (std::size_t x = 0; x < problem.plain.images.size(); ++x) {
    const Matrix<float>& image = problem.plain.images[x];
    const auto found = decider->candidates({image.view(), problem.grids[x]},
                                           std::vector<bool>(image.rows(), true));
    for (std::size_t t = 0; t < rules.size(); ++t) {
      const oracle::Table pools = Oracle(labeled, t).pools(image, problem.grids[x]);
      std::size_t next = 0;
      double best = infinity;
      for (std::size_t y = 0; y < image.rows(); ++y) {
        const double score = oracle::minsum(pools[y], k);
        best = std::min(best, score);
        const bool member = next < found[t].members.size() && found[t].members[next].patch == y;
        if (std::abs(score - threshold) >= 1e-7) {
          ASSERT_EQ(member, score <= threshold) << y << " " << score << " " << threshold;
        }
        if (member) expect_near(found[t].members[next++].score, score);
      }
      expect_near(found[t].proposal.score, best);
      expect_near(oracle::minsum(pools[found[t].proposal.patch], k), best);
      EXPECT_EQ(found[t].proposal.supporting_references.size(), k);
    }
  }
}

/// Sets of several limits and alphas, and SCOS counts, are those of all scores.
RC_GTEST_PROP(GeometryMatcher, SetsAreThoseOfAllScores, ()) {
  const Problem problem = arbitrary(3, false);
  const LabeledPatches& labeled = problem.labeled();
  const ReferencePatches references = reference_patches(labeled);
  const auto matcher = make_matcher(labeled, references, geometry);
  const std::vector<PoolRule::Limit> limits = {{1, 4}, {2, 9}, {2, infinity}, {3, 30}, {3, 45}};
  std::vector<LandmarkRules> rules;
  for (const PatchTask& task : references.tasks) {
    const std::vector<Score> of_each(task.columns.size(), 6);
    const std::vector<Score> looser(task.columns.size(), 14);
    rules.push_back(
        {.pools = {{task.columns, limits}}, .scos = ScosRule{task.columns, {of_each, looser}}});
  }
  const auto decider = matcher->decider(rules);
  const TestPatches test = problem.test();
  const QueryImages images{test.image, test.labels.view(), test.grids};
  const ImageSets sets = decider->decide(images, 0, test.size());
  for (std::size_t x = 0; x < test.size(); ++x) {
    for (std::size_t t = 0; t < rules.size(); ++t) {
      const oracle::Table pools = Oracle(labeled, t).pools(test.image(x), test.grids[x]);
      std::vector<std::uint32_t> sizes(2 * pools[0].size());
      for (std::size_t y = 0; y < pools.size(); ++y) {
        for (std::size_t l = 0; l < limits.size(); ++l) {
          const double score = oracle::minsum(pools[y], limits[l].k);
          if (std::abs(score - limits[l].threshold) < 1e-7) continue;
          ASSERT_EQ(sets.holds(x, t, l, y), score <= limits[l].threshold);
        }
        for (std::size_t r = 0; r < pools[y].size(); ++r) {
          sizes[2 * r] += pools[y][r] <= 6 ? 1U : 0U;
          sizes[2 * r + 1] += pools[y][r] <= 14 ? 1U : 0U;
        }
      }
      if (test.labels(x, t) == missing_label) continue;
      EXPECT_EQ(sets.scos[t][x].sizes, sizes);
    }
  }
}

LandmarkEvaluateOptions options_of(std::vector<Method> methods) {
  LandmarkEvaluateOptions options;
  options.methods = std::move(methods);
  options.alphas = {Miscoverage::parse("0.25")};
  options.k = 2;
  options.score = geometry;
  options.partition = split::halve(8, 3);
  return options;
}

TEST(GeometryMatcher, DoesNotDependOnThreads) {
  const Problem problem = make(5, {.labeled = 8, .test = 6, .missing = 0}, 50);
  LandmarkEvaluateOptions options = options_of(
      {Method::caos, Method::scos, Method::scos_best, Method::scos_oracle, Method::split_caos});
  options.keep_sets = Method::caos;
  options.simultaneous = true;
  options.ablation_ks = {1, 3};
  options.threads = 1;
  const LandmarkEvaluation one = evaluate_landmarks(problem.labeled(), problem.test(), options);
  options.threads = 4;
  const LandmarkEvaluation four = evaluate_landmarks(problem.labeled(), problem.test(), options);
  EXPECT_EQ(one.sets, four.sets);
  for (std::size_t m = 0; m < one.methods.size(); ++m) {
    EXPECT_EQ(one.methods[m].summary->mean_set_size.mean,
              four.methods[m].summary->mean_set_size.mean);
  }
}

void expect_same(const ImageSets& found, std::size_t image, const ImageSets& expected,
                 std::size_t expected_image, std::size_t num_landmarks) {
  for (std::size_t t = 0; t < num_landmarks; ++t) {
    for (std::size_t set = 0; set < expected.num_sets; ++set) {
      EXPECT_EQ(found.set(image, t, set), expected.set(expected_image, t, set));
    }
    EXPECT_EQ(found.scos[t][image].sizes, expected.scos[t][expected_image].sizes);
    EXPECT_EQ(found.scos[t][image].covers, expected.scos[t][expected_image].covers);
  }
}

/// Images of different sizes and shapes, decided together, one by one, and on every instruction
/// set.
TEST(GeometryMatcher, DoesNotDependOnBatchOrInstructionSet) {
  const Problem problem = make(6, {.labeled = 9, .test = 7, .tasks = 3, .missing = 0}, 50);
  const ReferencePatches references = reference_patches(problem.labeled());
  const TestPatches test = problem.test();
  const QueryImages images{test.image, test.labels.view(), test.grids};
  const auto decider_of_now = [&] {
    const auto matcher = make_matcher(problem.labeled(), references, geometry);
    const auto nearest = matcher->own_scores(2)->nearest(all_images(problem.labeled()), 2);
    std::vector<LandmarkRules> rules;
    for (std::size_t t = 0; t < references.tasks.size(); ++t) {
      // Thresholds that own scores have, so that a last bit would show.
      const std::vector<std::uint32_t>& columns = references.tasks[t].columns;
      rules.push_back(
          {.pools = {{columns, {{1, nearest[t](0, 0)}, {2, nearest[t](1, 0) + nearest[t](1, 1)}}}},
           .scos = ScosRule{columns, {std::vector<Score>(columns.size(), nearest[t](2, 1))}}});
    }
    return matcher->decider(rules);
  };
  const ImageSets expected = decider_of_now()->decide(images, 0, test.size());
  kernels::on_every_target([&] {
    const auto decider = decider_of_now();
    const ImageSets together = decider->decide(images, 0, test.size());
    for (std::size_t x = 0; x < test.size(); ++x) {
      expect_same(together, x, expected, x, references.tasks.size());
      expect_same(decider->decide(images, x, x + 1), 0, expected, x, references.tasks.size());
    }
  });
}

/// A test image's own landmarks decide what counts as covered, and nothing else.
TEST(GeometryMatcher, IgnoresTheTargetsOwnLandmarks) {
  Problem problem = make(9, {.labeled = 8, .test = 4, .missing = 0}, 50);
  LandmarkEvaluateOptions options = options_of({Method::caos});
  options.keep_sets = Method::caos;
  const auto before = evaluate_landmarks(problem.labeled(), problem.test(), options).sets;
  for (std::size_t x = 0; x < 4; ++x) {
    for (std::int64_t& label : problem.plain.labels.row(x)) label = 0;
  }
  EXPECT_EQ(evaluate_landmarks(problem.labeled(), problem.test(), options).sets, before);
}

/// In calibration a target is a labeled image: its own score of one landmark depends on its patch
/// of that landmark alone, neither on where in the patch it is nor on its other landmarks.
TEST(GeometryMatcher, IgnoresALabeledTargetsOtherLandmarks) {
  const Problem problem = make(13, {.labeled = 8, .test = 1, .missing = 0}, 50);
  const auto row_of = [](const LabeledPatches& labeled, std::size_t i) {
    const ReferencePatches references = reference_patches(labeled);
    const auto own = make_matcher(labeled, references, geometry)->own_scores(1);
    std::vector<Score> row;
    for (std::size_t j = 0; j < labeled.size(); ++j) {
      if (j != i) row.push_back(own->table(0)(i, j));
    }
    return row;
  };
  LabeledPatches changed = problem.labeled();
  for (std::size_t t = 1; t < changed.num_tasks(); ++t) changed.labels(2, t) = 0;
  for (Offset& offset : changed.offsets.row(2)) offset = {0.03, 0.98};
  EXPECT_EQ(row_of(changed, 2), row_of(problem.labeled(), 2));
  EXPECT_NE(row_of(changed, 3), row_of(problem.labeled(), 3));  // it is a reference there
}

TEST(GeometryMatcher, RefusesFullCaosAndSaysWhy) {
  const Problem problem = make(1, {.labeled = 8, .missing = 0}, 50);
  try {
    static_cast<void>(evaluate_landmarks(problem.labeled(), problem.test(),
                                         options_of({Method::caos, Method::full_caos})));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_input);
    EXPECT_NE(std::string(error.what()).find("no exact position"), std::string::npos);
  }
}

TEST(GeometryMatcher, NeedsGrids) {
  Problem problem = make(1, {.labeled = 8, .missing = 0}, 50);
  TestPatches test = problem.test();
  test.grids.clear();
  EXPECT_THROW(evaluate_landmarks(problem.labeled(), test, options_of({Method::caos})), Error);
  problem.plain.labeled.grids.clear();
  EXPECT_THROW(evaluate_landmarks(problem.labeled(), problem.test(), options_of({Method::caos})),
               Error);
}

}  // namespace
}  // namespace caos
