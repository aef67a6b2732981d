#include "caos/landmarks/patch_tasks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "caos/error.hpp"
#include "tests/landmarks/patch_oracle.hpp"
#include "tests/landmarks/patch_problem.hpp"

namespace {

using caos::Indices;
using caos::LabeledPatches;
using caos::Matrix;
using caos::PatchScore;
using caos::PatchScorer;
using testing::ElementsAre;

constexpr double infinity = std::numeric_limits<double>::infinity();

const std::vector<PatchScore> all_scores = {
    {}, {PatchScore::Kind::margin, 3.0}, {PatchScore::Kind::softmax, 0.2}};

std::vector<caos::OwnScores> own_scores_of(const LabeledPatches& labeled, const PatchScore& score,
                                           std::size_t threads = 1) {
  const caos::ReferencePatches references = reference_patches(labeled);
  return own_scores(labeled, references.tasks, PatchScorer(references.patches, score), threads);
}

RC_GTEST_PROP(OwnScores, AreThoseOfEachLandmarkUnderTheOtherSubjects, ()) {
  const bool with_subjects = *rc::gen::arbitrary<bool>();
  const patches::Problem problem = patches::arbitrary(1, with_subjects);
  const PatchScore score = all_scores[*rc::gen::inRange<std::size_t>(0, 3)];
  const auto own = own_scores_of(problem.labeled, score, *rc::gen::element<std::size_t>(1, 3));
  for (std::size_t t = 0; t < own.size(); ++t) {
    const patches::TaskOracle expected(problem.labeled, t, score);
    RC_ASSERT(own[t].size() == expected.n());
    for (std::size_t i = 0; i < own[t].size(); ++i) {
      RC_ASSERT(std::ranges::equal(own[t].row(i), expected.own()[i]));
    }
  }
}

/// Eight images of three subjects, every landmark in each.
patches::Problem of_subjects() {
  patches::Problem problem = patches::make(11, {.labeled = 8, .tasks = 2, .missing = 0});
  problem.labeled.subjects = {4, 9, 4, 4, 2, 9, 2, 4};
  return problem;
}

TEST(OwnScores, DoNotSeeOtherImagesOfTheSameSubject) {
  const patches::Problem problem = of_subjects();
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

TEST(WeightsBySubject, ArePlainWhereEverySubjectDiffers) {
  patches::Problem problem = of_subjects();
  problem.labeled.subjects.clear();
  EXPECT_THAT(all_images(problem.labeled), ElementsAre(0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U));
  EXPECT_TRUE(weights_by_subject(problem.labeled, all_images(problem.labeled)).is_plain());
}

TEST(WeightsBySubject, CountEverySubjectOnce) {
  patches::Problem problem = of_subjects();
  const Indices all = all_images(problem.labeled);
  const caos::ExampleWeights weights = weights_by_subject(problem.labeled, all);
  std::map<std::size_t, std::uint64_t> of_subject;
  for (std::size_t i = 0; i < 8; ++i) of_subject[problem.labeled.subjects[i]] += weights.of(i);
  for (const auto& [subject, weight] : of_subject) EXPECT_EQ(weight, weights.new_example);

  // Images without the landmark take their share with them.
  problem.labeled.labels(2, 0) = caos::missing_label;
  const caos::PatchTask task = reference_columns(problem.labeled)[0];
  const caos::ExampleWeights present = weights_of_task(weights, all, task);
  ASSERT_EQ(present.examples.size(), task.images.size());
  EXPECT_EQ(present.new_example, weights.new_example);
  for (std::size_t p = 0; p < task.images.size(); ++p) {
    EXPECT_EQ(present.of(p), weights.of(task.images[p]));
  }
}

TEST(LargestK, CountsReferencesOfOtherSubjects) {
  patches::Problem problem = of_subjects();
  const auto largest = [&] {
    return largest_k(problem.labeled, reference_patches(problem.labeled).tasks[0]);
  };
  EXPECT_EQ(largest(), 4U);  // subject 4 has four of eight
  problem.labeled.labels(1, 0) = caos::missing_label;
  EXPECT_EQ(largest(), 3U);
  problem.labeled.subjects.clear();
  EXPECT_EQ(largest(), 6U);
  for (std::size_t i = 0; i < 8; ++i) problem.labeled.labels(i, 0) = caos::missing_label;
  EXPECT_EQ(largest(), 0U);
  EXPECT_THAT(usable_tasks(problem.labeled, 1), ElementsAre(1U));
  EXPECT_THAT(usable_tasks(problem.labeled, 7), ElementsAre(1U));
  EXPECT_TRUE(usable_tasks(problem.labeled, 8).empty());
}

TEST(PositionsIn, AreThoseOfTheTaskThatWereChosen) {
  const caos::PatchTask task{.name = "a", .images = {1, 4, 5, 9}, .columns = {}};
  EXPECT_THAT(positions_in(task, {0, 1, 5, 7}), ElementsAre(0U, 2U));
  EXPECT_TRUE(positions_in(task, {}).empty());
}

RC_GTEST_PROP(ReversePatchScores, AreThoseOfLabeledImagesUnderTheNewPatches, ()) {
  const patches::Problem problem = patches::arbitrary(1, false);
  const PatchScore score = all_scores[*rc::gen::inRange<std::size_t>(0, 3)];
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

TEST(DropUnusable, LeavesOutLandmarksThatTooFewImagesHave) {
  patches::Problem problem = patches::make(3, {.labeled = 6, .tasks = 3, .missing = 0});
  for (std::size_t i = 0; i < 3; ++i) problem.labeled.labels(i, 1) = caos::missing_label;
  EXPECT_THAT(caos::drop_unusable(problem.labeled, problem.labels, 2), ElementsAre());
  EXPECT_THAT(caos::drop_unusable(problem.labeled, problem.labels, 3), ElementsAre("landmark 1"));
  EXPECT_THAT(problem.labeled.tasks, ElementsAre("landmark 0", "landmark 2"));
  EXPECT_EQ(problem.labels.cols(), 2U);
  EXPECT_THROW((void)caos::drop_unusable(problem.labeled, problem.labels, 6), caos::Error);
}

TEST(LeftOutWarning, NamesThemAndWhatTheyLack) {
  EXPECT_FALSE(caos::left_out_warning({}, 3));
  EXPECT_EQ(caos::left_out_warning({"nose", "chin"}, 3),
            "left out, as fewer than 4 images of different subjects have them: nose, chin");
}

}  // namespace
