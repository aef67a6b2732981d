#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "caos/text/text_session.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/hashed_model.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/support/thread_processes.hpp"

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

/// A model that takes its time, so that every process gets some of the work.
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

TextSession session_of(TextSessionOptions options, HashedModel::Options model = {}) {
  options.question = question;
  return {std::move(options), std::make_shared<const SlowModel>(std::move(model))};
}

/// Fills the store of the session on so many processes, of which it is the first.
thread_processes::Run fill(std::size_t size, TextSession& session,
                           const std::vector<LabeledText>& examples,
                           const std::function<HashedModel::Options(std::size_t)>& model_of = {}) {
  return thread_processes::run(size, [&](Communicator& processes) {
    if (processes.is_first()) return session.fill_store(processes, examples);
    const HashedModel::Options model =
        model_of ? model_of(processes.index()) : HashedModel::Options{};
    session_of({.threads = session.threads()}, model).help_to_fill_store(processes);
  });
}

TEST(TextSessionProcesses, FillsTheStoreAndCountsAsOneProcess) {
  const std::vector<LabeledText> examples = some_examples(41);
  for (const auto normalization : {Normalization::average, Normalization::pmi}) {
    const TextSessionOptions options{.normalization = normalization, .threads = 2};
    TextSession expected = session_of(options);
    static_cast<void>(expected.score_labeled(examples));
    for (const std::size_t size : {1U, 2U, 3U, 5U}) {
      TextSession session = session_of(options);
      for (const auto& thrown : fill(size, session, examples).thrown) EXPECT_FALSE(thrown);
      EXPECT_EQ(figures(session.tally()), figures(expected.tally()));
      EXPECT_EQ(session.store().size(), expected.store().size());
      EXPECT_EQ(content(session.store(), examples), content(expected.store(), examples));
      // What it kept is all that is needed.
      TextSession again = session.with_progress({});
      static_cast<void>(again.score_labeled(examples));
      EXPECT_EQ(again.tally().pairs_from_store, again.tally().pairs);
    }
  }
}

TEST(TextSessionProcesses, ComputesOnlyWhatTheStoreDoesNotKnow) {
  const std::vector<LabeledText> examples = some_examples(41);
  const std::vector<LabeledText> some(examples.begin(), examples.begin() + 17);
  TextSession first = session_of({.threads = 2});
  static_cast<void>(first.score_labeled(some));

  TextSession second = first.with_progress({});
  static_cast<void>(fill(3, second, examples));
  EXPECT_GE(second.tally().pairs_from_store, first.tally().pairs);
  const auto computed = second.tally().pairs - second.tally().pairs_from_store;
  EXPECT_GT(computed, 0U);
  EXPECT_EQ(second.store().size(), first.tally().pairs + computed);

  TextSession nothing_left = first.with_progress({});
  static_cast<void>(fill(3, nothing_left, examples));
  EXPECT_EQ(nothing_left.tally().pairs_from_store, nothing_left.tally().pairs);
  EXPECT_EQ(nothing_left.tally().pairs, second.tally().pairs);
}

TEST(TextSessionProcesses, TellsProgressUpToTheEnd) {
  const std::vector<LabeledText> examples = some_examples(41);
  std::uint64_t last = 0;
  std::uint64_t last_total = 0;
  TextSession session = session_of({.threads = 1})
                            .with_progress([&](const TextScoringTally& done, std::uint64_t total) {
                              EXPECT_GE(done.pairs, last);
                              last = done.pairs;
                              last_total = total;
                            });
  static_cast<void>(fill(4, session, examples));
  EXPECT_EQ(last, session.tally().pairs);
  EXPECT_EQ(last_total, session.tally().pairs);
}

TEST(TextSessionProcesses, EndsWithTheErrorOfAModelAndKeepsWhatWasFinished) {
  const std::vector<LabeledText> examples = some_examples(41);
  TextSession session = session_of({.threads = 1});
  const auto done = fill(3, session, examples, [](std::size_t process) {
    HashedModel::Options options;
    if (process == 2) options.fails_at_call = 1;
    return options;
  });
  expect_error([&] { std::rethrow_exception(done.thrown[0]); }, ErrorKind::backend,
               {"hashed: no memory"});
  EXPECT_FALSE(done.thrown[1] || done.thrown[2]);
  EXPECT_GT(session.store().size(), 0U);
}

TEST(TextSessionProcesses, RefusesLabelsThatThereAreNot) {
  std::vector<LabeledText> examples = some_examples(10);
  examples[4].label = num_labels;
  TextSession session = session_of({});
  const auto done = fill(3, session, examples);
  expect_error([&] { std::rethrow_exception(done.thrown[0]); }, ErrorKind::invalid_input,
               {"reference 4 has label 3"});
  EXPECT_FALSE(done.thrown[1] || done.thrown[2]);
}

TEST(TextSessionProcesses, AskTheQuestionOfTheFirstAndLeaveTheStoreToIt) {
  const test::TempDir folder;
  const auto prompt = text::PromptTemplate::parse("{reference_text}{reference_label}{text}", "own");
  std::vector<std::string> labels(3);
  std::vector<std::string> stores(3);
  const auto done = thread_processes::run(3, [&](Communicator& processes) {
    TextSessionOptions options{.store = folder / "scores"};
    if (processes.is_first()) options.question = {.prompt = prompt, .labels = question.labels};
    const TextSession session = TextSession::open_on_all(processes, std::move(options));
    EXPECT_EQ(session.options().question.prompt.source(), prompt.source());
    labels[processes.index()] = session.labels()[2];
    stores[processes.index()] = session.store().path();
  });
  for (const auto& thrown : done.thrown) EXPECT_FALSE(thrown);
  EXPECT_EQ(labels, std::vector<std::string>(3, "it may be so"));
  EXPECT_NE(stores[0], "");
  EXPECT_EQ(stores[1] + stores[2], "");
}

}  // namespace
}  // namespace caos
