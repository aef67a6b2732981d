#include "caos/miscoverage.hpp"

#include <gtest/gtest.h>

#include "caos/error.hpp"
#include "tests/support/expect_error.hpp"

namespace {

using caos::Miscoverage;

TEST(Miscoverage, IsTheDecimalThatWasWritten) {
  const struct {
    const char* text;
    std::uint64_t numerator;
    int places;
    const char* plain;
  } cases[] = {
      {"0.1", 1, 1, "0.1"},
      {".05", 5, 2, "0.05"},
      {"0.050", 5, 2, "0.05"},
      {"00.20", 2, 1, "0.2"},
      {"1e-3", 1, 3, "0.001"},
      {"12.5e-2", 125, 3, "0.125"},
      {"0.025E+1", 25, 2, "0.25"},
      {"0.000000000000000001", 1, 18, "0.000000000000000001"},
      {"0.0033333333333333335", 33333333333333335, 19, "0.0033333333333333335"},
      {"0.999999999999999999", 999'999'999'999'999'999, 18, "0.999999999999999999"},
  };
  for (const auto& c : cases) {
    const Miscoverage alpha = Miscoverage::parse(c.text);
    EXPECT_EQ(alpha.numerator(), c.numerator) << c.text;
    EXPECT_EQ(alpha.places(), c.places) << c.text;
    EXPECT_EQ(alpha.text(), c.plain) << c.text;
  }
}

TEST(Miscoverage, RefusesWhatIsNotADecimalBetweenZeroAndOne) {
  for (const char* text : {"",
                           ".",
                           "0",
                           "1",
                           "0.0",
                           "1.0",
                           "10e-1",
                           "-0.1",
                           "+0.1",
                           "1.5",
                           "2",
                           "abc",
                           "0.1x",
                           "0,1",
                           "nan",
                           "inf",
                           "0.1 ",
                           " 0.1",
                           "1e",
                           "1e-",
                           "1e+-1",
                           "1e++1",
                           "1e-99999999999",
                           "1e99",
                           "0.1.1",
                           "1/10",
                           "5%",
                           "0x1p-3",
                           "1e-37",
                           "0.0000000000000000000000000000000000001",
                           "0.1234567890123456789"}) {
    EXPECT_THROW(static_cast<void>(Miscoverage::parse(text)), caos::Error) << "'" << text << "'";
  }
}

TEST(Miscoverage, SaysWhatWouldBeRight) {
  caos::test::expect_error(
      [] { static_cast<void>(Miscoverage::parse("5%")); }, caos::ErrorKind::invalid_input,
      {"alpha '5%' is not usable; give a decimal between 0 and 1 (both excluded) with at most 18 "
       "digits and 36 places, such as 0.1"});
}

TEST(Miscoverage, ReadsADoubleAsTheDecimalItPrintsAs) {
  EXPECT_EQ(Miscoverage::from_double(0.1), Miscoverage::parse("0.1"));
  EXPECT_EQ(Miscoverage::from_double(1e-5), Miscoverage::parse("0.00001"));
  EXPECT_EQ(Miscoverage::from_double(1e-3 / 3).value(), 1e-3 / 3);
  EXPECT_THROW(static_cast<void>(Miscoverage::from_double(0.0)), caos::Error);
  EXPECT_THROW(static_cast<void>(Miscoverage::from_double(1.0)), caos::Error);
}

TEST(Miscoverage, ComparesByValue) {
  EXPECT_LT(Miscoverage::parse("0.09"), Miscoverage::parse("0.1"));
  EXPECT_EQ(Miscoverage::parse("0.10"), Miscoverage::parse("1e-1"));
  EXPECT_GT(Miscoverage::parse("0.999999999999999999"), Miscoverage::parse("0.5"));
  EXPECT_LT(Miscoverage::parse("0.5"), Miscoverage::parse("0.999999999999999999"));
  EXPECT_GT(Miscoverage::parse("0.1"), Miscoverage::parse("1e-36"));
  EXPECT_LT(Miscoverage::parse("1e-36"), Miscoverage::parse("0.1"));
}

}  // namespace
