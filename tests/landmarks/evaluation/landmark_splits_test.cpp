#include "caos/landmarks/evaluation/landmark_splits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/expect_error.hpp"

namespace caos {
namespace {

using testing::ElementsAre;

/// Images of these subjects; of all different ones, if empty.
LabeledPatches images_of(std::size_t count, std::vector<std::size_t> subjects = {}) {
  LabeledPatches images;
  images.images.resize(count, Matrix<float>(1, 1, 1.0F));
  images.labels = Matrix<std::int64_t>(count, 1);
  images.tasks = {"nose"};
  images.subjects = std::move(subjects);
  return images;
}

TEST(LandmarkSplit, CountsItsSidesAmongTheLabeled) {
  const LandmarkSplit split{.references = {2, 9}, .calibration = {0, 5, 11}, .test = {1}};
  EXPECT_THAT(split.labeled(), ElementsAre(0, 2, 5, 9, 11));
  EXPECT_THAT(split.partition().references, ElementsAre(1, 3));
  EXPECT_THAT(split.partition().calibration, ElementsAre(0, 2, 4));
}

TEST(DefaultSplitSizes, ArePaperSizedOrHalves) {
  EXPECT_EQ(default_split_sizes(1000).labeled, 100U);
  EXPECT_EQ(default_split_sizes(1000).test, 100U);
  EXPECT_EQ(default_split_sizes(142).labeled, 71U);
  EXPECT_EQ(default_split_sizes(7).labeled, 3U);
  EXPECT_EQ(default_split_sizes(7).test, 4U);
}

TEST(DrawLandmarkSplit, RefusesSizesThatThereAreNot) {
  const LabeledPatches images = images_of(6);
  test::expect_error(
      [&] {
        (void)draw_landmark_split(images, {4, 3}, 0);
      },
      ErrorKind::invalid_input, {"the 6"});
  test::expect_error(
      [&] {
        (void)draw_landmark_split(images, {1, 3}, 0);
      },
      ErrorKind::invalid_input, {"two"});
  test::expect_error(
      [&] {
        (void)draw_landmark_split(images, {6, 0}, 0);
      },
      ErrorKind::invalid_input, {"one test"});
}

RC_GTEST_PROP(DrawLandmarkSplit, HasTheSizesAskedForAndNoImageTwice, (std::uint64_t seed)) {
  const auto num_labeled = *rc::gen::inRange<std::size_t>(2, 20);
  const auto num_test = *rc::gen::inRange<std::size_t>(1, 20);
  const LabeledPatches images = images_of(num_labeled + num_test + 3);
  const LandmarkSplit split = draw_landmark_split(images, {num_labeled, num_test}, seed);
  RC_ASSERT(split.references.size() == num_labeled / 2);
  RC_ASSERT(split.labeled().size() == num_labeled);
  RC_ASSERT(split.test.size() == num_test);
  std::set<std::size_t> all(split.test.begin(), split.test.end());
  for (const std::size_t i : split.labeled()) all.insert(i);
  RC_ASSERT(all.size() == num_labeled + num_test);
  RC_ASSERT(*all.rbegin() < images.size());
  split::check_partition(split.partition(), num_labeled);
}

RC_GTEST_PROP(DrawLandmarkSplit, KeepsSubjectsOnOneSideAndTestsOneImageOfEach,
              (std::uint64_t seed)) {
  std::vector<std::size_t> subjects;
  for (std::size_t i = 0; i < 24; ++i) subjects.push_back(i % 7);
  const LabeledPatches images = images_of(subjects.size(), subjects);
  const LandmarkSplit split = draw_landmark_split(images, {4, 3}, seed);
  std::set<std::size_t> labeled;
  for (const std::size_t i : split.labeled()) labeled.insert(subjects[i]);
  std::set<std::size_t> tested;
  for (const std::size_t i : split.test) tested.insert(subjects[i]);
  RC_ASSERT(num_subjects(images) == 7U);
  RC_ASSERT(labeled.size() == 4U);
  RC_ASSERT(split.test.size() == 3U && tested.size() == 3U);
  RC_ASSERT(std::ranges::none_of(tested, [&](auto s) { return labeled.contains(s); }));
  const auto of_labeled =
      std::ranges::count_if(subjects, [&](auto s) { return labeled.contains(s); });
  RC_ASSERT(split.labeled().size() == static_cast<std::size_t>(of_labeled));
}

}  // namespace
}  // namespace caos
