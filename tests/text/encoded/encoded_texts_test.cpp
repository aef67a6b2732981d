#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "caos/classification/evaluate_vectors.hpp"
#include "caos/onnx/onnx_runtime.hpp"
#include "caos/text/encoded/encoded_prediction.hpp"
#include "caos/text/encoded/encoder_session.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/text/encoders/tiny_encoder.hpp"

namespace {

using caos::EmbeddedTexts;
using caos::EncodedPredictor;
using caos::EncoderSession;
using caos::ErrorKind;
using caos::Grouping;
using caos::Label;
using caos::LabeledTexts;
using caos::Matrix;
using caos::Method;
using caos::MethodResult;
using caos::Miscoverage;
using caos::TextModel;
using caos::TextPrediction;
using caos::test::expect_error;
using caos::test::TempDir;
using caos::test::TinyEncoder;
using testing::ElementsAre;

const std::vector<Miscoverage> alphas = {Miscoverage::parse("0.1"), Miscoverage::parse("0.3")};

/// Texts of few words, so that some come twice and similarities tie.
std::vector<std::string> random_texts(std::size_t count, std::uint64_t seed) {
  caos::Rng rng(seed);
  const std::vector<std::string> words = {"red", "blue", "cat", "dog", "sun", "sea"};
  std::vector<std::string> texts;
  for (std::size_t t = 0; t < count; ++t) {
    std::string text = words[rng.below(words.size())];
    if (rng.below(2) == 0) text += " " + words[rng.below(words.size())];
    texts.push_back(text);
  }
  return texts;
}

LabeledTexts labeled_texts(std::size_t count, std::uint64_t seed) {
  caos::Rng rng(seed + 1000);
  LabeledTexts texts{.labels = caos::text::LabelSpace({"cold_color", "animal", "weather"}),
                     .text_columns = {"text"}};
  for (const std::string& text : random_texts(count, seed)) {
    texts.examples.push_back({.text = text, .label = rng.below(3)});
    texts.ids.push_back(std::to_string(texts.ids.size() + 1));
  }
  return texts;
}

class EncodedTextsTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string description = caos::onnx_runtime_description();
    if (description.starts_with("without")) GTEST_SKIP() << "NOT TESTED: " << description;
    TinyEncoder{}.write(folder_ / "tiny");
  }

  [[nodiscard]] EncoderSession session(const std::string& store = {},
                                       std::size_t threads = 0) const {
    return EncoderSession(
        {.model = "encoder:" + (folder_ / "tiny"), .store = store, .threads = threads});
  }

  [[nodiscard]] TextModel calibrated(const LabeledTexts& texts, bool by_label = false) const {
    EncoderSession encoder = session();
    return calibrate_embedded(embed_texts(texts, encoder), encoder.record(),
                              {.k = 2, .by_label = by_label});
  }

  TempDir folder_;
};

// The session and its store.

TEST_F(EncodedTextsTest, EveryDifferentTextIsEmbeddedOnce) {
  EncoderSession encoder = session();
  const std::vector<std::string> texts = {"red", "blue", "red", ""};
  EXPECT_EQ(encoder.count_missing(texts), 3U);
  const Matrix<float> vectors = encoder.embed(texts);
  EXPECT_EQ(encoder.tally().texts, 3U);
  EXPECT_EQ(encoder.tally().from_store, 0U);
  EXPECT_EQ(encoder.count_missing(texts), 0U);
  EXPECT_TRUE(std::ranges::equal(vectors.row(0), vectors.row(2)));
  const auto direct = encoder.encoder().embed(texts);
  for (std::size_t t = 0; t < texts.size(); ++t) {
    EXPECT_TRUE(std::ranges::equal(vectors.row(t), direct.vectors.row(t)));
  }
}

TEST_F(EncodedTextsTest, VectorsAreKeptOnTheDisk) {
  const std::vector<std::string> texts = random_texts(40, 1);
  const std::string store = folder_ / "store";
  const Matrix<float> first = session(store, 2).embed(texts);
  EncoderSession again = session(store, 1);
  const Matrix<float> second = again.embed(texts);
  EXPECT_EQ(again.tally().from_store, again.tally().texts);
  for (std::size_t t = 0; t < texts.size(); ++t) {
    EXPECT_TRUE(std::ranges::equal(first.row(t), second.row(t)));
  }
}

