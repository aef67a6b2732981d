#include "caos/landmarks/formats/positions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <stdexcept>

#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

using testing::ElementsAre;

TEST(Decimal, HasACommaOnlyWhereThatIsAllowed) {
  EXPECT_EQ(parse_decimal(" 1.5 ", false), 1.5);
  EXPECT_EQ(parse_decimal("1,5", true), 1.5);
  EXPECT_EQ(parse_decimal("-0,25", true), -0.25);
  EXPECT_EQ(parse_decimal("1,5", false), std::nullopt);
  for (const char* text : {"1,2,3", "1.000,5", ",", "a,b", "", "1,5x", "inf"}) {
    EXPECT_EQ(parse_decimal(text, true), std::nullopt) << text;
  }
}

TEST(MissingWord, IsThatOfManyTools) {
  for (const char* text : {"", " ", "NA", "na", "NaN", "nan", "N/A", "null", "None", "-"}) {
    EXPECT_TRUE(is_missing_word(text)) << text;
  }
  for (const char* text : {"0", "-1", "--", "nano", "x"}) EXPECT_FALSE(is_missing_word(text));
}

TEST(PointFields, AreSeparatedInManyWays) {
  const auto two = ElementsAre("12.5", "7.25");
  for (const char* line : {"12.5 7.25", "12.5\t7.25", "12.5\t\t7.25", "12.5,7.25", "12.5 , 7.25",
                           "12.5 ,7.25", "12.5;7.25", "12,5;7,25", "12,5 7,25", "12.5;7.25;"}) {
    EXPECT_THAT(point_fields(line), two) << line;
  }
  EXPECT_THAT(point_fields("nose tip;1;2"), ElementsAre("nose tip", "1", "2"));
  EXPECT_THAT(point_fields("nose tip\t1\t2"), ElementsAre("nose tip", "1", "2"));
  EXPECT_THAT(point_fields("1,2,3,4"), ElementsAre("1", "2", "3", "4"));
}

/// Whatever separates two numbers, they come back.
RC_GTEST_PROP(PointFields, GiveNumbersBack, (double x, double y)) {
  RC_PRE(std::isfinite(x) && std::isfinite(y));
  const auto separator = *rc::gen::element<std::string>(" ", "\t", ";", ",", ", ", "  ");
  const auto fields = point_fields(number_text(x) + separator + number_text(y));
  RC_ASSERT(fields.size() == 2U);
  RC_ASSERT(parse_number(fields[0]) == x);
  RC_ASSERT(parse_number(fields[1]) == y);
}

TEST(Position, IsThereOrMissingAsAWhole) {
  const Refuse refuse = [](const std::string& what) { throw std::runtime_error(what); };
  EXPECT_EQ(parse_position("1,5", "2", true, refuse), (Position{1.5, 2}));
  EXPECT_EQ(parse_position("NA", "", false, refuse), std::nullopt);
  EXPECT_THROW((void)parse_position("NA", "2", false, refuse), std::runtime_error);
  EXPECT_THROW((void)parse_position("1", "1e10", false, refuse), std::runtime_error);
}

}  // namespace
}  // namespace caos::landmarks
