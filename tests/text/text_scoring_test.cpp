#include "caos/text/text_scoring.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <set>

#include "tests/support/expect_error.hpp"
#include "tests/support/hashed_model.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos {
namespace {

using test::expect_error;
using test::HashedModel;
using text::LabeledText;
using text::ScoreStore;

const text::Question question{.labels = text::LabelSpace({"yes", "no", "it may be so"})};
constexpr std::size_t num_labels = 3;
constexpr Score infinity = std::numeric_limits<Score>::infinity();
constexpr Normalization normalizations[] = {Normalization::average, Normalization::sum,
                                            Normalization::per_byte, Normalization::pmi,
                                            Normalization::softmax};

std::vector<Score> scores_of(const HashedModel& model, Normalization normalization,
                             const LabeledText& reference, const std::string& text) {
  std::vector<Score> scores(num_labels);
  nonconformity(normalization, question.labels.names(), model.likelihoods(reference, text).labels,
                model.likelihoods(reference, "").labels, scores);
  return scores;
}

/// Texts of which many are equal, one empty.
std::vector<std::string> some_texts(std::size_t count, std::size_t different) {
  std::vector<std::string> texts;
  for (std::size_t t = 0; t < count; ++t) {
    const std::size_t number = t * 7 % different;
    texts.push_back(number == 3 ? "" : "text " + std::to_string(number));
  }
  return texts;
}

std::vector<LabeledText> some_examples(std::size_t count, std::size_t different) {
  std::vector<LabeledText> examples;
  for (const std::string& text : some_texts(count, different)) {
    examples.push_back({text, examples.size() / 5 % num_labels});
  }
  return examples;
}

/// A scorer with a model and a store of its own.
struct Bench {
  explicit Bench(TextScoringOptions options = {}, HashedModel::Options model_options = {})
      : model(num_labels, std::move(model_options)),
        store(ScoreStore::in_memory(model, question)),
        scorer(model, question, store, std::move(options)) {}

