#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <set>

#include "caos/text/text_session.hpp"
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

/// A session with a model and a store of its own.
struct Bench {
  explicit Bench(TextSessionOptions options = {}, HashedModel::Options model_options = {})
      : Bench(std::move(options),
              std::make_shared<const HashedModel>(num_labels, std::move(model_options))) {}
  Bench(TextSessionOptions options, const std::shared_ptr<const HashedModel>& hashed)
      : model(*hashed), session(asking(std::move(options)), hashed), store(session.store()) {}

  static TextSessionOptions asking(TextSessionOptions options) {
    options.question = question;
    return options;
  }

  const HashedModel& model;
  TextSession session;
  ScoreStore& store;
};

TEST(TextSessionScores, EqualsTheObviousLoops) {
  const auto references = some_examples(13, 6);
  const auto texts = some_texts(45, 40);
  for (const Normalization normalization : normalizations) {
    Bench bench({.normalization = normalization});
    const Matrix<Score> scores = bench.session.score(references, texts);
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

TEST(TextSessionScores, ScoresExamplesUnderEachOtherButNotThemselves) {
  const auto examples = some_examples(23, 11);
  for (const Normalization normalization : normalizations) {
    Bench bench({.normalization = normalization});
    const Matrix<Score> scores = bench.session.score_labeled(examples);
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

TEST(TextSessionScores, ScoresTheOwnLabelsOfExamples) {
  const auto references = some_examples(7, 5);
  const auto examples = some_examples(19, 12);
  for (const Normalization normalization : normalizations) {
    Bench bench({.normalization = normalization});
    const Matrix<Score> scores = bench.session.score_own(references, examples);
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

RC_GTEST_PROP(TextSessionScores, ComputesEveryPairThatIsNeededOnceAndNoOther, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(0, 12);
  const auto different = *rc::gen::inRange<std::size_t>(1, 12);
  const bool is_pmi = *rc::gen::arbitrary<bool>();
  const auto examples = some_examples(count, different);
  const Normalization normalization = is_pmi ? Normalization::pmi : Normalization::average;
  Bench bench({.normalization = normalization, .threads = 1});
  const TextScoringPlan plan = bench.session.plan(examples);
  (void)bench.session.score_labeled(examples);

  std::map<HashedModel::Pair, std::size_t> once;
  for (const auto& pair : pairs_needed(examples, is_pmi)) once[pair] = 1;
  RC_ASSERT(bench.model.asked() == once);
  RC_ASSERT(plan.pairs == once.size());
  RC_ASSERT(plan.pairs_in_store == 0U);
  RC_ASSERT(plan.cost.tokens == bench.session.tally().tokens);
  RC_ASSERT(plan.cost.requests == bench.model.call_sizes().size());
  RC_ASSERT(bench.store.size() == once.size());
}

TEST(TextSessionScores, ComputesNothingTheStoreKnows) {
  const test::TempDir folder;
  const auto examples = some_examples(40, 38);
  Matrix<Score> before;
  {
    Bench first({.store = folder / "s"});
    before = first.session.score_labeled(examples);
  }
  Bench second({.store = folder / "s"});
  const Matrix<Score> after = second.session.score_labeled(examples);
  EXPECT_TRUE(second.model.asked().empty());
  EXPECT_EQ(second.session.tally().pairs_from_store, second.session.tally().pairs);
  EXPECT_EQ(second.session.tally().tokens, 0U);
  for (std::size_t r = 0; r < before.rows(); ++r) {
    ASSERT_TRUE(std::ranges::equal(before.row(r), after.row(r))) << r;
  }
  const TextScoringPlan plan = second.session.plan(examples);
  EXPECT_EQ(plan.pairs_in_store, plan.pairs);
  EXPECT_EQ(plan.cost.requests, 0U);
}

TEST(TextSessionScores, GoesOnWithAPartlyFilledStoreUnderEveryNormalization) {
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
    const Matrix<Score> expected = fresh.session.score_labeled(examples);
    const Matrix<Score> scores = bench.session.score_labeled(examples);
    for (std::size_t r = 0; r < scores.rows(); ++r) {
      ASSERT_TRUE(std::ranges::equal(scores.row(r), expected.row(r))) << r;
    }
    EXPECT_GT(bench.session.tally().pairs_from_store, 0U);
    EXPECT_EQ(bench.session.tally().pairs, fresh.session.tally().pairs);
    EXPECT_EQ(bench.session.tally().shortened, fresh.session.tally().shortened);
  }
}

TEST(TextSessionScores, AsksForAtMost32TextsAtATime) {
  Bench bench({.threads = 1});
  (void)bench.session.score(some_examples(1, 1), some_texts(71, 71));
  EXPECT_THAT(bench.model.call_sizes(), testing::ElementsAre(32, 32, 7));
}

TEST(TextSessionScores, DoesNotDependOnThreads) {
  const auto examples = some_examples(30, 25);
  Bench one({.threads = 1});
  Bench many({.threads = 8});
  const Matrix<Score> expected = one.session.score_labeled(examples);
  const Matrix<Score> scores = many.session.score_labeled(examples);
  for (std::size_t r = 0; r < scores.rows(); ++r) {
    ASSERT_TRUE(std::ranges::equal(scores.row(r), expected.row(r))) << r;
  }
  EXPECT_EQ(one.model.asked(), many.model.asked());
}

/// What a session told of its progress.
struct Told {
  TextScoringTally done{};
  std::uint64_t total_pairs = 0;
};

TextProgress into(std::vector<Told>& told) {
  return [&told](const TextScoringTally& done, std::uint64_t total_pairs) {
    told.push_back({done, total_pairs});
  };
}

TEST(TextSessionScores, TellsItsProgressUpToTheTotal) {
  std::vector<Told> told;
  const Bench bench({.threads = 4});
  TextSession session = bench.session.with_progress(into(told));
  const auto examples = some_examples(50, 45);
  (void)session.score_labeled(examples);
  const std::size_t total = pairs_needed(examples, false).size();
  ASSERT_FALSE(told.empty());
  std::uint64_t pairs = 0;
  for (const Told& one : told) {
    EXPECT_EQ(one.total_pairs, total);
    EXPECT_GT(one.done.pairs, pairs);
    pairs = one.done.pairs;
  }
  EXPECT_EQ(pairs, total);
  EXPECT_EQ(told.back().done.pairs_from_store, 0U);
  EXPECT_EQ(told.back().done.tokens, session.tally().tokens);

  told.clear();
  TextSession again = session.with_progress(into(told));
  (void)again.score_labeled(examples);
  EXPECT_EQ(told.back().done.pairs, total);
  EXPECT_EQ(told.back().done.pairs_from_store, total);
  EXPECT_EQ(told.back().done.tokens, 0U);
  EXPECT_EQ(session.tally().pairs, total);
  (void)session.score_labeled(examples);
  EXPECT_EQ(session.tally().pairs, 2 * total);
}

TEST(TextSessionScores, AddsUpTheProgressOfItsCallsAndKnowsWhatIsToCome) {
  std::vector<Told> told;
  const Bench bench({.threads = 1});
  TextSession session = bench.session.with_progress(into(told), 10);
  const std::vector<LabeledText> references = {{"one", 0}, {"two", 1}};
  (void)session.score(references, std::vector<std::string>{"a", "b"});
  EXPECT_EQ(told.back().total_pairs, 10U);
  EXPECT_EQ(told.back().done.pairs, 4U);
  const std::uint64_t tokens = told.back().done.tokens;
  (void)session.score(references, std::vector<std::string>{"a", "b", "c", "d"});
  EXPECT_EQ(told.back().total_pairs, 12U);  // more than was expected
  EXPECT_EQ(told.back().done.pairs, 12U);
  EXPECT_EQ(told.back().done.pairs_from_store, 4U);
  EXPECT_GT(told.back().done.tokens, tokens);
}

TEST(TextSessionScores, KeepsWhatItHadWhenTheModelFails) {
  Bench bench({.threads = 1}, {.fails_at_call = 2});
  const auto references = some_examples(3, 3);
  const auto texts = some_texts(60, 60);
  expect_error([&] { (void)bench.session.score(references, texts); }, ErrorKind::backend,
               {"no memory"});
  EXPECT_EQ(bench.store.size(), 60U);
  for (const auto& found : bench.store.find(references[0], texts)) EXPECT_TRUE(found.has_value());
}

TEST(TextSessionScores, TakesNothingForAnAnswer) {
  Bench bench;
  const auto examples = some_examples(4, 4);
  EXPECT_EQ(bench.session.score({}, some_texts(5, 5)).cols(), 0U);
  EXPECT_EQ(bench.session.score(examples, {}).rows(), 0U);
  EXPECT_EQ(bench.session.score_labeled({}).rows(), 0U);
  EXPECT_EQ(bench.session.score_labeled({examples.data(), 1})(0, 0), infinity);
  EXPECT_TRUE(bench.model.asked().empty());
}

TEST(TextSessionScores, RefusesLabelsThatAreNone) {
  Bench bench;
  const std::vector<LabeledText> examples = {{"a", 0}, {"b", num_labels}};
  expect_error([&] { (void)bench.session.score_labeled(examples); }, ErrorKind::invalid_input,
               {"reference 1 has label 3", "3 labels"});
  expect_error(
      [&] {
        (void)bench.session.score_own({examples.data(), 1}, examples);
      },
      ErrorKind::invalid_input, {"example 1"});
}

}  // namespace
}  // namespace caos
