#include "caos/text/text_session.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "caos/text/text_calibration.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos {
namespace {

using test::expect_error;
using test::TempDir;

const text::Question question{.labels = text::LabelSpace({"praise", "complaint"})};

const std::vector<text::LabeledText> examples = {{"thanks, all is well", 0},
                                                 {"it came broken", 1},
                                                 {"well done, many thanks", 0},
                                                 {"broken again and late", 1},
                                                 {"late, late, late", 1}};

LabeledTexts labeled(std::size_t count) {
  LabeledTexts texts{.labels = question.labels, .text_columns = {"text"}};
  for (std::size_t i = 0; i < count; ++i) {
    texts.examples.push_back(examples[i]);
    texts.ids.push_back(std::to_string(i + 1));
  }
  return texts;
}

TextModel calibrated(TextSession& session, std::size_t count, const TextCalibrateOptions& options) {
  LabeledTexts texts = labeled(count);
  const Matrix<Score> scores = session.score_labeled(texts.examples);
  return calibrate_texts(std::move(texts), {.rows = scores.view(), .num_labels = 2, .name = "own"},
                         session.record(), options);
}

TEST(TextSession, MakesAStoreOnlyWhereItMay) {
  const TempDir folder;
  const TextSession looking(
      {.question = question, .store = folder / "scores", .make_store = false});
  EXPECT_EQ(looking.store().path(), "");
  EXPECT_FALSE(std::filesystem::exists(folder / "scores"));
  TextSession making({.question = question, .store = folder / "scores"});
  (void)making.score_labeled(examples);
  const TextSession looking_again(
      {.question = question, .store = folder / "scores", .make_store = false});
  EXPECT_EQ(looking_again.store().path(), making.store().path());
  EXPECT_EQ(looking_again.store().size(), 20U);
}

TEST(TextSession, ForgetsWhatIsInMemoryAlone) {
  const TempDir folder;
  TextSession in_memory({.question = question});
  TextSession on_disk({.question = question, .store = folder / "scores"});
  for (TextSession* session : {&in_memory, &on_disk}) {
    (void)session->score_labeled(examples);
    session->forget();
  }
  EXPECT_EQ(in_memory.store().size(), 0U);
  EXPECT_EQ(on_disk.store().size(), 20U);
}

TEST(TextSession, LetsFewThreadsWaitForAProgram) {
  const std::string program = R"(command:echo '{"name": "still"}'; cat > /dev/null)";
  const TextSession session({.model = program, .question = question, .threads = 64});
  EXPECT_EQ(session.threads(), 2U);
  const TextSession builtin({.question = question, .threads = 64});
  EXPECT_EQ(builtin.threads(), 64U);
}

TEST(TextForecast, CountsWhatIsLeftAndKeepsNothing) {
  TextSession session({.question = question});
  (void)session.score_labeled(std::span(examples).first(2));
  const TextForecast forecast = session.forecast(examples);
  EXPECT_EQ(forecast.plan.pairs, 20U);
  EXPECT_EQ(forecast.plan.pairs_in_store, 2U);
  EXPECT_EQ(forecast.pairs_to_compute(), 18U);
  EXPECT_EQ(forecast.prompts(), 36U);
  EXPECT_TRUE(forecast.knows_shortened());
  EXPECT_GT(forecast.estimated_seconds(), 0.0);
  EXPECT_EQ(forecast.destination, "");
  EXPECT_EQ(session.store().size(), 2U);

  (void)session.score_labeled(examples);
  EXPECT_EQ(session.forecast(examples).estimated_seconds(), std::nullopt);
}

TEST(OptionsLike, AreThoseOfTheLabeledTextsButForWhatChangesNoScore) {
  const TextScoreRecord record{.model = "server:http://there",
                               .context = 128,
                               .chat = true,
                               .server_model = "seven",
                               .normalization = Normalization::softmax};
  const TextSessionOptions same = options_like(record, {.model = "", .store = "scores"});
  EXPECT_EQ(same.model, "server:http://there");
  EXPECT_EQ(same.model_options.context, 128U);
  EXPECT_TRUE(same.model_options.chat);
  EXPECT_EQ(same.model_options.server_model, "seven");
  EXPECT_EQ(same.normalization, Normalization::softmax);
  EXPECT_EQ(same.store, "scores");
  const TextSessionOptions moved = options_like(
      record, {.model = "server:http://here", .model_options = {.server_model = "eight"}});
  EXPECT_EQ(moved.model, "server:http://here");
  EXPECT_EQ(moved.model_options.server_model, "eight");
}

TEST(ReopenSession, AsksTheSameModelTheSameQuestion) {
  const auto prompt = text::PromptTemplate::parse("{reference_text}{reference_label}{text}", "own");
  const TextSession session({.question = {.prompt = prompt, .labels = question.labels},
                             .normalization = Normalization::softmax});
  const TextSession again =
      reopen_session(session.record(), question.labels, "model.caos", {.model = ""});
  EXPECT_EQ(again.record(), session.record());
  EXPECT_EQ(again.labels(), question.labels);
}

TEST(ReopenSession, RefusesAnotherModelBeforeAStoreIsMade) {
  const TempDir folder;
  TextScoreRecord record = TextSession({.question = question}).record();
  record.identity = "llama:0123";
  expect_error(
      [&] {
        (void)reopen_session(record, question.labels, "model.caos", {.store = folder / "scores"});
      },
      ErrorKind::invalid_input, {"model.caos", "llama:0123", "builtin"});
  EXPECT_FALSE(std::filesystem::exists(folder / "scores"));
}

TEST(WithExample, EqualsCalibratingAllTextsAgain) {
  for (const bool by_label : {false, true}) {
    TextSession session({.question = question});
    const TextCalibrateOptions options{.k = 2, .by_label = by_label};
    TextModel grown = calibrated(session, 3, options);
    for (std::size_t i = 3; i < examples.size(); ++i) {
      grown = with_example(grown, session, examples[i], std::to_string(i + 1));
    }
    const TextModel all = calibrated(session, examples.size(), options);
    EXPECT_EQ(grown.examples, all.examples);
    EXPECT_EQ(grown.ids, all.ids);
    EXPECT_EQ(grown.calibration.num_references(), examples.size());
    for (std::size_t i = 0; i < examples.size(); ++i) {
      EXPECT_TRUE(std::ranges::equal(grown.calibration.nearest(i), all.calibration.nearest(i)));
      EXPECT_EQ(grown.calibration.grouping().of_example(i),
                all.calibration.grouping().of_example(i));
    }
  }
}

TEST(WithExample, RefusesALabelThatThereIsNot) {
  TextSession session({.question = question});
  const TextModel model = calibrated(session, 3, {.k = 1});
  const std::vector<Score> scores(3, 1.0);
  expect_error(
      [&] {
        (void)with_example(model, {"text", 2}, "4", scores, scores);
      },
      ErrorKind::invalid_input, {"label 2", "2 labels"});
}

}  // namespace
}  // namespace caos
