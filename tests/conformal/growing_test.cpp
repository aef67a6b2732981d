#include "caos/growing.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "caos/error.hpp"
#include "tests/support/problem.hpp"

namespace {

using caos::Calibration;
using caos::GroupId;
using caos::Grouping;
using caos::GrowingCalibration;

/// The obvious counterpart: keeps the whole table and calibrates from scratch.
struct Examples {
  oracle::Table own;
  std::vector<GroupId> groups;

  void add(const oracle::Pool& under_others, const oracle::Pool& of_others, GroupId group) {
    for (std::size_t i = 0; i < own.size(); ++i) own[i].push_back(of_others[i]);
    own.push_back(oracle::with(under_others, NAN));
    groups.push_back(group);
  }

  void remove(std::size_t i) {
    own = [&] {
      oracle::Table rest;
      for (std::size_t r = 0; r < own.size(); ++r) {
        if (r != i) rest.push_back(oracle::without(own[r], i));
      }
      return rest;
    }();
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(i));
  }

  [[nodiscard]] Calibration calibrated(std::size_t k, bool grouped) const {
    return caos::calibrate(problem::own_scores(own),
                           grouped ? Grouping::by_input(groups) : Grouping::none(own.size()),
                           {.k = k});
  }
};

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return std::ranges::equal(a, b, {}, std::bit_cast<std::uint64_t, double>,
                            std::bit_cast<std::uint64_t, double>);
}

void expect_same(const Calibration& grown, const Examples& examples, bool grouped) {
  const Calibration fresh = examples.calibrated(grown.k(), grouped);
  RC_ASSERT(same_bits(grown.scores(), fresh.scores()));
  RC_ASSERT(same_bits(grown.kth_nearest(), fresh.kth_nearest()));
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    RC_ASSERT(same_bits(grown.nearest(i), fresh.nearest(i)));
  }
  RC_ASSERT(grown.grouping().num_groups() == fresh.grouping().num_groups());
  for (std::size_t g = 0; g < fresh.grouping().num_groups(); ++g) {
    RC_ASSERT(grown.grouping().id(g) == fresh.grouping().id(g));
    RC_ASSERT(same_bits(grown.group(g).values(), fresh.group(g).values()));
  }
  for (const GroupId id : {GroupId{0}, GroupId{1}, GroupId{2}, GroupId{99}}) {
    RC_ASSERT(std::ranges::equal(grown.peers(0, id).values(), fresh.peers(0, id).values()));
  }
}

RC_GTEST_PROP(GrowingCalibration, EqualsCalibratingFromScratchAfterAnyJoiningAndLeaving, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(3, 8);
  const auto k = *rc::gen::inRange<std::size_t>(1, n);
  const bool grouped = *rc::gen::arbitrary<bool>();
  const auto arbitrary_group = [] { return *rc::gen::inRange<GroupId>(0, 3); };
  Examples examples{*problem::table(n, n), {}};
  for (std::size_t i = 0; i < n; ++i) examples.groups.push_back(arbitrary_group());
  GrowingCalibration growing(problem::own_scores(examples.own), examples.calibrated(k, grouped));

  const auto steps = *rc::gen::inRange(1, 25);
  for (int step = 0; step < steps; ++step) {
    const std::size_t size = examples.own.size();
    if (size > k + 1 && *rc::gen::arbitrary<bool>()) {
      const auto leaver = *rc::gen::inRange<std::size_t>(0, size);
      growing.remove_example(leaver);
      examples.remove(leaver);
    } else {
      const auto under_others = *rc::gen::container<oracle::Pool>(size, problem::score());
      const auto of_others = *rc::gen::container<oracle::Pool>(size, problem::score());
      const GroupId group = arbitrary_group();
      growing.add_example(under_others, of_others, group);
      examples.add(under_others, of_others, group);
    }
    expect_same(growing.calibration(), examples, grouped);
  }
}

