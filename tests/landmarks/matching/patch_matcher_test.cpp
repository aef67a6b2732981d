#include "caos/landmarks/matching/patch_matcher.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/numerics/minsum.hpp"
#include "tests/landmarks/patch_oracle.hpp"
#include "tests/landmarks/patch_problem.hpp"

namespace {

using caos::Indices;
using caos::LabeledPatches;
using caos::Matrix;
using caos::PatchScore;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The last is decided by all scores of an image.
const std::vector<PatchScore> all_scores = {{},
                                            {PatchScore::Kind::margin, 3.0},
                                            {PatchScore::Kind::softmax, 0.05},
                                            {PatchScore::Kind::softmax, 0.2}};

using Make = std::shared_ptr<const caos::PatchMatcher> (*)(const LabeledPatches&,
                                                           const caos::ReferencePatches&,
                                                           const PatchScore&);

std::shared_ptr<const caos::PatchMatcher> that_suits(const LabeledPatches& labeled,
                                                     const caos::ReferencePatches& references,
                                                     const PatchScore& score) {
  return make_matcher(labeled, references, score);
}

std::vector<caos::OwnScores> own_scores_of(const LabeledPatches& labeled, const PatchScore& score,
                                           std::size_t threads = 1,
                                           Make make = caos::exact_matcher) {
  const caos::ReferencePatches references = reference_patches(labeled);
  const auto own = make(labeled, references, score)->own_scores(threads);
  std::vector<caos::OwnScores> tables;
  for (std::size_t t = 0; t < labeled.num_tasks(); ++t) tables.push_back(own->table(t));
  return tables;
}

RC_GTEST_PROP(OwnScores, AreThoseOfEachLandmarkUnderTheOtherSubjects, ()) {
  const bool with_subjects = *rc::gen::arbitrary<bool>();
  const patches::Problem problem = patches::arbitrary(1, with_subjects);
  const PatchScore score = all_scores[*rc::gen::inRange<std::size_t>(0, 4)];
  const Make make = *rc::gen::element<Make>(caos::exact_matcher, that_suits);
  const auto own =
      own_scores_of(problem.labeled, score, *rc::gen::element<std::size_t>(1, 3), make);
  for (std::size_t t = 0; t < own.size(); ++t) {
    const patches::TaskOracle expected(problem.labeled, t, score);
    RC_ASSERT(own[t].size() == expected.n());
    for (std::size_t i = 0; i < own[t].size(); ++i) {
      RC_ASSERT(std::ranges::equal(own[t].row(i), expected.own()[i]));
    }
  }
}

TEST(OwnScores, DoNotSeeOtherImagesOfTheSameSubject) {
  patches::Problem problem = patches::make(11, {.labeled = 8, .tasks = 2, .missing = 0});
  problem.labeled.subjects = {4, 9, 4, 4, 2, 9, 2, 4};
  for (const PatchScore& score : all_scores) {
    const auto before = own_scores_of(problem.labeled, score);
    LabeledPatches changed = problem.labeled;
    // Image 2 becomes another one; images 0, 3 and 7 are of the same subject.
    for (std::size_t r = 0; r < changed.images[2].rows(); ++r) {
      std::ranges::fill(changed.images[2].row(r), 0.0F);
      changed.images[2](r, 0) = 1;
    }
    const auto after = own_scores_of(changed, score);
    for (std::size_t t = 0; t < 2; ++t) {
      for (const std::size_t i : {0U, 3U, 7U}) {
        EXPECT_TRUE(std::ranges::equal(before[t].row(i), after[t].row(i)));
        for (const std::size_t j : {0U, 2U, 3U, 7U}) EXPECT_EQ(before[t](i, j), infinity);
      }
      EXPECT_LT(before[t](1, 2), infinity);
    }
  }
}

RC_GTEST_PROP(ReversePatchScores, AreThoseOfLabeledImagesUnderTheNewPatches, ()) {
  const patches::Problem problem = patches::arbitrary(1, false);
  const PatchScore score = all_scores[*rc::gen::inRange<std::size_t>(0, 4)];
  const Matrix<float>& image = problem.images[0];
  std::vector<caos::Label> candidates;
  for (caos::Label y = 0; y < image.rows(); ++y) {
    if (*rc::gen::arbitrary<bool>()) candidates.push_back(y);
  }
  const caos::ReversePatchScores reverse(problem.labeled, image.view(), candidates, score);
  const caos::ReferencePatches references = reference_patches(problem.labeled);
  for (std::size_t t = 0; t < references.tasks.size(); ++t) {
    const patches::Table expected = patches::TaskOracle(problem.labeled, t, score).reverse(image);
    // Every second image that has the landmark.
    Indices calibrating;
    for (std::size_t p = 0; p < references.tasks[t].images.size(); p += 2) calibrating.push_back(p);
    const Matrix<double> found = reverse.of_task(t, references.tasks[t], calibrating);
    RC_ASSERT(found.rows() == image.rows());
    RC_ASSERT(found.cols() == calibrating.size());
    for (caos::Label y = 0; y < image.rows(); ++y) {
      const bool is_candidate = std::ranges::binary_search(candidates, y);
      for (std::size_t c = 0; c < calibrating.size(); ++c) {
        RC_ASSERT(found(y, c) == (is_candidate ? expected[y][calibrating[c]] : infinity));
      }
    }
  }
}

void expect_same_smallest(const LabeledPatches& labeled, const PatchScore& score, std::size_t k,
                          std::size_t threads) {
  SCOPED_TRACE(testing::Message() << patch_score_text(score) << ", k = " << k);
  const caos::ReferencePatches references = reference_patches(labeled);
  const Indices calibrating = all_images(labeled);
  const auto own = exact_matcher(labeled, references, score)->own_scores(1);
  const auto matcher = make_matcher(labeled, references, score, threads);
  const auto by_matcher = matcher->own_scores(threads);
  const auto found = by_matcher->nearest(calibrating, k);
  const auto exact = own->nearest(calibrating, k);
  for (std::size_t t = 0; t < labeled.num_tasks(); ++t) {
    const Indices rows = positions_in(references.tasks[t], calibrating);
    ASSERT_EQ(found[t].rows(), rows.size());
    ASSERT_EQ(exact[t].rows(), rows.size());
    const caos::OwnScores table = by_matcher->table(t);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto expected = caos::smallest(own->table(t).row(rows[i]), k);
      EXPECT_TRUE(std::ranges::equal(found[t].row(i), expected));
      EXPECT_TRUE(std::ranges::equal(exact[t].row(i), expected));
      EXPECT_TRUE(std::ranges::equal(table.row(i), own->table(t).row(i)));
    }
  }
}

