#include "caos/io/csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::io {
namespace {

using test::expect_error;
using test::TempDir;
using testing::ElementsAre;
using Row = std::vector<std::string>;

CsvTable parse(std::string_view text) { return parse_csv(text, "t.csv"); }

void expect_refused(std::string_view text, const std::string& message) {
  expect_error([&] { (void)parse(text); }, ErrorKind::bad_format, {message});
}

TEST(Csv, ReadsAHeaderAndRows) {
  const CsvTable table = parse("text,label\nhello,1\nworld,2\n");
  EXPECT_THAT(table.header, ElementsAre("text", "label"));
  EXPECT_THAT(table.rows, ElementsAre(Row{"hello", "1"}, Row{"world", "2"}));
  EXPECT_THAT(table.lines, ElementsAre(2U, 3U));
}

TEST(Csv, ReadsAHeaderAlone) {
  EXPECT_THAT(parse("a,b").header, ElementsAre("a", "b"));
  EXPECT_TRUE(parse("a,b\n").rows.empty());
}

TEST(Csv, ReadsQuotedFields) {
  const CsvTable table = parse("a,b\n\"x,y\",\"say \"\"hi\"\"\"\n\"\",\"\"\"\"\n");
  EXPECT_THAT(table.rows, ElementsAre(Row{"x,y", "say \"hi\""}, Row{"", "\""}));
}

TEST(Csv, CountsLinesWithinQuotes) {
  const CsvTable table = parse("a,b\n\"one\ntwo\",\"\r\n\"\nx,y\n");
  EXPECT_THAT(table.rows, ElementsAre(Row{"one\ntwo", "\r\n"}, Row{"x", "y"}));
  EXPECT_THAT(table.lines, ElementsAre(2U, 5U));
}

TEST(Csv, ReadsEveryKindOfLineEnd) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const CsvTable table = parse("a,b" + end + "1,2" + end + "3,4" + end);
    EXPECT_THAT(table.rows, ElementsAre(Row{"1", "2"}, Row{"3", "4"}));
    EXPECT_THAT(table.lines, ElementsAre(2U, 3U));
  }
}

TEST(Csv, NeedsNoNewlineAtTheEnd) {
  EXPECT_THAT(parse("a,b\n1,2").rows, ElementsAre(Row{"1", "2"}));
  EXPECT_THAT(parse("a,b\n1,").rows, ElementsAre(Row{"1", ""}));
  EXPECT_THAT(parse("a,b\n1,\"2\"").rows, ElementsAre(Row{"1", "2"}));
}

TEST(Csv, DropsBlankLinesAtTheEndOnly) {
  EXPECT_THAT(parse("a\n1\n\n\r\n").rows, ElementsAre(Row{"1"}));
  EXPECT_THAT(parse("a\n\n1\n").rows, ElementsAre(Row{""}, Row{"1"}));
  EXPECT_THAT(parse("a\n1\n\"\"\n").rows, ElementsAre(Row{"1"}, Row{""}));
}

TEST(Csv, DropsAByteOrderMark) {
  EXPECT_THAT(parse("\xef\xbb\xbf"
                    "a,b\n")
                  .header,
              ElementsAre("a", "b"));
}

TEST(Csv, TakesAQuoteInsideAFieldAsItIs) {
  EXPECT_THAT(parse("a\n5\" screen\n").rows, ElementsAre(Row{"5\" screen"}));
}

TEST(Csv, RefusesRaggedRows) {
  expect_refused("a,b\n1,2\n3\n", "t.csv:3: the row has 1 fields, the header 2");
  expect_refused("a,b\n\"x\ny\",2\n3,4,5\n", "t.csv:4: the row has 3 fields, the header 2");
  expect_refused("a,b\n\n1,2\n", "t.csv:2: the row has 1 fields");
}

TEST(Csv, RefusesAQuoteWithoutAnEnd) {
  expect_refused("a\n1\n\"x\ny\n", "t.csv:3: a quote opens here and never ends");
  expect_refused("a\n\"", "t.csv:2: a quote opens here and never ends");
  expect_refused("a\n\"x\"\"", "t.csv:2: a quote opens here and never ends");
}

TEST(Csv, RefusesTextAfterAClosingQuote) {
  expect_refused("a\n\"x\ny\" z\n", "t.csv:3: text follows a closing quote");
}

TEST(Csv, RefusesEmptyFilesAndUtf16) {
  expect_refused("", "t.csv: is empty");
  expect_refused("\n\n", "t.csv: is empty");
  expect_refused(
      "\xff\xfe"
      "a",
      "t.csv: is UTF-16; save it as UTF-8");
}

TEST(Csv, ReadsFiles) {
  const TempDir dir;
  EXPECT_THAT(read_csv(dir.write("t.csv", "a\n1\n")).rows, ElementsAre(Row{"1"}));
  dir.write("bad.csv", "a,b\n1\n");
  expect_error([&] { (void)read_csv(dir / "bad.csv"); }, ErrorKind::bad_format, {"/bad.csv:2: "});
}

TEST(CsvRow, QuotesOnlyWhereNeeded) {
  EXPECT_EQ(csv_row(Row{"plain text", "", "7"}), "plain text,,7\n");
  EXPECT_EQ(csv_row(Row{"a,b", "say \"hi\"", "two\nlines", "\r"}),
            "\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\"\r\"\n");
  EXPECT_EQ(csv_row(Row{""}), "\"\"\n");
}

TEST(CsvRow, KeepsWhatLooksLikeAByteOrderMark) {
  for (const char* field : {"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff x"}) {
    EXPECT_EQ(parse(csv_row(Row{field, "b"})).header, (Row{field, "b"}));
  }
}

RC_GTEST_PROP(CsvRow, IsReadBackAsItWas, ()) {
  const auto field = rc::gen::container<std::string>(rc::gen::element('a', ',', '"', '\n', '\r'));
  const auto width = *rc::gen::inRange<std::size_t>(1, 4);
  const auto row = rc::gen::container<Row>(width, field);
  const auto rows = *rc::gen::nonEmpty(rc::gen::container<std::vector<Row>>(row));
  std::string text;
  for (const Row& r : rows) text += csv_row(r);
  const CsvTable table = parse(text);
  RC_ASSERT(table.header == rows[0]);
  RC_ASSERT(table.rows == std::vector<Row>(rows.begin() + 1, rows.end()));
}

RC_GTEST_PROP(Csv, ReadsOrRefusesAnyText, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::element('a', ',', '"', '\n', '\r'));
  try {
    const CsvTable table = parse(text);
    for (const Row& row : table.rows) RC_ASSERT(row.size() == table.header.size());
  } catch (const Error& error) {
    RC_ASSERT(error.kind() == ErrorKind::bad_format);
  }
}

}  // namespace
}  // namespace caos::io