  HashedModel model;
  ScoreStore store;
  TextScorer scorer;
};

TEST(TextScorer, EqualsTheObviousLoops) {
  const auto references = some_examples(13, 6);
  const auto texts = some_texts(45, 40);
  for (const Normalization normalization : normalizations) {
    Bench bench({.normalization = normalization});
    const Matrix<Score> scores = bench.scorer.score(references, texts);
    ASSERT_EQ(scores.rows(), texts.size() * num_labels);
    ASSERT_EQ(scores.cols(), references.size());
    for (std::size_t r = 0; r < references.size(); ++r) {
      for (std::size_t t = 0; t < texts.size(); ++t) {
        const auto expected = scores_of(bench.model, normalization, references[r], texts[t]);
        for (std::size_t y = 0; y < num_labels; ++y) {
          ASSERT_EQ(scores(t * num_labels + y, r), expected[y]) << r << " " << t << " " << y;
        }
      }
    }
  }
}

TEST(TextScorer, ScoresExamplesUnderEachOtherButNotThemselves) {
  const auto examples = some_examples(23, 11);
  for (const Normalization normalization : normalizations) {
    Bench bench({.normalization = normalization});
    const Matrix<Score> scores = bench.scorer.score_labeled(examples);
    for (std::size_t j = 0; j < examples.size(); ++j) {
      for (std::size_t i = 0; i < examples.size(); ++i) {
        const auto expected = scores_of(bench.model, normalization, examples[j], examples[i].text);
        for (std::size_t y = 0; y < num_labels; ++y) {
          ASSERT_EQ(scores(i * num_labels + y, j), i == j ? infinity : expected[y]);
        }
      }
    }
  }
}

TEST(TextScorer, ScoresTheOwnLabelsOfExamples) {
  const auto references = some_examples(7, 5);
  const auto examples = some_examples(19, 12);
  for (const Normalization normalization : normalizations) {
    Bench bench({.normalization = normalization});
    const Matrix<Score> scores = bench.scorer.score_own(references, examples);
    ASSERT_EQ(scores.rows(), references.size());
    ASSERT_EQ(scores.cols(), examples.size());
    for (std::size_t r = 0; r < references.size(); ++r) {
      for (std::size_t i = 0; i < examples.size(); ++i) {
        const auto expected =
            scores_of(bench.model, normalization, references[r], examples[i].text);
        ASSERT_EQ(scores(r, i), expected[examples[i].label]);
      }
    }
  }
}

/// The pairs that the examples need under each other, by looking at every two of them.
std::set<HashedModel::Pair> pairs_needed(const std::vector<LabeledText>& examples,
                                         bool with_no_text) {
  std::set<HashedModel::Pair> needed;
  for (std::size_t j = 0; j < examples.size(); ++j) {
    const std::pair<std::string, Label> reference{examples[j].text, examples[j].label};
    if (with_no_text) needed.insert({reference, ""});
    for (std::size_t i = 0; i < examples.size(); ++i) {
      if (i != j) needed.insert({reference, examples[i].text});
    }
  }
  return needed;
}

RC_GTEST_PROP(TextScorer, ComputesEveryPairThatIsNeededOnceAndNoOther, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(0, 12);
  const auto different = *rc::gen::inRange<std::size_t>(1, 12);
  const bool is_pmi = *rc::gen::arbitrary<bool>();
  const auto examples = some_examples(count, different);
  const Normalization normalization = is_pmi ? Normalization::pmi : Normalization::average;
  Bench bench({.normalization = normalization, .threads = 1});
  const TextScoringPlan plan =
      plan_scoring(bench.model, question, bench.store, examples, normalization);
  (void)bench.scorer.score_labeled(examples);

  std::map<HashedModel::Pair, std::size_t> once;
  for (const auto& pair : pairs_needed(examples, is_pmi)) once[pair] = 1;
  RC_ASSERT(bench.model.asked() == once);
  RC_ASSERT(plan.pairs == once.size());
  RC_ASSERT(plan.pairs_in_store == 0U);
  RC_ASSERT(plan.cost.tokens == bench.scorer.tally().tokens);
  RC_ASSERT(plan.cost.requests == bench.model.call_sizes().size());
  RC_ASSERT(bench.store.size() == once.size());
}

TEST(TextScorer, ComputesNothingTheStoreKnows) {
  const test::TempDir folder;
  const auto examples = some_examples(40, 38);
  const HashedModel first(num_labels);
  const HashedModel second(num_labels);
  Matrix<Score> before;
  {
    ScoreStore store = ScoreStore::open(folder / "s", first, question);
    before = TextScorer(first, question, store, {}).score_labeled(examples);
  }
  ScoreStore store = ScoreStore::open(folder / "s", second, question);
  TextScorer scorer(second, question, store, {});
  const Matrix<Score> after = scorer.score_labeled(examples);
  EXPECT_TRUE(second.asked().empty());
  EXPECT_EQ(scorer.tally().pairs_from_store, scorer.tally().pairs);
  EXPECT_EQ(scorer.tally().tokens, 0U);
  for (std::size_t r = 0; r < before.rows(); ++r) {
    ASSERT_TRUE(std::ranges::equal(before.row(r), after.row(r))) << r;
  }
  const auto plan = plan_scoring(second, question, store, examples, Normalization::average);
  EXPECT_EQ(plan.pairs_in_store, plan.pairs);
  EXPECT_EQ(plan.cost.requests, 0U);
}

TEST(TextScorer, GoesOnWithAPartlyFilledStoreUnderEveryNormalization) {
  const auto examples = some_examples(37, 36);
  for (const Normalization normalization : normalizations) {
    Bench bench({.normalization = normalization});
    // As another process would have left it: some pairs, without the empty text.
    const std::vector<std::string> some = {examples[4].text, examples[30].text};
    for (std::size_t j = 0; j < examples.size(); j += 2) {
      const std::vector<text::ScoredText> scored = {bench.model.likelihoods(examples[j], some[0]),
                                                    bench.model.likelihoods(examples[j], some[1])};
      bench.store.add(examples[j], some, scored);
    }
    Bench fresh({.normalization = normalization});
    const Matrix<Score> expected = fresh.scorer.score_labeled(examples);
    const Matrix<Score> scores = bench.scorer.score_labeled(examples);
    for (std::size_t r = 0; r < scores.rows(); ++r) {
      ASSERT_TRUE(std::ranges::equal(scores.row(r), expected.row(r))) << r;
    }
    EXPECT_GT(bench.scorer.tally().pairs_from_store, 0U);
    EXPECT_EQ(bench.scorer.tally().pairs, fresh.scorer.tally().pairs);
    EXPECT_EQ(bench.scorer.tally().shortened, fresh.scorer.tally().shortened);
  }
}

TEST(TextScorer, AsksForAtMost32TextsAtATime) {
  Bench bench({.threads = 1});
  (void)bench.scorer.score(some_examples(1, 1), some_texts(71, 71));
  EXPECT_THAT(bench.model.call_sizes(), testing::ElementsAre(32, 32, 7));
}

TEST(TextScorer, DoesNotDependOnThreads) {
  const auto examples = some_examples(30, 25);
  Bench one({.threads = 1});
  Bench many({.threads = 8});
  const Matrix<Score> expected = one.scorer.score_labeled(examples);
  const Matrix<Score> scores = many.scorer.score_labeled(examples);
  for (std::size_t r = 0; r < scores.rows(); ++r) {
    ASSERT_TRUE(std::ranges::equal(scores.row(r), expected.row(r))) << r;
  }
  EXPECT_EQ(one.model.asked(), many.model.asked());
}

TEST(TextScorer, TellsItsProgressUpToTheTotal) {
  std::vector<TextScoringProgress> told;
  Bench bench({.threads = 4, .progress = [&](const TextScoringProgress& p) { told.push_back(p); }});
  const auto examples = some_examples(50, 45);
  (void)bench.scorer.score_labeled(examples);
  const std::size_t total = pairs_needed(examples, false).size();
  ASSERT_FALSE(told.empty());
  std::uint64_t pairs = 0;
  for (const TextScoringProgress& p : told) {
    EXPECT_EQ(p.total_pairs, total);
    EXPECT_GT(p.pairs, pairs);
    pairs = p.pairs;
  }
  EXPECT_EQ(pairs, total);
  EXPECT_EQ(told.back().pairs_from_store, 0U);
  EXPECT_EQ(told.back().tokens, bench.scorer.tally().tokens);

  told.clear();
  (void)bench.scorer.score_labeled(examples);
  EXPECT_EQ(told.back().pairs, total);
  EXPECT_EQ(told.back().pairs_from_store, total);
  EXPECT_EQ(told.back().tokens, 0U);
  EXPECT_EQ(bench.scorer.tally().pairs, 2 * total);
}

TEST(TotalProgress, AddsUpCallsAndKnowsWhatIsToCome) {
  TotalProgress total;
  total.expect(10);
  EXPECT_EQ(total.with({.pairs = 2, .total_pairs = 4, .tokens = 5}).total_pairs, 10U);
  EXPECT_EQ(total.with({.pairs = 4, .total_pairs = 4, .pairs_from_store = 1, .tokens = 7}).pairs,
            4U);
  const TextScoringProgress second =
      total.with({.pairs = 3, .total_pairs = 8, .pairs_from_store = 2, .tokens = 1});
  EXPECT_EQ(second.pairs, 7U);
  EXPECT_EQ(second.total_pairs, 12U);  // more than was expected
  EXPECT_EQ(second.pairs_from_store, 3U);
  EXPECT_EQ(second.tokens, 8U);
}

TEST(TextScorer, KeepsWhatItHadWhenTheModelFails) {
  Bench bench({.threads = 1}, {.fails_at_call = 2});
  const auto references = some_examples(3, 3);
  const auto texts = some_texts(60, 60);
  expect_error([&] { (void)bench.scorer.score(references, texts); }, ErrorKind::backend,
               {"no memory"});
  EXPECT_EQ(bench.store.size(), 60U);
  for (const auto& found : bench.store.find(references[0], texts)) EXPECT_TRUE(found.has_value());
}

TEST(TextScorer, TakesNothingForAnAnswer) {
  Bench bench;
  const auto examples = some_examples(4, 4);
  EXPECT_EQ(bench.scorer.score({}, some_texts(5, 5)).cols(), 0U);
  EXPECT_EQ(bench.scorer.score(examples, {}).rows(), 0U);
  EXPECT_EQ(bench.scorer.score_labeled({}).rows(), 0U);
  EXPECT_EQ(bench.scorer.score_labeled({examples.data(), 1})(0, 0), infinity);
  EXPECT_TRUE(bench.model.asked().empty());
}

TEST(TextScorer, RefusesLabelsThatAreNone) {
  Bench bench;
  const std::vector<LabeledText> examples = {{"a", 0}, {"b", num_labels}};
  expect_error([&] { (void)bench.scorer.score_labeled(examples); }, ErrorKind::invalid_input,
               {"reference 1 has label 3", "3 labels"});
  expect_error(
      [&] {
        (void)bench.scorer.score_own({examples.data(), 1}, examples);
      },
      ErrorKind::invalid_input, {"example 1"});
}

}  // namespace
}  // namespace caos