TEST_F(EncodedTextsTest, TruncatedTextsAreCountedFromTheStoreToo) {
  const std::string store = folder_ / "store";
  const std::vector<std::string> texts = {std::string(90, 'x'), "red"};
  for (int run = 0; run < 2; ++run) {
    EncoderSession encoder = session(store);
    (void)encoder.embed(texts);
    EXPECT_EQ(encoder.tally().truncated, 1U);
  }
}

TEST_F(EncodedTextsTest, AnotherEncoderIsAnotherStore) {
  const std::string store = folder_ / "store";
  const std::vector<std::string> texts = {"red"};
  (void)session(store).embed(texts);
  TinyEncoder other;
  other.dimension = 5;
  other.write(folder_ / "tiny");
  EncoderSession encoder = session(store);
  EXPECT_EQ(encoder.count_missing(texts), 1U);
  EXPECT_EQ(encoder.embed(texts).cols(), 5U);
}

TEST_F(EncodedTextsTest, ADamagedStoreIsNamedWithItsRemedy) {
  const std::string store = folder_ / "store";
  const std::vector<std::string> texts = {"red"};
  std::string path;
  {
    EncoderSession encoder = session(store);
    (void)encoder.embed(texts);
    path = encoder.store().path();
  }
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(-10, std::ios::end);  // cells grow from the end of a page
  file << "damage";
  file.close();
  expect_error([&] { (void)session(store).embed(texts); }, ErrorKind::bad_format,
               {path, "move it away to compute its embeddings again"});
}

// Evaluation, against `classify`.

/// Results of methods on vectors of which those at `labeled` and `test` were taken by hand.
std::vector<MethodResult> by_hand(const EmbeddedTexts& texts, const caos::TextSplit& split,
                                  const caos::EvaluateOptions& options) {
  const auto rows = [](const Matrix<float>& from, const std::vector<std::size_t>& at) {
    Matrix<double> result(at.size(), from.cols());
    for (std::size_t r = 0; r < at.size(); ++r) {
      for (std::size_t d = 0; d < from.cols(); ++d) result(r, d) = double{from(at[r], d)};
    }
    return result;
  };
  const auto labels = [&](const std::vector<std::size_t>& at) {
    std::vector<Label> result;
    for (const std::size_t i : at) result.push_back(texts.texts.examples[i].label);
    return result;
  };
  const caos::LabeledVectors labeled{.vectors = rows(texts.vectors, split.labeled),
                                     .labels = labels(split.labeled),
                                     .num_labels = 3,
                                     .label_vectors = rows(texts.label_vectors, {0, 1, 2})};
  return caos::classification::evaluate_vectors(
      labeled,
      {.vectors = rows(texts.vectors, split.test), .labels = labels(split.test), .groups = {}},
      {.methods = options.methods,
       .alphas = options.alphas,
       .k = options.k,
       .grouping = options.grouping.kind() == Grouping::Kind::by_label
                       ? Grouping::by_label(labeled.labels, 3)
                       : Grouping::none(labeled.labels.size()),
       .partition = split.partition});
}

TEST_F(EncodedTextsTest, EvaluationIsThatOfVectors) {
  EncoderSession encoder = session();
  const EmbeddedTexts texts = embed_texts(labeled_texts(30, 3), encoder);
  for (const bool grouped : {false, true}) {
    caos::EvaluateOptions options{.methods = caos::default_encoder_methods(grouped),
                                  .alphas = alphas,
                                  .k = 2,
                                  .grouping = Grouping::none(0),
                                  .partition = {}};
    if (grouped) options.grouping = Grouping::by_label({{0, 1, 2}}, 3);
    const caos::TextSplit split = caos::draw_text_split(30, 9, 4);
    const caos::EvaluationReport report = evaluate_embedded(texts, split, options);
    const std::vector<MethodResult> expected = by_hand(texts, split, options);
    ASSERT_EQ(report.results.size(), expected.size());
    for (std::size_t r = 0; r < expected.size(); ++r) {
      EXPECT_EQ(report.results[r].method, expected[r].method);
      EXPECT_EQ(report.results[r].evaluation.coverage, expected[r].evaluation.coverage);
      EXPECT_EQ(report.results[r].evaluation.mean_set_size, expected[r].evaluation.mean_set_size);
    }
    EXPECT_EQ(report.label_names.size(), 3U);
    EXPECT_EQ(report.num_test, 9U);
  }
}

