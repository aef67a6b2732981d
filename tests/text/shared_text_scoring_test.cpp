#include "caos/text/shared_text_scoring.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/support/expect_error.hpp"
#include "tests/support/hashed_model.hpp"
#include "tests/support/thread_ranks.hpp"

namespace caos {
namespace {

using dist::Communicator;
using test::expect_error;
using test::HashedModel;
using text::LabeledText;
using text::ScoreStore;

constexpr std::size_t num_labels = 3;
const text::Question question{.labels = text::LabelSpace({"yes", "no", "it may be so"})};

/// Texts of which some are equal, one empty; more than a chunk of them.
std::vector<LabeledText> some_examples(std::size_t count) {
  std::vector<LabeledText> examples;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t number = i * 7 % (count - 3);
    examples.push_back({number == 3 ? "" : "text " + std::to_string(number), i / 5 % num_labels});
  }
  return examples;
}

auto figures(const TextScoringTally& tally) {
  return std::tuple(tally.pairs, tally.pairs_from_store, tally.shortened, tally.tokens);
}

/// Everything that the store knows of the examples.
std::vector<std::vector<std::optional<text::ScoredText>>> content(
    const ScoreStore& store, const std::vector<LabeledText>& examples) {
  std::vector<std::string> texts = {""};
  for (const LabeledText& example : examples) texts.push_back(example.text);
  std::vector<std::vector<std::optional<text::ScoredText>>> all;
  for (const LabeledText& reference : examples) all.push_back(store.find(reference, texts));
  return all;
}

/// A model that takes its time, so that every rank gets some of the work.
class SlowModel final : public text::LanguageModel {
 public:
  explicit SlowModel(HashedModel::Options options) : hashed_(num_labels, std::move(options)) {}

  [[nodiscard]] std::string description() const override { return hashed_.description(); }
  [[nodiscard]] std::string identity() const override { return hashed_.identity(); }
  [[nodiscard]] std::vector<text::ScoredText> score(
      const LabeledText& reference, std::span<const std::string> texts) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return hashed_.score(reference, texts);
  }
  [[nodiscard]] text::ScoringCost cost(const LabeledText& reference,
                                       std::span<const std::string> texts) const override {
    return hashed_.cost(reference, texts);
  }

 private:
  HashedModel hashed_;
};

/// Fills the store on so many ranks.
thread_ranks::Run fill(std::size_t size, ScoreStore& store,
                       const std::vector<LabeledText>& examples, const TextScoringOptions& options,
                       TextScoringTally& tally,
                       const std::function<HashedModel::Options(std::size_t)>& model_of = {}) {
  return thread_ranks::run(size, [&](Communicator& ranks) {
    const SlowModel model(model_of ? model_of(ranks.rank()) : HashedModel::Options{});
    if (!ranks.is_first()) return help_to_fill_store(ranks, model, options.threads);
    tally = fill_store_on_ranks(ranks, model, question, store, examples, options);
  });
}

TEST(SharedTextScoring, FillsTheStoreAndCountsAsOneProcess) {
  const std::vector<LabeledText> examples = some_examples(41);
  const HashedModel model(num_labels);
  for (const auto normalization : {Normalization::average, Normalization::pmi}) {
    const TextScoringOptions options{.normalization = normalization, .threads = 2};
    ScoreStore expected = ScoreStore::in_memory(model, question);
    TextScorer scorer(model, question, expected, options);
    const Matrix<Score> scores = scorer.score_labeled(examples);
    for (const std::size_t size : {1U, 2U, 3U, 5U}) {
      ScoreStore store = ScoreStore::in_memory(model, question);
      TextScoringTally tally;
      for (const auto& thrown : fill(size, store, examples, options, tally).thrown) {
        EXPECT_FALSE(thrown);
      }
      EXPECT_EQ(figures(tally), figures(scorer.tally()));
      EXPECT_EQ(store.size(), expected.size());
      EXPECT_EQ(content(store, examples), content(expected, examples));
      // What it kept is all that is needed.
      TextScorer again(model, question, store, options);
      static_cast<void>(again.score_labeled(examples));
      EXPECT_EQ(again.tally().pairs_from_store, again.tally().pairs);
    }
  }
}

TEST(SharedTextScoring, ComputesOnlyWhatTheStoreDoesNotKnow) {
  const std::vector<LabeledText> examples = some_examples(41);
  const std::vector<LabeledText> some(examples.begin(), examples.begin() + 17);
  const HashedModel model(num_labels);
  ScoreStore store = ScoreStore::in_memory(model, question);
  TextScorer first(model, question, store, {});
  static_cast<void>(first.score_labeled(some));

  TextScoringTally tally;
  static_cast<void>(fill(3, store, examples, {.threads = 2}, tally));
  EXPECT_GE(tally.pairs_from_store, first.tally().pairs);
  const auto computed = tally.pairs - tally.pairs_from_store;
  EXPECT_GT(computed, 0U);
  EXPECT_EQ(store.size(), first.tally().pairs + computed);

  TextScoringTally nothing_left;
  static_cast<void>(fill(3, store, examples, {.threads = 2}, nothing_left));
  EXPECT_EQ(nothing_left.pairs_from_store, nothing_left.pairs);
  EXPECT_EQ(nothing_left.pairs, tally.pairs);
}

TEST(SharedTextScoring, TellsProgressUpToTheEnd) {
  const std::vector<LabeledText> examples = some_examples(41);
  ScoreStore store = ScoreStore::in_memory(HashedModel(num_labels), question);
  TextScoringProgress last;
  TextScoringOptions options{.threads = 1};
  options.progress = [&](const TextScoringProgress& progress) {
    EXPECT_GE(progress.pairs, last.pairs);
    last = progress;
  };
  TextScoringTally tally;
  static_cast<void>(fill(4, store, examples, options, tally));
  EXPECT_EQ(last.pairs, tally.pairs);
  EXPECT_EQ(last.total_pairs, tally.pairs);
}

TEST(SharedTextScoring, EndsWithTheErrorOfAModelAndKeepsWhatWasFinished) {
  const std::vector<LabeledText> examples = some_examples(41);
  ScoreStore store = ScoreStore::in_memory(HashedModel(num_labels), question);
  TextScoringTally tally;
  const auto done = fill(3, store, examples, {.threads = 1}, tally, [](std::size_t rank) {
    HashedModel::Options options;
    if (rank == 2) options.fails_at_call = 1;
    return options;
  });
  expect_error([&] { std::rethrow_exception(done.thrown[0]); }, ErrorKind::backend,
               {"hashed: no memory"});
  EXPECT_FALSE(done.thrown[1] || done.thrown[2]);
  EXPECT_GT(store.size(), 0U);
}

TEST(SharedTextScoring, RefusesLabelsThatThereAreNot) {
  std::vector<LabeledText> examples = some_examples(10);
  examples[4].label = num_labels;
  ScoreStore store = ScoreStore::in_memory(HashedModel(num_labels), question);
  TextScoringTally tally;
  const auto done = fill(3, store, examples, {}, tally);
  expect_error([&] { std::rethrow_exception(done.thrown[0]); }, ErrorKind::invalid_input,
               {"reference 4 has label 3"});
  EXPECT_FALSE(done.thrown[1] || done.thrown[2]);
}

}  // namespace
}  // namespace caos