TEST(OwnScores, HaveTheSameSmallestByEveryMatcherWhateverTheSubjects) {
  for (const std::size_t subjects : {0U, 9U}) {
    const patches::Problem problem = patches::make(
        4,
        {.labeled = 90, .test = 1, .tasks = 5, .dimension = 4, .missing = 5, .subjects = subjects});
    for (const std::size_t k : {1U, 2U, 7U, 20U}) {
      for (const std::size_t threads : {1U, 3U}) {
        for (const PatchScore& score : all_scores) {
          expect_same_smallest(problem.labeled, score, k, threads);
        }
      }
    }
  }
}

TEST(OwnScores, HaveTheSameSmallestAmongSomeImages) {
  const patches::Problem problem =
      patches::make(8, {.labeled = 30, .test = 1, .tasks = 3, .dimension = 3, .missing = 4});
  const caos::ReferencePatches references = reference_patches(problem.labeled);
  const Indices calibrating = {1, 2, 5, 11, 17, 28, 29};
  for (const PatchScore& score : all_scores) {
    SCOPED_TRACE(patch_score_text(score));
    const auto exact = exact_matcher(problem.labeled, references, score)->own_scores(1);
    const auto own = make_matcher(problem.labeled, references, score)->own_scores(2);
    const auto expected = exact->nearest(calibrating, 4);
    const auto found = own->nearest(calibrating, 4);
    for (std::size_t t = 0; t < references.tasks.size(); ++t) {
      ASSERT_EQ(found[t].rows(), expected[t].rows());
      for (std::size_t i = 0; i < found[t].rows(); ++i) {
        EXPECT_TRUE(std::ranges::equal(found[t].row(i), expected[t].row(i)));
      }
    }
  }
}

}  // namespace
