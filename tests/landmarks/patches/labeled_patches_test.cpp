#include "caos/landmarks/patches/labeled_patches.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "tests/landmarks/patch_problem.hpp"
#include "tests/support/expect_error.hpp"

namespace {

using caos::LabeledPatches;
using caos::missing_label;
using testing::ElementsAre;

LabeledPatches example() {
  return patches::make(2, {.labeled = 5, .tasks = 3, .missing = 0}).labeled;
}

RC_GTEST_PROP(ReferencePatches, GiveEveryLandmarkItsPatchAndEachPatchOnce, ()) {
  const LabeledPatches labeled = patches::arbitrary(1, false).labeled;
  const caos::ReferencePatches references = reference_patches(labeled);
  std::set<std::pair<std::size_t, std::int64_t>> distinct;
  RC_ASSERT(references.tasks.size() == labeled.num_tasks());
  for (std::size_t t = 0; t < labeled.num_tasks(); ++t) {
    const caos::PatchTask& task = references.tasks[t];
    RC_ASSERT(task.name == labeled.tasks[t]);
    std::size_t position = 0;
    for (std::size_t i = 0; i < labeled.size(); ++i) {
      const std::int64_t label = labeled.labels(i, t);
      if (label == missing_label) continue;
      distinct.emplace(i, label);
      RC_ASSERT(task.images.at(position) == i);
      const auto row = references.patches.row(task.columns.at(position++));
      RC_ASSERT(std::ranges::equal(row, labeled.images[i].row(static_cast<caos::Label>(label))));
    }
    RC_ASSERT(task.images.size() == position && task.columns.size() == position);
  }
  RC_ASSERT(references.patches.rows() == distinct.size());
}

TEST(LabeledPatches, WithSomeTasksKeepTheirImages) {
  const LabeledPatches all = example();
  const LabeledPatches some = with_tasks(all, {2, 0});
  EXPECT_THAT(some.tasks, ElementsAre("landmark 2", "landmark 0"));
  EXPECT_EQ(some.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_THAT(some.labels.row(i), ElementsAre(all.labels(i, 2), all.labels(i, 0)));
  }
}

TEST(LabeledPatches, AreOfTheSameSubjectByNumberOrByImage) {
  LabeledPatches labeled = example();
  EXPECT_TRUE(labeled.same_subject(2, 2));
  EXPECT_FALSE(labeled.same_subject(2, 3));
  labeled.subjects = {7, 1, 1, 7, 3};
  EXPECT_TRUE(labeled.same_subject(0, 3));
  EXPECT_FALSE(labeled.same_subject(0, 1));
}

TEST(LabeledPatches, AreCheckedForWhatDoesNotFit) {
  const auto refuses = [](const std::string& text, auto spoil) {
    LabeledPatches labeled = example();
    spoil(labeled);
    caos::test::expect_error([&] { check(labeled); }, caos::ErrorKind::invalid_input, {text});
  };
  refuses("do not fit", [](LabeledPatches& l) { l.images.pop_back(); });
  refuses("do not fit", [](LabeledPatches& l) { l.tasks.emplace_back("one more"); });
  refuses("do not fit", [](LabeledPatches& l) { l.subjects = {1, 2}; });
  refuses("image 4 has embeddings of another dimension",
          [](LabeledPatches& l) { l.images[4] = caos::Matrix<float>(3, 9); });
  refuses("landmark landmark 1 of image 2 is in patch -3",
          [](LabeledPatches& l) { l.labels(2, 1) = -3; });
  refuses("(-1 means missing)", [](LabeledPatches& l) {
    l.labels(2, 1) = static_cast<std::int64_t>(l.images[2].rows());
  });
  LabeledPatches labeled = example();
  labeled.labels(0, 0) = missing_label;
  labeled.subjects = {0, 0, 1, 1, 2};
  EXPECT_NO_THROW(check(labeled));
}

TEST(PatchLabels, AreCheckedForEachImageByItself) {
  caos::Matrix<std::int64_t> labels(2, 2);
  labels(1, 1) = 6;
  labels(0, 1) = missing_label;
  const std::vector<std::size_t> sizes = {3, 7};
  EXPECT_NO_THROW(check_patch_labels(labels, sizes, "y", "x"));
  const auto refuses = [&](caos::ErrorKind kind, const std::string& text) {
    caos::test::expect_error([&] { check_patch_labels(labels, sizes, "y", "x"); }, kind, {text});
  };
  labels(0, 1) = 3;
  refuses(caos::ErrorKind::bad_format, "y: element [0, 1] is 3; patches are 0 to 2, and -1 is");
  labels(0, 1) = -2;
  refuses(caos::ErrorKind::bad_format, "y: element [0, 1] is -2");
  labels = caos::Matrix<std::int64_t>(3, 1);
  refuses(caos::ErrorKind::invalid_input, "y: has labels for 3 images; x is of 2");
}

TEST(Subjects, AreNumberedAsTheyAppear) {
  using Names = std::vector<std::optional<std::string>>;
  EXPECT_THAT(caos::number_subjects(Names{"b", std::nullopt, "a", "b"}), ElementsAre(0, 1, 2, 0));
  EXPECT_TRUE(caos::number_subjects(Names{"b", std::nullopt, "a", std::nullopt}).empty());
}

}  // namespace
