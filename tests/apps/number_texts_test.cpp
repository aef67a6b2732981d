#include "apps/predictions/number_texts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "apps/predictions/json_text.hpp"
#include "caos/rng.hpp"

namespace caos::predictions {
namespace {

class Numbers : public testing::Test {
 protected:
  void expect_texts(double value) {
    EXPECT_EQ(json_.of(value), json_text(value));
    EXPECT_EQ(plain_.of(value), fmt::format("{}", value));
  }

  NumberTexts json_{NumberTexts::Style::json};
  NumberTexts plain_{NumberTexts::Style::plain};
};

TEST_F(Numbers, AreWrittenAsJsonAndFmtWriteThem) {
  for (int round = 0; round < 2; ++round) {
    for (const double value : {0.0, -0.0, 1.0, 5.0, 0.1, 1.0 / 3, -2.5, 1e15, 1e16, 1e-4, 1e-5,
                               5e-324, -1.7976931348623157e308, 178.000001, 123456.789}) {
      expect_texts(value);
    }
  }
}

TEST_F(Numbers, AreKeptApartHoweverManyThereAre) {
  Rng rng(1);
  for (std::size_t n = 1; n <= 400; ++n) {
    for (std::size_t i = 1; i <= n; i += 1 + n / 20) {
      expect_texts(static_cast<double>(i) / static_cast<double>(n + 1));
    }
  }
  for (int i = 0; i < 20'000; ++i) {
    expect_texts(std::round(rng.uniform() * 1e6) / 1000);
    const double any = std::bit_cast<double>(rng.next());
    if (std::isfinite(any)) expect_texts(any);
  }
}

TEST_F(Numbers, ThatAreNotFiniteAreNullInJson) {
  expect_texts(std::numeric_limits<double>::infinity());
  expect_texts(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace
}  // namespace caos::predictions
