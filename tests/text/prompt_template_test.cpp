#include "caos/text/prompt_template.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::text {
namespace {

using test::expect_error;

void expect_refused(const std::string& text, std::initializer_list<std::string> parts) {
  expect_error([&] { (void)PromptTemplate::parse(text, "p.txt"); }, ErrorKind::bad_format, parts);
}

TEST(PromptTemplate, OfThePaperAsksAsThePaperDoes) {
  EXPECT_EQ(PromptTemplate::paper().prompt("good food", "positive", "bad food"),
            "This is a text classification task.\n"
            "You will get one example, then predict the most appropriate label.\n"
            "Return only the label.\n"
            "\n"
            "Example:\n"
            "Text: good food\n"
            "Label: positive\n"
            "\n"
            "Text: bad food\n"
            "Label:");
}

TEST(PromptTemplate, MayHaveNothingBetweenOrAfterItsFields) {
  const auto prompt = PromptTemplate::parse("a {reference_text} b {reference_label}{text}", "p");
  EXPECT_EQ(prompt.prompt("R", "L", "T"), "a R b LT");
  EXPECT_EQ(prompt.source(), "a {reference_text} b {reference_label}{text}");
}

TEST(PromptTemplate, TakesTextOutsideOfFieldsLiterally) {
  const std::string odd =
      "{} { x } {0} {\"text\": {reference_text}} {a b} {reference_label} }{ {text} {";
  const auto prompt = PromptTemplate::parse(odd, "p");
  EXPECT_EQ(prompt.prompt("R", "L", "T"), "{} { x } {0} {\"text\": R} {a b} L }{ T {");
}

TEST(PromptTemplate, DropsOneNewlineAtTheEnd) {
  const auto prompt = PromptTemplate::parse("{reference_text}{reference_label}{text}\n\n", "p");
  EXPECT_EQ(prompt.prompt("R", "L", "T"), "RLT\n");
}

TEST(PromptTemplate, IsReadFromAFile) {
  const test::TempDir folder;
  const std::string path = folder.write("p.txt", "{reference_text} {reference_label} {text}:\n");
  EXPECT_EQ(PromptTemplate::read(path).prompt("R", "L", "T"), "R L T:");
}

TEST(PromptTemplate, NeedsEveryFieldOnceAndInOrder) {
  expect_refused("", {"p.txt", "{reference_text} is missing"});
  expect_refused("{reference_text} {text}", {"{text}", "is out of place"});
  expect_refused("{reference_text} {reference_label}", {"{text} is missing"});
  expect_refused("{reference_label} {reference_text} {text}", {"{reference_label}"});
  expect_refused("{reference_text} {reference_label} {text} {text}", {"{text}"});
  expect_refused("{reference_text} {reference_label} {text} {label}", {"{label}"});
  expect_refused("{reference_text} {refrence_label} {text}", {"{refrence_label}"});
  expect_refused("\xff{reference_text} {reference_label} {text}", {"UTF-8"});
}

RC_GTEST_PROP(PromptTemplate, PutsFieldsInWithoutLookingIntoThem, ()) {
  const auto pieces = rc::gen::elementOf(
      std::vector<std::string>{"", "{text}", "{reference_label}", "{", "}", "\n", "a"});
  const std::string r = *pieces + *pieces;
  const std::string l = *pieces;
  const std::string t = *pieces + *pieces;
  const auto prompt = PromptTemplate::parse("1{reference_text}2{reference_label}3{text}4", "p");
  RC_ASSERT(prompt.opening(r, l) == "1" + r + "2" + l + "3");
  RC_ASSERT(prompt.prompt(r, l, t) == "1" + r + "2" + l + "3" + t + "4");
}

}  // namespace
}  // namespace caos::text