RC_GTEST_PROP(GrowingCalibration, TakesExamplesAnywhereAndMayRunOutOfThem, ()) {
  const auto k = *rc::gen::inRange<std::size_t>(1, 4);
  oracle::Table own;
  GrowingCalibration growing(k);
  const auto steps = *rc::gen::inRange(1, 40);
  for (int step = 0; step < steps; ++step) {
    const std::size_t size = own.size();
    if (size > 0 && *rc::gen::inRange(0, 5) < 2) {
      const auto leaver = *rc::gen::inRange<std::size_t>(0, size);
      growing.take_example(leaver);
      Examples rest{own, std::vector<GroupId>(size)};
      rest.remove(leaver);
      own = rest.own;
    } else {
      const auto position = *rc::gen::inRange<std::size_t>(0, size + 1);
      const auto under_others = *rc::gen::container<oracle::Pool>(size, problem::score());
      const auto of_others = *rc::gen::container<oracle::Pool>(size, problem::score());
      growing.insert_example(position, under_others, of_others);
      const auto at = static_cast<std::ptrdiff_t>(position);
      for (std::size_t i = 0; i < size; ++i) own[i].insert(own[i].begin() + at, of_others[i]);
      oracle::Pool row = under_others;
      row.insert(row.begin() + at, NAN);
      own.insert(own.begin() + at, row);
    }
    RC_ASSERT(growing.size() == own.size());
    RC_ASSERT(growing.is_calibrated() == (own.size() > k));
    if (growing.is_calibrated()) {
      expect_same(growing.calibration(), {own, std::vector<GroupId>(own.size())}, false);
    }
  }
}

RC_GTEST_PROP(WithExample, EqualsCalibratingFromScratch, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(3, 8);
  const auto k = *rc::gen::inRange<std::size_t>(1, n);
  const bool grouped = *rc::gen::arbitrary<bool>();
  Examples examples{*problem::table(n, n), {}};
  for (std::size_t i = 0; i < n; ++i) examples.groups.push_back(*rc::gen::inRange<GroupId>(0, 3));
  Calibration grown = examples.calibrated(k, grouped);
  for (int joined = 0; joined < 4; ++joined) {
    const auto under_others = *rc::gen::container<oracle::Pool>(grown.size(), problem::score());
    const auto of_others = *rc::gen::container<oracle::Pool>(grown.size(), problem::score());
    const auto group = *rc::gen::inRange<GroupId>(0, 3);
    grown = caos::with_example(grown, under_others, of_others, group);
    examples.add(under_others, of_others, group);
    expect_same(grown, examples, grouped);
  }
}

TEST(WithExample, RefusesScoresThatAreTooFewOrNone) {
  const Examples examples{{{NAN, 1, 2}, {3, NAN, 4}, {5, 6, NAN}}, {0, 0, 0}};
  const Calibration calibration = examples.calibrated(1, false);
  const std::vector<double> good = {1, 2, 3};
  const std::vector<double> few = {1, 2};
  const std::vector<double> bad = {1, NAN, 3};
  EXPECT_THROW((void)caos::with_example(calibration, few, good), caos::Error);
  EXPECT_THROW((void)caos::with_example(calibration, good, few), caos::Error);
  EXPECT_THROW((void)caos::with_example(calibration, bad, good), caos::Error);
  EXPECT_THROW((void)caos::with_example(calibration, good, bad), caos::Error);
}

TEST(GrowingCalibration, HandsBackTheScoresOfTheExamplesThatAreLeft) {
  const oracle::Table own = {{NAN, 1, 2}, {3, NAN, 4}, {5, 6, NAN}};
  GrowingCalibration growing(problem::own_scores(own),
                             caos::calibrate(problem::own_scores(own), {.k = 1}));
  const std::vector<double> under_others = {7, 8, 9};
  const std::vector<double> of_others = {10, 11, 12};
  growing.add_example(under_others, of_others);
  growing.remove_example(1);
  const caos::OwnScores left = growing.own_scores();
  EXPECT_EQ(left.size(), 3U);
  EXPECT_EQ(left(0, 1), 2);
  EXPECT_EQ(left(1, 0), 5);
  EXPECT_EQ(left(2, 0), 7);
  EXPECT_EQ(left(2, 1), 9);
  EXPECT_EQ(left(0, 2), 10);
  EXPECT_EQ(left(1, 2), 12);
}

TEST(GrowingCalibration, RefusesWhatItCannotDoAndStaysAsItWas) {
  const oracle::Table own = {{NAN, 1, 2}, {3, NAN, 4}, {5, 6, NAN}};
  GrowingCalibration growing(problem::own_scores(own),
                             caos::calibrate(problem::own_scores(own), {.k = 2}));
  const std::vector<double> good = {1, 2, 3};
  const std::vector<double> short_by_one = {1, 2};
  const std::vector<double> not_a_number = {1, NAN, 3};
  EXPECT_THROW(growing.add_example(short_by_one, good), caos::Error);
  EXPECT_THROW(growing.add_example(good, not_a_number), caos::Error);
  EXPECT_THROW(growing.remove_example(0), caos::Error);  // k = 2 needs three examples
  EXPECT_THROW(growing.remove_example(3), caos::Error);
  EXPECT_EQ(
      std::vector(growing.calibration().scores().begin(), growing.calibration().scores().end()),
      (std::vector<double>{3, 7, 11}));
}

}  // namespace