TEST_F(EncodedTextsTest, ListsTheLabelsOfLabeledTextsIfThereIsNoOtherList) {
  EncoderSession encoder = session();
  LabeledTexts few = labeled_texts(12, 5);
  for (std::size_t i = 0; i < 12; ++i) few.examples[i].label = i == 11 ? 2 : i % 2;
  const EmbeddedTexts texts = embed_texts(few, encoder);
  const caos::TextSplit split{.labeled = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
                              .test = {10, 11},
                              .partition = {},
                              .labels_from_labeled = true};
  const caos::EvaluateOptions options{.methods = {Method::full_kernel},
                                      .alphas = {Miscoverage::parse("0.05")},
                                      .grouping = Grouping::none(0),
                                      .partition = {}};
  const caos::EvaluationReport report = evaluate_embedded(texts, split, options);
  EXPECT_THAT(report.label_names, ElementsAre("cold_color", "animal"));
  // Infeasible, so that sets have both labels; the text with the third is missed.
  EXPECT_EQ(report.results[0].evaluation.mean_set_size, 2);
  EXPECT_EQ(report.results[0].evaluation.coverage, 0.5);
  EXPECT_TRUE(report.results[0].guarantee.listed_labels_only);
}

// Prediction.

TEST_F(EncodedTextsTest, FullKernelPredictsAsTheClassifierOfVectorsDoes) {
  for (const bool by_label : {false, true}) {
    const LabeledTexts texts = labeled_texts(25, 7);
    const TextModel model = calibrated(texts, by_label);
    const std::vector<std::string> inputs = random_texts(10, 8);
    const Matrix<float> vectors = session().embed(inputs);
    const std::vector<TextPrediction> predictions = EncodedPredictor(model).predict(
        vectors.view(), {.alphas = alphas, .method = Method::full_kernel});
    const std::vector<Label> labels = texts.example_labels();
    const caos::VectorClassifier classifier(
        {.vectors = caos::widened(model.vectors->texts.view()),
         .labels = labels,
         .num_labels = 3,
         .label_vectors = caos::widened(model.vectors->labels.view())},
        by_label ? Grouping::by_label(labels, 3) : Grouping::none(25));
    const auto expected =
        classifier.predict(caos::widened(vectors.view()).view(), {.alphas = alphas});
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      EXPECT_EQ(predictions[t].sets, expected[t].sets);
      EXPECT_EQ(predictions[t].point, expected[t].point);
      for (Label y = 0; y < 3; ++y) EXPECT_EQ(*predictions[t].p_values[y], expected[t].p_values[y]);
    }
  }
}

TEST_F(EncodedTextsTest, CaosPredictsWithTheVotesOfSingleTexts) {
  const LabeledTexts texts = labeled_texts(20, 9);
  const TextModel model = calibrated(texts);
  const std::vector<std::string> inputs = random_texts(8, 10);
  const Matrix<float> vectors = session().embed(inputs);
  // The arrays of scores, labeled and new inputs together, as `classify` makes them.
  Matrix<double> all(28, vectors.cols());
  for (std::size_t i = 0; i < 28; ++i) {
    const auto row = i < 20 ? model.vectors->texts.row(i) : vectors.row(i - 20);
    std::ranges::copy(row, all.row(i).begin());
  }
  std::vector<Label> labels = texts.example_labels();
  const caos::LabeledVectors labeled{.vectors = caos::widened(model.vectors->texts.view()),
                                     .labels = labels,
                                     .num_labels = 3,
                                     .label_vectors = caos::widened(model.vectors->labels.view())};
  caos::classification::TestVectors test{
      .vectors = caos::widened(vectors.view()), .labels = {}, .groups = {}};
  for (const Method method : {Method::caos, Method::full_caos}) {
    const auto predictions =
        EncodedPredictor(model).predict(vectors.view(), {.alphas = alphas, .method = method});
    for (Label y = 0; y < 3; ++y) {
      // A label is in the set exactly if a test text with it would be covered.
      test.labels.assign(8, y);
      const auto results = caos::classification::evaluate_vectors(labeled, test,
                                                                  {.methods = {method},
                                                                   .alphas = alphas,
                                                                   .k = 2,
                                                                   .grouping = Grouping::none(20),
                                                                   .partition = {}});
      for (std::size_t a = 0; a < alphas.size(); ++a) {
        for (std::size_t t = 0; t < inputs.size(); ++t) {
          const auto& set = predictions[t].sets[a];
          EXPECT_EQ(std::ranges::find(set, y) != set.end(), results[a].outcomes[t].covered == 1);
        }
      }
    }
  }
}

