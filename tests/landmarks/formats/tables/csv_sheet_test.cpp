#include "caos/landmarks/formats/tables/csv_sheet.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"

namespace caos::landmarks {
namespace {

using caos::test::expect_error;
using testing::ElementsAre;
using testing::IsEmpty;

using Row = std::vector<std::string>;

TEST(Sheet, IsSeparatedByTheFirstSeparatorOfItsFirstLine) {
  EXPECT_EQ(separator_of("a,b;c\n"), ',');
  EXPECT_EQ(separator_of("a;b,c\n"), ';');
  EXPECT_EQ(separator_of("\"a,b\"\tc\n"), '\t');
  EXPECT_EQ(separator_of("a b c\nd,e\n"), ' ');
  EXPECT_EQ(separator_of("a b\n"), ',');
  EXPECT_EQ(separator_of(""), ',');
}

TEST(Sheet, LeavesOutWhatIsEmpty) {
  const Sheet sheet = parse_sheet("\n,,,\na,b,,\n\n1,2,,\n,,,\n,3,,\n", "t.csv");
  EXPECT_EQ(sheet.header, (Row{"a", "b"}));
  EXPECT_THAT(sheet.rows, ElementsAre(Row{"1", "2"}, Row{"", "3"}));
  EXPECT_THAT(sheet.lines, ElementsAre(5U, 7U));
}

TEST(Sheet, HasRowNamesWhereRWroteThem) {
  EXPECT_EQ(parse_sheet("\"x\",\"y\"\n\"a\",1,2\n\"b\",3,4\n", "t.csv").header,
            (Row{"", "x", "y"}));
  expect_error([] { (void)parse_sheet("x,y\na,1,2\n3,4\n", "t.csv"); }, ErrorKind::bad_format,
               {"t.csv:2: the row has 3 fields, the header 2"});
}

TEST(Sheet, AllowsDecimalCommasUnlessCommasSeparate) {
  EXPECT_FALSE(parse_sheet("a,b\n", "t.csv").decimal_commas);
  EXPECT_TRUE(parse_sheet("a;b\n", "t.csv").decimal_commas);
  EXPECT_TRUE(parse_sheet("a\tb\n", "t.csv").decimal_commas);
}

TEST(Sheet, ThatIsEmptyIsRefused) {
  for (const char* text : {"", "\n\n", ",,\n"}) {
    expect_error([&] { (void)parse_sheet(text, "t.csv"); }, ErrorKind::bad_format,
                 {"t.csv: is empty"});
  }
}

TEST(Sheet, HasAFirstRow) {
  EXPECT_EQ(first_row("\n a;b\n1;2\n"), (Row{"a", "b"}));
  EXPECT_THAT(first_row("\"unfinished\n"), IsEmpty());
  EXPECT_THAT(first_row(""), IsEmpty());
}

}  // namespace
}  // namespace caos::landmarks
