#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "apps/studio/store/sampling/looks.hpp"
#include "caos/miscoverage.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

using caos::test::expect_error;
using testing::ElementsAre;

/// The digits after the point, as many as there may be, the last first.
std::vector<int> digits_of(const std::string& decimal) {
  std::string digits = decimal.substr(decimal.find('.') + 1);
  digits.resize(40, '0');
  std::vector<int> result;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit)
    result.push_back(*digit - '0');
  return result;
}

/// Sum and comparison as one learns them at school.
bool oracle_is_shared(const std::vector<Look>& looks, const std::string& alpha) {
  std::vector<int> sum(41, 0);
  for (const Look& look : looks) {
    const std::vector<int> digits = digits_of(look.alpha);
    for (std::size_t i = 0; i < 40; ++i) {
      sum[i] += digits[i];
      sum[i + 1] += sum[i] / 10;
      sum[i] %= 10;
    }
  }
  std::vector<int> whole = digits_of(alpha);
  whole.push_back(0);
  return !std::ranges::lexicographical_compare(whole.rbegin(), whole.rend(), sum.rbegin(),
                                               sum.rend());
}

TEST(Looks, ShareAlphaEqually) {
  EXPECT_THAT(equal_looks({20, 40}, "0.1"), ElementsAre(Look{20, "0.05"}, Look{40, "0.05"}));
  EXPECT_THAT(equal_looks({30, 60, 90}, ".10"),
              ElementsAre(Look{30, "0.033333"}, Look{60, "0.033333"}, Look{90, "0.033333"}));
  EXPECT_THAT(equal_looks({9}, "0.1"), ElementsAre(Look{9, "0.1"}));
  EXPECT_EQ(equal_looks({1, 2}, "5e-7")[0].alpha, "0.0000002");
  expect_error(
      [] {
        (void)equal_looks({1, 2}, "1e-36");
      },
      ErrorKind::invalid_input, {"too small", "2 looks"});
}

TEST(Looks, HaveGrowingSizesAndAlphasThatAddUpToTheTargetAtMost) {
  EXPECT_NO_THROW(check_looks({{10, "0.03"}, {20, "0.07"}}, "0.1"));
  // In doubles 0.1 + 0.7 is less than 0.8, and 0.1 + 0.2 more than 0.3.
  EXPECT_NO_THROW(check_looks({{10, "0.1"}, {20, "0.2"}}, "0.3"));
  expect_error(
      [] {
        check_looks({{10, "0.1"}, {20, "0.700000000000000001"}}, "0.8");
      },
      ErrorKind::invalid_input, {"more than 0.8"});
  expect_error(
      [] {
        check_looks({{10, "0.05"}, {10, "0.05"}}, "0.1");
      },
      ErrorKind::invalid_input, {"more images than the one before"});
  expect_error([] { check_looks({{0, "0.05"}}, "0.1"); }, ErrorKind::invalid_input, {});
  expect_error([] { check_looks({{10, "5 %"}}, "0.1"); }, ErrorKind::invalid_input, {"5 %"});
  expect_error(
      [] {
        check_looks(std::vector<Look>(21, Look{1, "0.001"}), "0.1");
      },
      ErrorKind::invalid_input, {"at most 20"});
  expect_error(
      [] {
        (void)planned_looks({{10, "0.05"}, {20, ""}}, "0.1");
      },
      ErrorKind::invalid_input, {"every look, or for none"});
}

RC_GTEST_PROP(Looks, AddUpToTheTargetAtMostAndAreCheckedAsBySchoolArithmetic, ()) {
  const auto decimal = [] {
    const int digits = *rc::gen::inRange(1, 18);
    std::string text = "0.";
    for (int i = 0; i < digits; ++i) {
      text += static_cast<char>('0' + *rc::gen::weightedElement<int>({{3, 0}, {2, 1}, {1, 9}}));
    }
    return text + '1';
  };
  const std::string alpha = decimal();
  std::vector<Look> looks;
  const std::size_t count = *rc::gen::inRange<std::size_t>(1, 6);
  for (std::size_t i = 1; i <= count; ++i) looks.push_back({i, decimal()});
  bool is_taken = true;
  try {
    check_looks(looks, alpha);
  } catch (const Error&) {
    is_taken = false;
  }
  RC_ASSERT(is_taken == oracle_is_shared(looks, alpha));
  std::vector<std::size_t> sizes;
  for (const Look& look : looks) sizes.push_back(look.size);
  try {
    RC_ASSERT(oracle_is_shared(equal_looks(sizes, alpha), alpha));
  } catch (const Error&) {
    RC_ASSERT(Miscoverage::parse(alpha).value() < 1e-5);
  }
}

TEST(Looks, AreReachedAsTheOrderIsLabeled) {
  const Sampling planned{.kind = Sampling::Kind::random,
                         .size = 40,
                         .looks = {{20, "0.05"}, {40, "0.03"}, {60, "0.02"}}};
  EXPECT_EQ(looks_reached(planned, 19), 0U);
  EXPECT_EQ(looks_reached(planned, 20), 1U);
  EXPECT_EQ(looks_reached(planned, 39), 1U);
  EXPECT_EQ(looks_reached(planned, 70), 2U);  // the sample ended at the second
  EXPECT_TRUE(is_planned(planned, 60));
  EXPECT_FALSE(is_planned(planned, 30));
  const Sampling plain{.kind = Sampling::Kind::random, .size = 40};
  EXPECT_EQ(looks_reached(plain, 39), 0U);
  EXPECT_EQ(looks_reached(plain, 40), 1U);
  EXPECT_TRUE(is_planned(plain, 40));
  EXPECT_FALSE(is_planned(plain, 20));
}

}  // namespace
}  // namespace caos::studio
