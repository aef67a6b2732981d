#include "caos/audit.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "caos/error.hpp"
#include "caos/numerics/beta.hpp"
#include "caos/rng.hpp"

namespace {

__extension__ using Wide = unsigned __int128;

using caos::audit_bound;
using caos::AuditAbsence;
using caos::AuditBound;
using caos::AuditUnit;
using caos::Confidence;

const Confidence confident = Confidence::parse("0.95");

Wide choose(std::size_t n, std::size_t k) {
  if (k > n) return 0;
  Wide result = 1;
  for (std::size_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

/// How many of the C(N, m) draws have at least `hits` of the pool's `total`.
Wide draws_with(std::size_t pool, std::size_t total, std::size_t audited, std::size_t hits) {
  Wide count = 0;
  for (std::size_t j = hits; j <= audited; ++j) {
    count += choose(total, j) * choose(pool - total, audited - j);
  }
  return count;
}

/// The definition: the fewest hits of a pool for which the count is not too improbable.
std::size_t slow_bound(std::size_t pool, std::size_t audited, std::size_t hits,
                       std::size_t statements) {
  std::size_t total = 0;
  while (draws_with(pool, total, audited, hits) * 20 * statements <= choose(pool, audited)) ++total;
  return total - hits;
}

RC_GTEST_PROP(AuditBound, IsTheDefinition, ()) {
  const auto pool = *rc::gen::inRange<std::size_t>(1, 61);
  const auto audited = *rc::gen::inRange<std::size_t>(1, pool + 1);
  const auto hits = *rc::gen::inRange<std::size_t>(0, audited + 1);
  const auto statements = *rc::gen::inRange<std::size_t>(1, 6);
  const AuditBound bound = audit_bound({hits, audited, pool}, confident, statements);
  RC_ASSERT(bound.remaining == pool - audited);
  RC_ASSERT(bound.remaining_hits == slow_bound(pool, audited, hits, statements));
}

RC_GTEST_PROP(AuditBound, GrowsWithTheHits, ()) {
  const auto pool = *rc::gen::inRange<std::size_t>(2, 5000);
  const auto audited = *rc::gen::inRange<std::size_t>(1, pool);
  const auto hits = *rc::gen::inRange<std::size_t>(0, audited);
  const auto total = [&](std::size_t h) {
    return *audit_bound({h, audited, pool}, confident).remaining_hits + h;
  };
  RC_ASSERT(total(hits) < total(hits + 1));
  const auto share = [&](std::size_t h) {
    return audit_bound({h, audited, std::nullopt}, confident).share;
  };
  RC_ASSERT(share(hits) < share(hits + 1));
}

// For every number of hits in the pool the bound is above it in at most 5 % of all draws.
TEST(AuditBound, IsWrongInAtMostFivePercentOfAllDraws) {
  constexpr std::size_t pool = 40;
  for (const std::size_t audited : {1U, 7U, 20U, 39U}) {
    for (std::size_t total = 0; total <= pool; ++total) {
      Wide wrong = 0;
      for (std::size_t hits = 0; hits <= std::min(audited, total); ++hits) {
        const AuditBound bound = audit_bound({hits, audited, pool}, confident);
        if (*bound.remaining_hits + hits <= total) continue;
        wrong += choose(total, hits) * choose(pool - total, audited - hits);
      }
      EXPECT_LE(wrong * 20, choose(pool, audited)) << audited << " audited, " << total << " hits";
    }
  }
}

// The same with the order that the program draws: 2,000 audits of a pool of 300 with 270 hits.
TEST(AuditBound, IsTrueForTheOrdersThatAreDrawn) {
  constexpr std::size_t pool = 300;
  constexpr std::size_t total = 270;
  constexpr std::size_t audited = 50;
  constexpr std::size_t repeats = 2000;
  std::size_t wrong = 0;
  for (std::size_t seed = 0; seed < repeats; ++seed) {
    const std::vector<std::size_t> order = caos::audit_order(pool, seed);
    const auto hits = static_cast<std::size_t>(std::count_if(
        order.begin(), order.begin() + audited, [](std::size_t unit) { return unit < total; }));
    const AuditBound bound = audit_bound({hits, audited, pool}, confident);
    if (*bound.remaining_hits > total - hits) ++wrong;
  }
  EXPECT_LE(wrong, 100U + 3 * 10U);  // 5 % and three standard errors
  EXPECT_GE(wrong, 20U);             // and not for want of a claim
}

TEST(AuditBound, OfALargePoolIsClopperAndPearsons) {
  for (const std::size_t hits : {30U, 29U, 15U, 1U}) {
    const double limit = caos::clopper_pearson(hits, 30, 0.9).low;  // two-sided 90: one-sided 95
    const double drawn = audit_bound({hits, 30, std::nullopt}, confident).share;
    EXPECT_LE(drawn, limit + 1e-12);
    EXPECT_NEAR(drawn, limit, 1.1e-9);
    EXPECT_NEAR(audit_bound({hits, 30, 1'000'000'000}, confident).share, limit, 1e-6);
  }
  EXPECT_NEAR(audit_bound({30, 30, std::nullopt}, confident).share, std::pow(0.05, 1.0 / 30),
              1.1e-9);
  EXPECT_NEAR(audit_bound({30, 30, 1'000'000}, confident).share, 0.905, 5e-4);
}

TEST(AuditBound, OfThirtyHitsInAThousand) {
  const AuditBound bound = audit_bound({30, 30, 1000}, confident);
  EXPECT_EQ(bound.remaining_hits, 877U);
  EXPECT_EQ(bound.remaining, 970U);
  EXPECT_DOUBLE_EQ(bound.share, 877.0 / 970.0);
}

TEST(AuditBound, ClaimsNothingWithoutHits) {
  EXPECT_EQ(audit_bound({0, 30, 1000}, confident).remaining_hits, 0U);
  EXPECT_EQ(audit_bound({0, 30, std::nullopt}, confident).share, 0);
}

TEST(AuditBound, RefusesCountsThatCannotBe) {
  EXPECT_THROW(static_cast<void>(audit_bound({0, 0, 10}, confident)), caos::Error);
  EXPECT_THROW(static_cast<void>(audit_bound({4, 3, 10}, confident)), caos::Error);
  EXPECT_THROW(static_cast<void>(audit_bound({3, 11, 10}, confident)), caos::Error);
  EXPECT_THROW(static_cast<void>(audit_bound({3, 3, 2'000'000'000}, confident)), caos::Error);
  EXPECT_THROW(static_cast<void>(audit_bound({3, 3, 10}, confident, 0)), caos::Error);
}

TEST(AuditStatement, SaysWhatIsClaimedOfWhat) {
  const AuditBound bound = audit_bound({30, 30, 1000}, confident);
  EXPECT_EQ(
      caos::audit_statement(bound, confident, "nose"),
      "With 95 % confidence at least 90.41 % of the remaining 970 regions of nose contain the "
      "landmark; an image without it counts as if they did.");
  EXPECT_EQ(caos::audit_statement(bound, confident, std::nullopt),
            "With 95 % confidence all landmarks that are present lie inside their regions in at "
            "least 90.41 % of the remaining 970 images.");
  EXPECT_EQ(caos::audit_statement(bound, confident, "nose", AuditUnit::subject),
            "With 95 % confidence at least 90.41 % of the regions of nose in the remaining 970 "
            "subjects (one image of each, drawn at random) contain the landmark; an image without "
            "it counts as if they did.");
}

TEST(AuditStatement, SaysWhereHiddenLandmarksCountAsAbsent) {
  const AuditBound bound = audit_bound({30, 30, 1000}, confident);
  EXPECT_EQ(
      caos::audit_statement(bound, confident, "nose", AuditUnit::image, AuditAbsence::hidden),
      "With 95 % confidence at least 90.41 % of the remaining 970 regions of nose contain the "
      "landmark; an image without it, or in which it is hidden, counts as if they did.");
  EXPECT_EQ(
      caos::audit_statement(bound, confident, std::nullopt, AuditUnit::image, AuditAbsence::hidden),
      "With 95 % confidence all landmarks that are present and not hidden lie inside their regions "
      "in at least 90.41 % of the remaining 970 images.");
}

TEST(AuditAssumption, NamesTheUnits) {
  const AuditBound bound = audit_bound({30, 30, 1000}, confident);
  const auto names = [&](AuditUnit unit, const std::string& words) {
    return caos::audit_assumption(bound, unit).find("the audited " + words + " are") !=
           std::string::npos;
  };
  EXPECT_TRUE(names(AuditUnit::image, "images"));
  EXPECT_TRUE(names(AuditUnit::subject, "subjects"));
  EXPECT_TRUE(names(AuditUnit::other, "units"));
}

TEST(AuditStatement, RoundsDown) {
  const AuditBound drawn = audit_bound({30, 30, std::nullopt}, confident);
  EXPECT_EQ(caos::audit_percent(drawn), "90.49 %");  // 0.904966...
  EXPECT_EQ(
      caos::audit_statement(drawn, confident, "nose"),
      "With 95 % confidence at least 90.49 % of the regions of nose in further images contain "
      "the landmark; an image without it counts as if they did.");
}

TEST(AuditStatement, NamesTheOthersThatHoldWithIt) {
  const AuditBound bound = audit_bound({30, 30, 1000}, confident, 3);
  EXPECT_LT(bound.share, audit_bound({30, 30, 1000}, confident).share);
  EXPECT_EQ(caos::audit_statement(bound, confident, std::nullopt).substr(0, 60),
            "With 95 % confidence, for all 3 statements together, all lan");
}

TEST(AuditStatement, OfAPoolOfWhichNothingRemains) {
  EXPECT_EQ(caos::audit_statement(audit_bound({9, 10, 10}, confident), confident, "nose"),
            "All 10 images were audited and none remain; 9 of them were hits.");
}

}  // namespace
