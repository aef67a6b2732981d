#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "caos/text.hpp"
#include "caos/text/text_model.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/support/test_folders.hpp"

namespace caos {
namespace {

using test::expect_error;
using testing::ElementsAre;

const std::string messages = caos::test::source_folder() + "/examples/messages/messages.csv";

TextRows some_rows(std::size_t first, std::size_t count) {
  const TextRows all = read_text_rows(messages);
  const auto part = [&](const std::vector<std::string>& column) {
    const auto begin = column.begin() + static_cast<std::ptrdiff_t>(first);
    return std::vector<std::string>(begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  return {part(all.texts), part(all.labels)};
}

TEST(TextRows, AreThoseOfTheTable) {
  const TextRows rows = read_text_rows(messages);
  EXPECT_EQ(rows.texts.size(), 163U);
  EXPECT_EQ(rows.labels[1], "refund");
  EXPECT_TRUE(read_text_rows(messages, {"text"}, "").labels.empty());
  expect_error([] { static_cast<void>(read_text_rows(messages, {"txt"})); }, ErrorKind::bad_format,
               {"txt"});
}

TEST(TextClassifier, ComesBackFromItsFile) {
  const test::TempDir dir;
  const TextClassifier classifier = TextClassifier::calibrate(some_rows(0, 24), {}, {.k = 2});
  classifier.save(dir / "model.caos");
  const TextClassifier loaded = TextClassifier::load(dir / "model.caos");
  EXPECT_EQ(loaded.size(), 24U);
  EXPECT_EQ(loaded.labels(), classifier.labels());
  const auto alpha = Miscoverage::parse("0.2");
  const std::vector<std::string> texts = some_rows(24, 6).texts;
  for (const Method method : {Method::caos, Method::full_caos}) {
    const auto before = classifier.predict(texts, alpha, method);
    const auto after = loaded.predict(texts, alpha, method);
    ASSERT_EQ(before.size(), texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      EXPECT_EQ(before[i].set, after[i].set);
      EXPECT_EQ(before[i].best, after[i].best);
    }
  }
}

TEST(TextClassifier, CountsHowOftenItsSetsContainTheLabel) {
  const TextClassifier classifier = TextClassifier::calibrate(some_rows(0, 30));
  const auto alpha = Miscoverage::parse("0.2");
  TextRows test = some_rows(30, 10);
  test.labels[0] = "a label that no text has";
  double covered = 0;
  const auto sets = classifier.predict(test.texts, alpha);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    covered += static_cast<double>(std::ranges::count(sets[i].set, test.labels[i]));
  }
  EXPECT_DOUBLE_EQ(classifier.evaluate(test, alpha).coverage, covered / 10);
  expect_error([&] { static_cast<void>(classifier.evaluate({}, alpha)); }, ErrorKind::invalid_input,
               {"label"});
}

TEST(TextClassifier, SaysWhatItGuarantees) {
  const auto alpha = Miscoverage::parse("0.2");
  const TextRows rows = some_rows(0, 12);
  EXPECT_TRUE(TextClassifier::calibrate(rows).guarantee(alpha).listed_labels_only);
  std::vector<std::string> labels = TextClassifier::calibrate(rows).labels();
  labels.push_back("another");
  const TextClassifier listed = TextClassifier::calibrate(rows, labels);
  EXPECT_FALSE(listed.guarantee(alpha).listed_labels_only);
  EXPECT_EQ(listed.labels().size(), 7U);
  EXPECT_TRUE(listed.is_feasible(alpha));
  EXPECT_FALSE(listed.is_feasible(Miscoverage::parse("0.05")));
}

TEST(TextClassifier, RefusesWhatItCannotCalibrate) {
  expect_error(
      [] {
        static_cast<void>(TextClassifier::calibrate(some_rows(0, 12), {"refund", "x"}));
      },
      ErrorKind::invalid_input, {"unknown label 'delivery'"});
  expect_error([] { static_cast<void>(TextClassifier::calibrate(some_rows(0, 3))); },
               ErrorKind::invalid_input, {"k"});
  expect_error(
      [] {
        static_cast<void>(TextClassifier::calibrate({{"a", "b"}, {"x"}}));
      },
      ErrorKind::invalid_input, {"label"});
}

TEST(TextClassifier, SendsTextsNowhereBecauseAFileSaysSo) {
  const test::TempDir dir;
  TextClassifier::calibrate(some_rows(0, 12)).save(dir / "model.caos");
  TextModel model = read_text_model(dir / "model.caos");
  model.scoring.model = "command:true";
  write_text_model(dir / "model.caos", model);
  expect_error([&] { static_cast<void>(TextClassifier::load(dir / "model.caos")); },
               ErrorKind::invalid_input, {"command:true", "if you agree"});
}

}  // namespace
}  // namespace caos
