#include "caos/text/text_table.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "caos/io/csv.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::text {
namespace {

using test::expect_error;
using test::TempDir;
using testing::ElementsAre;
using testing::IsEmpty;

const Columns with_label{.text = {}, .label = "label", .id = {}};
const Columns all{.text = {"title", "text"}, .label = "label", .id = "id"};

TextTable read(std::string_view file, std::string_view content, const Columns& columns) {
  const TempDir folder;
  return read_text_table(folder.write(file, content), columns);
}

void expect_refused(std::string_view file, std::string_view content, const Columns& columns,
                    std::initializer_list<std::string> parts) {
  expect_error([&] { (void)read(file, content, columns); }, ErrorKind::bad_format, parts);
}

TEST(TextTable, ReadsTheTextColumnOfCsv) {
  const TextTable table = read("t.csv", "id,text,label\n7,\"a, b\",x\n8,\"c\nd\",y\n9,,x\n", {});
  EXPECT_THAT(table.texts, ElementsAre("a, b", "c\nd", ""));
  EXPECT_THAT(table.labels, IsEmpty());
  EXPECT_THAT(table.ids, ElementsAre("1", "2", "3"));
  EXPECT_THAT(table.lines, ElementsAre(2U, 3U, 5U));
}

TEST(TextTable, ReadsJsonLinesLikeCsv) {
  const TextTable csv =
      read("t.csv", "label,text,title,id\nx,one,\"A \"\"b\"\"\",1\ny,two,B,1\n", all);
  const TextTable json = read("t.jsonl",
                              "{\"id\": 1, \"title\": \"A \\\"b\\\"\", \"text\": \"one\", "
                              "\"label\": \"x\"}\n"
                              "{\"text\": \"two\", \"label\": \"y\", \"title\": \"B\", \"id\": 1, "
                              "\"more\": [null]}",
                              all);
  EXPECT_EQ(json.texts, csv.texts);
  EXPECT_EQ(json.labels, csv.labels);
  EXPECT_EQ(json.ids, csv.ids);
  EXPECT_THAT(csv.texts, ElementsAre("title: A \"b\"\ntext: one", "title: B\ntext: two"));
  EXPECT_THAT(csv.ids, ElementsAre("1", "1"));
}

TEST(TextTable, SkipsBlankLinesAndMarksOfJsonLines) {
  const TextTable table =
      read("t.ndjson", "\xef\xbb\xbf{\"text\": \"a\"}\r\n\r\n  \n{\"text\": \"b\"}\n\n", {});
  EXPECT_THAT(table.texts, ElementsAre("a", "b"));
  EXPECT_THAT(table.lines, ElementsAre(1U, 4U));
  EXPECT_THAT(table.ids, ElementsAre("1", "2"));
}

TEST(TextTable, DropsTheMarkOfCsv) {
  EXPECT_THAT(read("t.csv", "\xef\xbb\xbftext\na\n", {}).texts, ElementsAre("a"));
}

TEST(TextTable, TellsTheFormatOfOtherNamesByTheFirstCharacter) {
  EXPECT_THAT(read("t.txt", " \n{\"text\": \"a\"}", {}).texts, ElementsAre("a"));
  EXPECT_THAT(read("t.txt", "text\n{a}\n", {}).texts, ElementsAre("{a}"));
  EXPECT_THAT(read("t.csv", "{text\na\n", {.text = {"{text"}}).texts, ElementsAre("a"));
  expect_refused("t.json", "[{\"text\": \"a\"}]", {}, {"t.json:1", "not an object", "JSON Lines"});
}

TEST(TextTable, MakesTextsOfNumbers) {
  const TextTable table = read(
      "t.jsonl", "{\"text\": 12, \"label\": -0.5}\n{\"text\": \"3\", \"label\": 1}", with_label);
  EXPECT_THAT(table.texts, ElementsAre("12", "3"));
  EXPECT_THAT(table.labels, ElementsAre("-0.5", "1"));
}

TEST(TextTable, MayHaveNoRows) {
  EXPECT_EQ(read("t.csv", "text,label\n", with_label).size(), 0U);
  EXPECT_EQ(read("t.jsonl", "", with_label).size(), 0U);
  expect_refused("t.csv", "", with_label, {"t.csv", "is empty"});
}

TEST(TextTable, NamesTheColumnsThereAre) {
  expect_refused("t.csv", "Sentence,Label\na,b\n", {}, {"t.csv", "'text'", "'Sentence', 'Label'"});
  expect_refused("t.jsonl", "{\"text\": \"a\", \"label\": \"b\"}\n{\"text\": \"a\"}", with_label,
                 {"t.jsonl:2", "no 'label'", "it has 'text'"});
  expect_refused("t.csv", "text,text\na,b\n", {}, {"two columns 'text'"});
}

TEST(TextTable, RefusesBadRowsByTheirLine) {
  expect_refused("t.csv", "text,label\n\"a\nb\",x\nc,\n", with_label,
                 {"t.csv:4", "label", "empty"});
  expect_refused("t.csv", "text,label\na,x\nb\n", with_label, {"t.csv:3"});
  expect_refused("t.jsonl", "\n[1]\n", {}, {"t.jsonl:2", "not an object"});
  expect_refused("t.jsonl", "\n{\"text\": \"a\"\n", {},
                 {"t.jsonl:2", "not valid JSON here; look for a missing quote"});
  expect_refused("t.jsonl", "{\"text\": \"a\"} {\"text\": \"b\"}", {}, {"t.jsonl:1"});
  expect_refused("t.jsonl", "{\"text\": 1e999}", {}, {"t.jsonl:1", "too large"});
  expect_refused("t.jsonl", std::string(100000, '['), {}, {"t.jsonl:1", "too deeply"});
  for (const std::string value : {"null", "true", "[]", "{}"}) {
    expect_refused("t.jsonl", "{\"text\": " + value + "}", {},
                   {"t.jsonl:1", "'text'", "neither a text nor a number"});
  }
}

TEST(TextTable, RefusesWhatIsNotUtf8ByItsLine) {
  expect_refused("t.csv", "text\ngood\nna\xefve\n", {}, {"t.csv:3", "UTF-8"});
  expect_refused("t.jsonl", "{\"text\": \"\xff\"}", {}, {"t.jsonl:1", "UTF-8"});
  expect_refused("t.csv", std::string_view("\xff\xfet\0e\0", 6), {}, {"UTF-8"});
}

TEST(TextTable, ThatIsMissingIsNotFound) {
  expect_error([] { (void)read_text_table("no/such.csv", {}); }, ErrorKind::not_found,
               {"no/such.csv"});
}

TEST(TextTable, GivesLabelsOfASpace) {
  const TextTable table = read("t.csv", "text,label\na,y\nb,x\nc,y\n", with_label);
  EXPECT_THAT(labels_of(table, LabelSpace({"x", "y"})), ElementsAre(1U, 0U, 1U));
  EXPECT_THAT(labeled_texts(table, LabelSpace({"y", "x"})),
              ElementsAre(LabeledText{"a", 0}, LabeledText{"b", 1}, LabeledText{"c", 0}));
  EXPECT_THAT(labels_in(table).names(), ElementsAre("x", "y"));
  expect_error(
      [&] {
        (void)labels_of(table, LabelSpace({"x", "z"}));
      },
      ErrorKind::bad_format, {"t.csv:2", "'y'", "'x', 'z'"});
}

TEST(TextTable, WithOneLabelHasNoLabelSpace) {
  const TextTable table = read("t.csv", "text,label\na,y\n", with_label);
  expect_error([&] { (void)labels_in(table); }, ErrorKind::invalid_input, {"t.csv", "two labels"});
}

RC_GTEST_PROP(TextTable, KeepsAnyTextInBothFormats, ()) {
  const auto words = rc::gen::elementOf(
      std::vector<std::string>{"a", ",", "\"", "\n", "\r\n", "{", "\\", " ", "\xc3\xa9", "\t", ""});
  const auto lists = rc::gen::container<std::vector<std::vector<std::string>>>(
      rc::gen::container<std::vector<std::string>>(words));
  std::vector<std::string> texts;
  for (const auto& parts : *rc::gen::resize(12, lists)) {
    texts.push_back(fmt::format("{}", fmt::join(parts, "")));
  }
  std::string csv = "text\n";
  std::string json;
  for (const std::string& text : texts) {
    csv += io::csv_row(std::vector{text});
    json += nlohmann::json{{"text", text}}.dump() + "\n";
  }
  static const TempDir folder;
  RC_ASSERT(read_text_table(folder.write("t.csv", csv), {}).texts == texts);
  RC_ASSERT(read_text_table(folder.write("t.jsonl", json), {}).texts == texts);
}

}  // namespace
}  // namespace caos::text
