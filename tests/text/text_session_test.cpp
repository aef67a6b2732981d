#include "caos/text/text_session.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "caos/text/text_calibration.hpp"
#include "caos/text/text_forecast.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos {
namespace {

using test::expect_error;
using test::TempDir;

text::Question question() { return {.labels = text::LabelSpace({"praise", "complaint"})}; }

const std::vector<text::LabeledText> examples = {{"thanks, all is well", 0},
                                                 {"it came broken", 1},
                                                 {"well done, many thanks", 0},
                                                 {"broken again and late", 1},
                                                 {"late, late, late", 1}};

LabeledTexts labeled(std::size_t count) {
  LabeledTexts texts{.labels = question().labels, .text_columns = {"text"}};
  for (std::size_t i = 0; i < count; ++i) {
    texts.examples.push_back(examples[i]);
    texts.ids.push_back(std::to_string(i + 1));
  }
  return texts;
}

TextModel calibrated(TextSession& session, std::size_t count, const TextCalibrateOptions& options) {
  LabeledTexts texts = labeled(count);
  const Matrix<Score> scores = session.scorer().score_labeled(texts.examples);
  return calibrate_texts(std::move(texts), {.rows = scores.view(), .num_labels = 2, .name = "own"},
                         session.record(), options);
}

TEST(TextSession, MakesAStoreOnlyWhereItMay) {
  const TempDir folder;
  TextSession looking({.store = folder / "scores", .make_store = false}, question());
  EXPECT_EQ(looking.store().path(), "");
  EXPECT_FALSE(std::filesystem::exists(folder / "scores"));
  TextSession making({.store = folder / "scores"}, question());
  (void)making.scorer().score_labeled(examples);
  TextSession looking_again({.store = folder / "scores", .make_store = false}, question());
  EXPECT_EQ(looking_again.store().path(), making.store().path());
  EXPECT_EQ(looking_again.store().size(), 20U);
}

TEST(TextSession, LetsAModelBeRefusedBeforeAStoreIsMade) {
  const TempDir folder;
  expect_error(
      [&] {
        const TextSession refused(
            {.store = folder / "scores"}, question(),
            [](const text::LanguageModel&) { throw Error(ErrorKind::invalid_input, "not this"); });
      },
      ErrorKind::invalid_input, {"not this"});
  EXPECT_FALSE(std::filesystem::exists(folder / "scores"));
}

TEST(TextSession, ForgetsWhatIsInMemoryAlone) {
  const TempDir folder;
  TextSession in_memory({}, question());
  TextSession on_disk({.store = folder / "scores"}, question());
  for (TextSession* session : {&in_memory, &on_disk}) {
    (void)session->scorer().score_labeled(examples);
    session->forget();
  }
  EXPECT_EQ(in_memory.store().size(), 0U);
  EXPECT_EQ(on_disk.store().size(), 20U);
}

TEST(TextSession, LetsFewThreadsWaitForAProgram) {
  const std::string program = R"(command:echo '{"name": "still"}'; cat > /dev/null)";
  const TextSession session({.model = program, .threads = 64}, question());
  EXPECT_EQ(session.scoring_options({}).threads, 2U);
  const TextSession builtin({.threads = 64}, question());
  EXPECT_EQ(builtin.scoring_options({}).threads, 64U);
}

TEST(TextForecast, CountsWhatIsLeftAndKeepsNothing) {
  TextSession session({}, question());
  (void)session.scorer().score_labeled(std::span(examples).first(2));
  const TextForecast forecast = forecast_scoring(session, examples);
  EXPECT_EQ(forecast.plan.pairs, 20U);
  EXPECT_EQ(forecast.plan.pairs_in_store, 2U);
  EXPECT_EQ(forecast.pairs_to_compute(), 18U);
  EXPECT_EQ(forecast.prompts(), 36U);
  EXPECT_TRUE(forecast.knows_shortened());
  EXPECT_GT(forecast.estimated_seconds(), 0.0);
  EXPECT_EQ(forecast.destination, "");
  EXPECT_EQ(session.store().size(), 2U);

  (void)session.scorer().score_labeled(examples);
  EXPECT_EQ(forecast_scoring(session, examples).estimated_seconds(), std::nullopt);
}

TEST(OptionsLike, AreThoseOfTheLabelledTextsButForWhatChangesNoScore) {
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

TEST(CheckIdentity, RefusesAnotherModel) {
  TextSession session({}, question());
  TextScoreRecord record = session.record();
  check_identity(record, session.model(), "model.caos");
  record.identity = "llama:0123";
  expect_error([&] { check_identity(record, session.model(), "model.caos"); },
               ErrorKind::invalid_input, {"model.caos", "llama:0123", "builtin"});
}

TEST(WithExample, EqualsCalibratingAllTextsAnew) {
  for (const bool by_label : {false, true}) {
    TextSession session({}, question());
    const TextCalibrateOptions options{.k = 2, .by_label = by_label};
    TextModel grown = calibrated(session, 3, options);
    TextScorer scorer = session.scorer();
    for (std::size_t i = 3; i < examples.size(); ++i) {
      grown = with_example(grown, scorer, examples[i], std::to_string(i + 1));
    }
    const TextModel anew = calibrated(session, examples.size(), options);
    EXPECT_EQ(grown.examples, anew.examples);
    EXPECT_EQ(grown.ids, anew.ids);
    EXPECT_EQ(grown.calibration.num_references(), examples.size());
    for (std::size_t i = 0; i < examples.size(); ++i) {
      EXPECT_TRUE(std::ranges::equal(grown.calibration.nearest(i), anew.calibration.nearest(i)));
      EXPECT_EQ(grown.calibration.grouping().of_example(i),
                anew.calibration.grouping().of_example(i));
    }
  }
}

TEST(WithExample, RefusesALabelThatThereIsNot) {
  TextSession session({}, question());
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
