#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "apps/studio/store/sampling/random_order.hpp"
#include "tests/studio/store/store_fixture.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

using caos::test::expect_error;
using test::StoreFixture;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

std::vector<ImageRecord> records(const std::vector<std::string>& subjects) {
  std::vector<ImageRecord> images;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    images.push_back({.id = static_cast<Id>(i)});
    if (!subjects[i].empty()) images.back().subject = subjects[i];
  }
  return images;
}

/// Pearson's statistic of counts against equal probabilities.
template <typename Key>
double chi_square(const std::map<Key, int>& counts, std::size_t num_cells, int total) {
  const double expected = static_cast<double>(total) / static_cast<double>(num_cells);
  double sum = static_cast<double>(num_cells - counts.size()) * expected;
  for (const auto& [key, count] : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST(StoreSample, EveryOrderOfImagesIsEquallyLikely) {
  std::map<std::vector<Id>, int> counts;
  constexpr int total = 24'000;
  for (std::uint64_t seed = 0; seed < total; ++seed) {
    const RandomOrder order = random_order(records({"", "", "", ""}), seed);
    EXPECT_EQ(order.num_subjects, 4U);
    ++counts[order.images];
  }
  // 23 degrees of freedom: exceeded with probability 1e-6.
  EXPECT_LT(chi_square(counts, 24, total), 70.5);
}

TEST(StoreSample, SubjectsComeFirstWithOneRandomImageEach) {
  const auto images = records({"a", "a", "b", "", "a"});
  std::map<std::vector<Id>, int> counts;
  constexpr int total = 18'000;
  for (std::uint64_t seed = 0; seed < total; ++seed) {
    const RandomOrder order = random_order(images, seed);
    ASSERT_EQ(order.num_subjects, 3U);
    ASSERT_EQ(order.images.size(), 5U);
    EXPECT_EQ(std::set<Id>(order.images.begin(), order.images.end()).size(), 5U);
    const std::vector<Id> first(order.images.begin(), order.images.begin() + 3);
    EXPECT_THAT(first, testing::Contains(2));
    EXPECT_THAT(first, testing::Contains(3));
    ++counts[first];
  }
  // Three images of a, in 6 orders of subjects: 17 degrees of freedom, 1e-6.
  EXPECT_LT(chi_square(counts, 18, total), 60.0);
}

TEST(StoreSample, TheSameSeedGivesTheSameOrderOnEveryMachine) {
  EXPECT_THAT(random_order(records({"", "", "", "", ""}), 7).images, ElementsAre(4, 1, 3, 0, 2));
  EXPECT_THAT(random_order(records({"a", "b", "a", "", "a"}), 8).images,
              ElementsAre(4, 3, 1, 2, 0));
}

TEST(StoreSample, ThePoolIsPutInOrderAndTheFirstAreTaken) {
  StoreFixture store;
  store.add_images(5);
  const Project project = store->draw_sample(store.project, 2, 99);
  EXPECT_EQ(project.sampling.kind, Sampling::Kind::random);
  EXPECT_EQ(project.sampling.size, 2U);
  EXPECT_EQ(project.sampling.seed, 99U);
  EXPECT_THAT(project.sampling.drawn_at, testing::SizeIs(24));
  std::vector<std::size_t> places;
  int drawn = 0;
  for (const ImageRecord& image : store->images(store.project)) {
    places.push_back(image.order.value());
    drawn += image.in_sample(project.sampling) ? 1 : 0;
  }
  EXPECT_THAT(places, UnorderedElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(drawn, 2);
}

TEST(StoreSample, ImagesThatComeLaterAreNotInThePool) {
  StoreFixture store;
  store.add_images(2);
  const Project project = store->draw_sample(store.project, 2, 1);
  const ImageRecord late = store->add_image(store.project, {.name = "late.png"}, test::png(200));
  EXPECT_FALSE(late.order);
  EXPECT_FALSE(late.in_sample(project.sampling));
  expect_error([&] { store->draw_sample(store.project, 3, 1); }, ErrorKind::invalid_input,
               {"at most 2"});
}

TEST(StoreSample, DrawnAgainOnlyItsSizeChanges) {
  StoreFixture store;
  store.add_images(6);
  const Project before = store->draw_sample(store.project, 2, 1);
  const auto images = store->images(store.project);
  const Project after = store->draw_sample(store.project, 4, 12345);
  EXPECT_EQ(after.sampling.size, 4U);
  EXPECT_EQ(after.sampling.seed, before.sampling.seed);
  EXPECT_EQ(after.sampling.drawn_at, before.sampling.drawn_at);
  EXPECT_EQ(store->images(store.project), images);
}

TEST(StoreSample, NeverShrinksBelowAnImageThatHasPoints) {
  StoreFixture store;
  store.add_images(6);
  store->draw_sample(store.project, 4, 1);
  const auto images = store->images(store.project);
  const auto third = std::ranges::find(images, std::optional<std::size_t>(2), &ImageRecord::order);
  store->apply(store.project, store.placing(third->id, 0, 1, 1));
  EXPECT_EQ(store->draw_sample(store.project, 3, 1).sampling.size, 3U);
  expect_error([&] { store->draw_sample(store.project, 2, 1); }, ErrorKind::invalid_input,
               {"cannot shrink to 2", third->name});
}

TEST(StoreSample, HasAtMostOneImageOfEachSubject) {
  StoreFixture store;
  store.add_images(5, {"a", "a", "b", "b", "c"});
  expect_error([&] { store->draw_sample(store.project, 4, 1); }, ErrorKind::invalid_input,
               {"at most 3"});
  expect_error([&] { store->draw_sample(store.project, 0, 1); }, ErrorKind::invalid_input,
               {"at least one"});
  const Sampling sampling = store->draw_sample(store.project, 3, 1).sampling;
  std::vector<std::string> subjects;
  for (const ImageRecord& image : store->images(store.project)) {
    if (image.in_sample(sampling)) subjects.push_back(*image.subject);
  }
  EXPECT_THAT(subjects, UnorderedElementsAre("a", "b", "c"));
  expect_error([&] { store->draw_sample(store.project, 4, 1); }, ErrorKind::invalid_input,
               {"at most 3"});
}

TEST(StoreSample, AnImageThatIsRemovedLeavesTheOthersWhereTheyWere) {
  StoreFixture store;
  store.add_images(4);
  store->draw_sample(store.project, 3, 5);
  for (const ImageRecord& image : store->images(store.project)) {
    if (image.order == 1U) store->remove_image(store.project, image.id);
  }
  std::vector<std::size_t> places;
  for (const ImageRecord& image : store->images(store.project)) places.push_back(*image.order);
  EXPECT_THAT(places, UnorderedElementsAre(0, 2, 3));
  EXPECT_EQ(store->draw_sample(store.project, 4, 5).sampling.size, 4U);
}

TEST(StoreSample, LabeledImagesCanBeTakenForASample) {
  StoreFixture store;
  const auto images = store.add_images(4, {"a", "a", "b", "c"});
  expect_error([&] { store->take_labeled_as_sample(store.project, 1); }, ErrorKind::invalid_input,
               {"no image has all landmarks"});
  for (const Id image : {images[0], images[1], images[2]}) store.complete(image);
  store->apply(store.project, store.placing(images[3], 0, 1, 1));
  const Project project = store->take_labeled_as_sample(store.project, 8);
  EXPECT_EQ(project.sampling.kind, Sampling::Kind::given);
  EXPECT_EQ(project.sampling.size, 2U);
  EXPECT_EQ(project.sampling.seed, 8U);
  std::set<std::string> subjects;
  for (const ImageRecord& image : store->images(store.project)) {
    if (image.in_sample(project.sampling)) subjects.insert(*image.subject);
    EXPECT_EQ(image.order.has_value(), image.in_sample(project.sampling));
  }
  EXPECT_THAT(subjects, ElementsAre("a", "b"));
}

TEST(StoreSample, AGivenSampleGrowsAndIsNeverDrawn) {
  StoreFixture store;
  const auto images = store.add_images(3);
  store.complete(images[0]);
  store->take_labeled_as_sample(store.project, 1);
  store.complete(images[1]);
  EXPECT_EQ(store->take_labeled_as_sample(store.project, 2).sampling.size, 2U);
  expect_error([&] { store->draw_sample(store.project, 1, 1); }, ErrorKind::invalid_input,
               {"cannot draw"});
}

TEST(StoreSample, ADrawnSampleIsNotReplacedByAGivenOne) {
  StoreFixture store;
  const auto images = store.add_images(2);
  store->draw_sample(store.project, 1, 1);
  store.complete(images[0]);
  expect_error([&] { store->take_labeled_as_sample(store.project, 1); }, ErrorKind::invalid_input,
               {"random sample"});
}

}  // namespace
}  // namespace caos::studio
