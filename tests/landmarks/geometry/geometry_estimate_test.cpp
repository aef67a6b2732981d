#include "caos/landmarks/geometry/geometry_estimate.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "caos/error.hpp"
#include "caos/kernels/dispatch.hpp"
#include "caos/rng.hpp"
#include "caos/scorers/unit_rows.hpp"
#include "tests/landmarks/geometry/geometry_oracle.hpp"

namespace caos {
namespace {

using vision::PatchGrid;
using vision::Point;

PatchGrid grid(std::size_t columns, std::size_t rows) {
  return {.patch_size = 16, .columns = columns, .rows = rows};
}

/// Few values give ties, many give distinct patches.
Matrix<float> image(Rng& rng, const PatchGrid& grid, std::size_t dimension, std::uint64_t values) {
  Matrix<float> rows(grid.size(), dimension);
  for (std::size_t p = 0; p < rows.rows(); ++p) {
    for (float& value : rows.row(p)) {
      value = static_cast<float>(rng.below(values)) - static_cast<float>(values) / 3;
    }
    rows(p, rng.below(dimension)) += static_cast<float>(values);
  }
  return unit_rows(rows.view(), "drawn");
}

GeometryEstimate estimate(const Matrix<float>& from, const PatchGrid& from_grid,
                          const Matrix<float>& to, const PatchGrid& to_grid) {
  PatchSimilarities scratch;
  return estimate_geometry(AnchorPatches(from.view(), from_grid), TargetPatches(to.view(), to_grid),
                           scratch);
}

void expect_same(Point a, Point b) {
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.y, b.y);
}

/// Votes, transform and projections of one pair, bit for bit.
void expect_as_defined(Rng& rng, const PatchGrid& from_grid, const PatchGrid& to_grid,
                       std::size_t dimension, std::uint64_t values) {
  const Matrix<float> from = image(rng, from_grid, dimension, values);
  const Matrix<float> to = image(rng, to_grid, dimension, values);
  const geometry_oracle::Estimate expected =
      geometry_oracle::estimate({from, from_grid}, {to, to_grid});
  PatchSimilarities similarities;
  similarities.compare(AnchorPatches(from.view(), from_grid), TargetPatches(to.view(), to_grid));
  std::size_t count = 0;
  for (const PatchVote& vote : similarities.votes()) {
    ASSERT_EQ(vote.weight, expected.votes[vote.patch].weight);
    expect_same(vote.to, expected.votes[vote.patch].to);
    ++count;
  }
  EXPECT_EQ(count, std::ranges::count_if(expected.votes, [](auto& v) { return v.weight > 0; }));
  EXPECT_NEAR(similarities.deviation(), expected.deviation, 1e-12);

  const GeometryEstimate found = estimate(from, from_grid, to, to_grid);
  EXPECT_EQ(found.transform().c, expected.transform.c);
  EXPECT_EQ(found.transform().s, expected.transform.s);
  for (int i = 0; i < 8; ++i) {
    const Point position{rng.uniform() * static_cast<double>(from_grid.columns),
                         rng.uniform() * static_cast<double>(from_grid.rows)};
    expect_same(found.project(LocalAnchors(from_grid, position)),
                geometry_oracle::project(expected, from_grid, position));
  }
}

RC_GTEST_PROP(GeometryEstimate, IsTheDefinitionBitForBit, ()) {
  Rng rng(*rc::gen::inRange<std::uint64_t>(0, 1'000'000'000));
  const auto side = [&] { return 1 + rng.below(9); };
  const std::uint64_t values = *rc::gen::element<std::uint64_t>(2, 3, 50);
  expect_as_defined(rng, grid(side(), side()), grid(side(), side()), 2 + rng.below(6), values);
}

/// Both ways from one comparison.
RC_GTEST_PROP(GeometryEstimate, OfExchangedImagesIsThatOfComparingThemAgain, ()) {
  Rng rng(*rc::gen::inRange<std::uint64_t>(0, 1'000'000'000));
  const auto side = [&] { return 1 + rng.below(9); };
  const std::uint64_t values = *rc::gen::element<std::uint64_t>(2, 3, 50);
  const PatchGrid a = grid(side(), side());
  const PatchGrid b = grid(side(), side());
  const std::size_t dimension = 2 + rng.below(6);
  const Matrix<float> from = image(rng, a, dimension, values);
  const Matrix<float> to = image(rng, b, dimension, values);
  PatchSimilarities similarities;
  similarities.compare(AnchorPatches(from.view(), a), TargetPatches(to.view(), b));
  similarities.exchange();
  const GeometryEstimate found = estimate_geometry(similarities);
  const GeometryEstimate expected = estimate(to, b, from, a);
  RC_ASSERT(found.deviation() == expected.deviation());
  for (int i = 0; i < 4; ++i) {
    const Point position{rng.uniform() * static_cast<double>(b.columns),
                         rng.uniform() * static_cast<double>(b.rows)};
    expect_same(found.project(LocalAnchors(b, position)),
                expected.project(LocalAnchors(b, position)));
  }
}

TEST(GeometryEstimate, HasTheSameBitsOnEveryInstructionSet) {
  Rng rng(3);
  const PatchGrid from_grid = grid(12, 14);
  const PatchGrid to_grid = grid(13, 11);
  const Matrix<float> from = image(rng, from_grid, 31, 9);
  const Matrix<float> to = image(rng, to_grid, 31, 9);
  const LocalAnchors landmark(from_grid, {4.2, 7.9});
  const GeometryEstimate fastest = estimate(from, from_grid, to, to_grid);
  for (const std::string_view name : kernels::instruction_sets()) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(kernels::use_instruction_set(name));
    const GeometryEstimate found = estimate(from, from_grid, to, to_grid);
    EXPECT_EQ(found.deviation(), fastest.deviation());
    expect_same(found.project(landmark), fastest.project(landmark));
  }
  kernels::use_fastest_instruction_set();
}

/// Without the parabola every patch votes for itself, so that nothing moves at all.
TEST(GeometryEstimate, IsTheIdentityOnIdenticalImages) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    const PatchGrid own = grid(4 + rng.below(6), 4 + rng.below(6));
    const Matrix<float> patches = image(rng, own, 24, 1000);
    PatchSimilarities similarities;
    similarities.compare(AnchorPatches(patches.view(), own), TargetPatches(patches.view(), own));
    const std::vector<PatchVote> votes = similarities.votes(/*parabola=*/false);
    ASSERT_EQ(votes.size(), own.size());
    for (const PatchVote& vote : votes) expect_same(vote.from, vote.to);
    const GeometryEstimate found(votes, own.size(), similarities.deviation());
    for (int i = 0; i < 10; ++i) {
      const Point position{rng.uniform() * static_cast<double>(own.columns),
                           rng.uniform() * static_cast<double>(own.rows)};
      const Point place = found.project(LocalAnchors(own, position));
      EXPECT_NEAR(place.x, position.x, 1e-12);
      EXPECT_NEAR(place.y, position.y, 1e-12);
    }
    EXPECT_EQ(found.transform().s, 0);
  }
}

TEST(GeometryEstimate, OfTheSameImageWithTheParabolaStaysWithinHalfAPatch) {
  Rng rng(8);
  const PatchGrid own = grid(9, 7);
  const Matrix<float> patches = image(rng, own, 24, 1000);
  const GeometryEstimate found = estimate(patches, own, patches, own);
  const Point place = found.project(LocalAnchors(own, {3.3, 4.1}));
  EXPECT_NEAR(place.x, 3.3, 0.5);
  EXPECT_NEAR(place.y, 4.1, 0.5);
}

std::vector<PatchVote> random_votes(Rng& rng, std::size_t count) {
  std::vector<PatchVote> votes;
  for (std::uint32_t v = 0; v < count; ++v) {
    const Point from{rng.uniform() * 12, rng.uniform() * 14};
    votes.push_back(
        {v,
         from,
         {from.x + rng.uniform() * 2 - 1 + (v % 7 == 0 ? 5 : 0), from.y + rng.uniform() * 2 - 1},
         rng.uniform() + 0.01});
  }
  return votes;
}

/// Shifting all votes shifts the transform; scaling all weights, turning both images or mirroring
/// the order changes nothing.
RC_GTEST_PROP(FitTransform, IsEquivariantInTheVotes, ()) {
  Rng rng(*rc::gen::inRange<std::uint64_t>(0, 1'000'000'000));
  const std::vector<PatchVote> votes = random_votes(rng, 3 + rng.below(60));
  const SimilarityTransform fit = fit_transform(votes).transform;
  const Point shift{rng.uniform() * 6 - 3, rng.uniform() * 6 - 3};
  const double angle = rng.uniform() * 6.28;
  const SimilarityTransform turn{std::cos(angle), std::sin(angle), {}};
  const double factor = 0.1 + rng.uniform() * 50;
  const Point probe{rng.uniform() * 12, rng.uniform() * 14};
  const auto near = [](Point a, Point b) {
    return std::abs(a.x - b.x) < 1e-9 && std::abs(a.y - b.y) < 1e-9;
  };

  std::vector<PatchVote> changed = votes;
  for (PatchVote& vote : changed) {
    vote.to = {vote.to.x + shift.x, vote.to.y + shift.y};
    vote.weight *= factor;
  }
  const Point shifted = fit_transform(changed).transform(probe);
  RC_ASSERT(near(shifted, {fit(probe).x + shift.x, fit(probe).y + shift.y}));

  changed = votes;
  for (PatchVote& vote : changed) {
    vote.from = turn(vote.from);
    vote.to = turn(vote.to);
  }
  std::ranges::reverse(changed);
  RC_ASSERT(near(fit_transform(changed).transform(turn(probe)), turn(fit(probe))));
}

TEST(FitTransform, IsTheIdentityWithoutVotes) {
  const FittedTransform fitted = fit_transform({});
  EXPECT_EQ(fitted.transform.c, 1);
  EXPECT_EQ(fitted.transform.s, 0);
  expect_same(fitted.transform.b, {});
  EXPECT_TRUE(fitted.weights.empty());
}

TEST(FitTransform, LeavesOutliersOut) {
  std::vector<PatchVote> votes;
  for (std::uint32_t v = 0; v < 60; ++v) {
    const Point from{v % 10 + 0.5, v / 10 + 0.5};
    votes.push_back({v, from, {1.1 * from.x + 0.7, 1.1 * from.y - 0.4}, 1});
  }
  for (std::uint32_t v = 0; v < 15; ++v) votes[4 * v].to = {9.0 - v % 3, 0.5};
  const FittedTransform fitted = fit_transform(votes);
  const Point place = fitted.transform({5, 3});
  EXPECT_NEAR(place.x, 6.2, 0.1);
  EXPECT_NEAR(place.y, 2.9, 0.1);
}

TEST(GeometryEstimate, KeepsPlacesWhereNoPatchVotes) {
  // All patches alike: no match is better than another, and there is no deviation.
  Matrix<float> patches(20, 3);
  for (std::size_t p = 0; p < 20; ++p) patches(p, 1) = 1;
  const GeometryEstimate found = estimate(patches, grid(5, 4), patches, grid(4, 5));
  EXPECT_EQ(found.deviation(), 0);
  expect_same(found.project(LocalAnchors(grid(5, 4), {2.25, 3.5})), {2.25, 3.5});
  EXPECT_EQ(descriptor_term(0.3, found.deviation()), 0);
}

TEST(GeometryEstimate, TakesImagesOfOnePatch) {
  Matrix<float> one(1, 2);
  one(0, 0) = 1;
  Matrix<float> other(1, 2);
  other(0, 1) = 1;
  const GeometryEstimate found = estimate(one, grid(1, 1), other, grid(1, 1));
  EXPECT_EQ(found.deviation(), 0);
  expect_same(found.project(LocalAnchors(grid(1, 1), {0.5, 0.5})), {0.5, 0.5});
}

TEST(GeometryEstimate, FollowsAShiftedImage) {
  Rng rng(11);
  const PatchGrid large = grid(16, 12);
  const PatchGrid small = grid(11, 10);
  const Matrix<float> patches = image(rng, large, 24, 1000);
  Matrix<float> part(0, 24);  // the same from column 3, row 2 on
  for (std::size_t r = 2; r < 12; ++r) {
    for (std::size_t c = 3; c < 14; ++c) part.push_row(patches.row(r * 16 + c));
  }
  const GeometryEstimate found = estimate(patches, large, part, small);
  const Point place = found.project(LocalAnchors(large, {8.25, 7.75}));
  EXPECT_NEAR(place.x, 5.25, 0.35);
  EXPECT_NEAR(place.y, 5.75, 0.35);
}

TEST(AnchorPatches, RefuseAnotherGrid) {
  Matrix<float> patches(6, 2);
  for (std::size_t p = 0; p < 6; ++p) patches(p, 0) = 1;
  EXPECT_THROW(AnchorPatches(patches.view(), grid(4, 2)), Error);
  EXPECT_THROW(TargetPatches(patches.view(), PatchGrid{}), Error);
}

}  // namespace
}  // namespace caos