TEST_F(EncodedTextsTest, MostSimilarTextsComeFirstAndTiesInOrder) {
  LabeledTexts texts = labeled_texts(6, 11);
  const char* const words[] = {"cat", "dog", "red", "dog", "sun", "cat"};
  for (std::size_t i = 0; i < 6; ++i) texts.examples[i].text = words[i];
  const TextModel model = calibrated(texts);
  const std::vector<std::string> inputs = {"dog"};
  const Matrix<float> vectors = session().embed(inputs);
  const EncodedPredictor predictor(model);
  const auto similar = predictor.most_similar(vectors.row(0), 2);
  EXPECT_EQ(similar[0].example, 1U);
  EXPECT_EQ(similar[1].example, 3U);
  EXPECT_NEAR(similar[0].similarity, 1, 1e-6);
  EXPECT_EQ(predictor.most_similar(vectors.row(0), 100).size(), 6U);
}

TEST_F(EncodedTextsTest, VectorsOfAnotherDimensionAreRefused) {
  const TextModel model = calibrated(labeled_texts(10, 1));
  const Matrix<float> vectors(1, 3, 1);
  expect_error(
      [&] {
        (void)EncodedPredictor(model).predict(vectors.view(),
                                              {.alphas = alphas, .method = Method::full_kernel});
      },
      ErrorKind::invalid_input, {"vectors of 3 values, and labeled ones of 8"});
}

// The file.

TEST_F(EncodedTextsTest, ModelsAreReadAsTheyWereWritten) {
  const TextModel model = calibrated(labeled_texts(15, 2), true);
  const std::string path = folder_ / "model.caos";
  write_text_model(path, model);
  const TextModel read = caos::read_text_model(path);
  EXPECT_EQ(read.scoring, model.scoring);
  EXPECT_EQ(read.examples, model.examples);
  ASSERT_TRUE(read.vectors);
  const std::vector<std::string> inputs = random_texts(6, 3);
  const Matrix<float> vectors = session().embed(inputs);
  for (const Method method : {Method::full_kernel, Method::caos}) {
    const auto of = [&](const TextModel& one) {
      std::vector<std::vector<std::optional<double>>> p_values;
      for (const auto& prediction :
           EncodedPredictor(one).predict(vectors.view(), {.alphas = alphas, .method = method})) {
        p_values.push_back(prediction.p_values);
      }
      return p_values;
    };
    EXPECT_EQ(of(read), of(model));
  }
}

TEST_F(EncodedTextsTest, ModelsWhoseVectorsDoNotFitAreRefused) {
  const TextModel model = calibrated(labeled_texts(15, 2));
  const std::string path = folder_ / "model.caos";
  TextModel broken = model;
  broken.vectors->texts(3, 0) = 7;
  write_text_model(path, broken);
  expect_error([&] { (void)caos::read_text_model(path); }, ErrorKind::bad_format,
               {path, "row 3 of 'vectors' does not have length 1"});
  broken = model;
  broken.vectors->labels.erase_row(0);
  write_text_model(path, broken);
  expect_error([&] { (void)caos::read_text_model(path); }, ErrorKind::bad_format,
               {path, "one vector per text and label"});
  broken = model;
  broken.vectors.reset();
  expect_error([&] { write_text_model(path, broken); }, ErrorKind::invalid_input,
               {"do not fit together"});
}

TEST_F(EncodedTextsTest, AnotherEncoderIsRefused) {
  EncoderSession encoder = session();
  caos::TextScoreRecord record = encoder.record();
  EXPECT_EQ(reopen_encoder(record, "model.caos", {}).encoder().identity(), record.identity);
  record.identity += "?";
  expect_error([&] { (void)reopen_encoder(record, "model.caos", {}); }, ErrorKind::invalid_input,
               {"model.caos: was calibrated with the encoder"});
}

}  // namespace
