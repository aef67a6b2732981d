#include "caos/landmarks/evaluation/landmark_evaluation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/landmarks/patch_oracle.hpp"
#include "tests/landmarks/patch_problem.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/problem.hpp"

namespace {

using caos::Indices;
using caos::LandmarkEvaluation;
using caos::LandmarkMethodResult;
using caos::Matrix;
using caos::Method;
using caos::Outcome;
using caos::PatchScore;
using patches::TaskOracle;

const std::vector<Method> all_methods(caos::all_methods().begin(), caos::all_methods().end());
const std::vector<Method> whole_methods = {Method::full_caos, Method::caos};

struct Case {
  patches::Problem problem;
  caos::LandmarkEvaluateOptions options;
};

bool same(const Outcome& a, const Outcome& b) {
  return a.covered == b.covered && a.size == b.size && a.singleton == b.singleton &&
         a.empty == b.empty;
}

bool same(const LandmarkMethodResult& a, const LandmarkMethodResult& b) {
  return std::ranges::equal(a.outcomes, b.outcomes, [](const auto& of_a, const auto& of_b) {
    return std::ranges::equal(of_a, of_b,
                              [](const Outcome& x, const Outcome& y) { return same(x, y); });
  });
}

/// A problem large enough that threads take turns.
Case large_case() {
  Case c{.problem = patches::make(7, {.labeled = 30, .test = 25, .tasks = 9}),
         .options = {.methods = all_methods,
                     .alphas = {problem::alpha(10), problem::alpha(30)},
                     .k = 2,
                     .ablation_ks = {1, 5},
                     .simultaneous = true,
                     .partition = caos::split::halve(30, 1),
                     .keep_sets = Method::full_caos}};
  c.options.score = {PatchScore::Kind::margin, 1.0};
  return c;
}

LandmarkEvaluation evaluate(const Case& c) {
  return evaluate_landmarks(c.problem.labeled, c.problem.test(), c.options);
}

TEST(EvaluateLandmarks, DoesNotDependOnThreads) {
  Case c = large_case();
  c.options.threads = 1;
  const LandmarkEvaluation one = evaluate(c);
  for (const std::size_t threads : {2U, 5U}) {
    c.options.threads = threads;
    const LandmarkEvaluation many = evaluate(c);
    const auto equal = [](const auto& a, const auto& b) { return same(a, b); };
    EXPECT_TRUE(std::ranges::equal(one.methods, many.methods, equal));
    EXPECT_TRUE(std::ranges::equal(one.ablation, many.ablation, equal));
    EXPECT_EQ(one.sets, many.sets);
    for (std::size_t a = 0; a < 2; ++a) {
      EXPECT_EQ(one.simultaneous[a].evaluation.coverage, many.simultaneous[a].evaluation.coverage);
      EXPECT_EQ(one.simultaneous[a].covered_separately, many.simultaneous[a].covered_separately);
    }
  }
}

TEST(EvaluateLandmarks, GivesTheMeanShareOfTheImage) {
  const Case c = large_case();
  const LandmarkEvaluation evaluation = evaluate(c);
  for (std::size_t a = 0; a < 2; ++a) {
    double mean = 0;
    for (std::size_t t = 0; t < 9; ++t) {
      double sum = 0;
      double count = 0;
      for (std::size_t x = 0; x < 25; ++x) {
        if (c.problem.labels(x, t) == caos::missing_label) continue;
        sum += static_cast<double>(evaluation.sets[a][x][t].size()) /
               static_cast<double>(c.problem.images[x].rows());
        ++count;
      }
      mean += sum / count / 9;
    }
    const auto found = std::ranges::find_if(evaluation.methods, [&](const auto& result) {
      return result.method == Method::full_caos && result.alpha == c.options.alphas[a];
    });
    EXPECT_NEAR(found->mean_region_share.value(), mean, 1e-12);
  }
  caos::TestPatches test = c.problem.test();
  test.num_patches.clear();
  EXPECT_FALSE(evaluate_landmarks(c.problem.labeled, test, c.options)
                   .methods[0]
                   .mean_region_share.has_value());
}

TEST(EvaluateLandmarks, AveragesSharesOfTheImageOverSubjects) {
  Case c{.problem = patches::make(9, {.labeled = 12, .test = 9, .missing = 0, .subjects = 3}),
         .options = {.methods = {Method::caos},
                     .alphas = {problem::alpha(30)},
                     .k = 1,
                     .keep_sets = Method::caos}};
  const LandmarkEvaluation evaluation = evaluate(c);
  double mean = 0;
  for (std::size_t t = 0; t < 3; ++t) {
    std::map<std::size_t, std::vector<double>> of_subject;
    for (std::size_t x = 0; x < 9; ++x) {
      of_subject[c.problem.subjects[x]].push_back(
          static_cast<double>(evaluation.sets[0][x][t].size()) /
          static_cast<double>(c.problem.images[x].rows()));
    }
    for (const auto& [subject, shares] : of_subject) {
      for (const double share : shares) {
        mean += share / static_cast<double>(shares.size() * of_subject.size()) / 3;
      }
    }
  }
  ASSERT_TRUE(evaluation.over_subjects);
  EXPECT_NEAR(evaluation.methods[0].mean_region_share.value(), mean, 1e-12);
}

TEST(EvaluateLandmarks, ReportsProgressUpToTheEnd) {
  Case c = large_case();
  std::size_t last = 0;
  c.options.progress = [&](std::size_t done, std::size_t total) {
    EXPECT_GT(done, last);
    EXPECT_EQ(total, 25U);
    last = done;
  };
  static_cast<void>(evaluate(c));
  EXPECT_EQ(last, 25U);
}

TEST(EvaluateLandmarks, DescribesEveryLandmark) {
  const Case c = large_case();
  const LandmarkEvaluation evaluation = evaluate(c);
  for (const LandmarkMethodResult& result : evaluation.methods) {
    for (std::size_t t = 0; t < 9; ++t) {
      const TaskOracle task(c.problem.labeled, t, c.options.score);
      const bool all = result.method == Method::caos || result.method == Method::full_caos ||
                       result.method == Method::split_caos_ref;
      const std::size_t n = all ? task.n() : task.among(c.options.partition.calibration).size();
      EXPECT_EQ(result.landmarks[t].n, n);
      EXPECT_EQ(result.landmarks[t].rank, caos::conformal_rank(n, result.alpha));
      EXPECT_EQ(result.landmarks[t].feasible, caos::is_feasible(n, result.alpha));
    }
    EXPECT_EQ(result.guarantee.text(), caos::guarantee_of(result.method).text());
  }
}

TEST(EvaluateLandmarks, GivesNoExactIntervalToAveragesOverReferences) {
  for (const LandmarkMethodResult& result : evaluate(large_case()).methods) {
    for (const caos::LandmarkResult& landmark : result.landmarks) {
      ASSERT_TRUE(landmark.evaluation.has_value());
      EXPECT_EQ(landmark.evaluation->interval_kind == caos::IntervalKind::clopper_pearson,
                result.method != Method::scos);
    }
  }
}

TEST(EvaluateLandmarks, SaysThatAClippedRankLosesTheGuarantee) {
  Case c = large_case();
  c.options.alphas = {problem::alpha(1)};
  c.options.rule = caos::RankRule::clip;
  const LandmarkEvaluation evaluation = evaluate(c);
  for (const LandmarkMethodResult& result : evaluation.methods) {
    EXPECT_EQ(result.guarantee.kind, caos::Guarantee::Kind::none);
  }
  EXPECT_EQ(evaluation.simultaneous[0].guarantee.kind, caos::Guarantee::Kind::none);
}

TEST(EvaluateLandmarks, CountsASubjectWithTheShareOfItsImagesThatHaveTheLandmark) {
  // Subjects 0 and 1 have two images each; the landmark is in one of them: together they weigh as
  // much as the new image, and alpha = 0.5 is the smallest that is feasible.
  Case c = large_case();
  c.problem = patches::make(3, {.labeled = 4, .test = 5, .tasks = 1, .missing = 0});
  c.problem.labeled.subjects = {0, 0, 1, 1};
  c.problem.labeled.labels(1, 0) = caos::missing_label;
  c.problem.labeled.labels(2, 0) = caos::missing_label;
  c.options = {.methods = whole_methods,
               .alphas = {problem::alpha(49), problem::alpha(50)},
               .k = 1,
               .simultaneous = true};
  const LandmarkEvaluation evaluation = evaluate(c);
  EXPECT_EQ(evaluation.target, caos::ImageTarget::subject);
  for (const LandmarkMethodResult& result : evaluation.methods) {
    const bool feasible = result.alpha == problem::alpha(50);
    EXPECT_EQ(result.landmarks[0].n, 2U);
    EXPECT_EQ(result.landmarks[0].num_subjects, 2U);
    EXPECT_EQ(result.landmarks[0].rank, 0U);
    EXPECT_EQ(result.landmarks[0].feasible, feasible);
    EXPECT_EQ(result.landmarks[0].smallest_feasible_alpha, 0.5);
    for (std::size_t x = 0; x < 5 && !feasible; ++x) {
      EXPECT_EQ(result.outcomes[0][x].size, static_cast<double>(c.problem.images[x].rows()));
    }
  }
  EXPECT_FALSE(evaluation.simultaneous[0].feasible);
  EXPECT_TRUE(evaluation.simultaneous[1].feasible);
  EXPECT_EQ(evaluation.simultaneous[0].evaluation.coverage, 1);
}

TEST(EvaluateLandmarks, AveragesTestImagesAsTheTargetSays) {
  Case c = large_case();
  c.options.methods = {Method::caos};
  c.options.keep_sets = Method::caos;
  c.options.alphas = {problem::alpha(30)};
  c.problem.subjects.assign(25, 0);
  c.problem.subjects[0] = 1;
  const auto coverage = [&](caos::ImageTarget target) {
    c.options.target = target;
    const LandmarkEvaluation evaluation = evaluate(c);
    EXPECT_EQ(evaluation.target, target);
    EXPECT_EQ(evaluation.over_subjects, target == caos::ImageTarget::subject);
    const auto& outcomes = evaluation.methods[0].outcomes[0];
    double first = 0;
    double others = 0;
    double count = 0;
    for (std::size_t x = 0, p = 0; x < 25; ++x) {
      if (c.problem.labels(x, 0) == caos::missing_label) continue;
      (x == 0 ? first : others) += outcomes[p++].covered;
      count += x == 0 ? 0 : 1;
    }
    const double present = c.problem.labels(0, 0) == caos::missing_label ? 0 : 1;
    const double expected = target == caos::ImageTarget::subject
                                ? (first + others / 24) / (present + count / 24)
                                : (first + others) / (present + count);
    EXPECT_NEAR(evaluation.methods[0].landmarks[0].evaluation->coverage, expected, 1e-12);
  };
  coverage(caos::ImageTarget::subject);
  coverage(caos::ImageTarget::image);
}

TEST(EvaluateLandmarks, RefusesWhatDoesNotFitTogether) {
  const auto refuses = [](const std::string& text, auto spoil) {
    Case c = large_case();
    spoil(c);
    caos::test::expect_error([&] { static_cast<void>(evaluate(c)); },
                             caos::ErrorKind::invalid_input, {text});
  };
  refuses("at least one method", [](Case& c) { c.options.methods.clear(); });
  refuses("at least one method", [](Case& c) { c.options.alphas.clear(); });
  refuses("k = 0", [](Case& c) { c.options.k = 0; });
  refuses("k = 0", [](Case& c) { c.options.ablation_ks = {3, 0}; });
  refuses("k = 40 needs 40 labeled images", [](Case& c) { c.options.k = 40; });
  refuses("k = 30 needs 30 labeled images", [](Case& c) { c.options.ablation_ks = {1, 30}; });
  refuses("do not fit together", [](Case& c) { c.problem.labeled.tasks.pop_back(); });
  refuses("image 3 has embeddings of another dimension",
          [](Case& c) { c.problem.labeled.images[3] = Matrix<float>(4, 2, 1.0F); });
  refuses("landmark landmark 2 of image 4 is in patch 99",
          [](Case& c) { c.problem.labeled.labels(4, 2) = 99; });
  refuses("different landmarks", [](Case& c) { c.problem.labels = Matrix<std::int64_t>(25, 8); });
  refuses("landmark landmark 0 of test image 5 is in patch 70",
          [](Case& c) { c.problem.labels(5, 0) = 70; });
  refuses("of test image 5 is in patch -2", [](Case& c) { c.problem.labels(5, 0) = -2; });
  refuses("test image 6 has embeddings of 2 numbers; the labeled images have 3",
          [](Case& c) { c.problem.images[6] = Matrix<float>(9, 2, 1.0F); });
  refuses("caos and full-caos only", [](Case& c) { c.problem.labeled.subjects.assign(30, 0); });
  refuses("with the target image there are caos and full-caos only",
          [](Case& c) { c.options.target = caos::ImageTarget::image; });
  refuses("one subject per test image", [](Case& c) { c.problem.subjects = {1, 2}; });
  refuses("k = 5 needs 5 labeled images of other subjects", [](Case& c) {
    c.options.methods = {Method::caos};
    c.problem.labeled.subjects.assign(30, 0);
  });
  refuses("the sets of scos cannot be kept", [](Case& c) { c.options.keep_sets = Method::scos; });
  refuses("the sets of full-caos cannot be kept", [](Case& c) {
    c.options.methods = {Method::caos};
    c.options.keep_sets = Method::full_caos;
  });
  refuses("has no reference or no calibration image in this split",
          [](Case& c) { c.options.partition = {}; });
  refuses("all labeled examples, once each",
          [](Case& c) { c.options.partition.calibration.pop_back(); });
}

}  // namespace
