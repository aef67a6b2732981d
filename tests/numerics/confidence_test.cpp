#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caos/error.hpp"
#include "caos/miscoverage.hpp"

namespace {

using caos::Confidence;

TEST(Confidence, IsTheDecimalThatWasWritten) {
  EXPECT_EQ(Confidence::parse("0.950").numerator(), 95);
  EXPECT_EQ(Confidence::parse("0.950").denominator(), 100);
  EXPECT_EQ(Confidence::from_double(0.95), Confidence::parse(".95"));
  EXPECT_EQ(Confidence::parse("0.95").text(), "0.95");
}

TEST(Confidence, IsPrintedInPercentWithoutRounding) {
  EXPECT_EQ(Confidence::parse("0.9").percent(), "90 %");
  EXPECT_EQ(Confidence::parse("0.95").percent(), "95 %");
  EXPECT_EQ(Confidence::parse("0.995").percent(), "99.5 %");
  EXPECT_EQ(Confidence::parse("0.0105").percent(), "1.05 %");
}

TEST(Confidence, RefusesWhatIsNotAProportion) {
  for (const char* text : {"", "0", "1", "95", "95%", "-0.5", "0.9999999999999"}) {
    try {
      static_cast<void>(Confidence::parse(text));
      ADD_FAILURE() << text << " was accepted";
    } catch (const caos::Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("confidence '" + std::string(text) + "'"));
    }
  }
}

}  // namespace
