#include "caos/text/text_evaluation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "tests/support/expect_error.hpp"
#include "tests/text/text_problem.hpp"

namespace caos {
namespace {

using test::expect_error;
using text_problem::expect_outcome;
using text_problem::large;
using text_problem::options_for;
using text_problem::Problem;
using text_problem::small;

/// Any problem and split.
struct Trial : text_problem::Trial {
  Trial() : text_problem::Trial(text_problem::make(*rc::gen::arbitrary<std::uint32_t>()), 8, 5) {}
};

TEST(TextSplits, HoldEveryTextOnceAndHalveTheLabeled) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const TextSplit split = draw_text_split(50, 9, seed);
    Indices all;
    std::ranges::merge(split.labeled, split.test, std::back_inserter(all));
    for (std::size_t i = 0; i < 50; ++i) ASSERT_EQ(all[i], i);
    EXPECT_EQ(split.test.size(), 9U);
    EXPECT_EQ(split.partition.references.size(), 20U);
    EXPECT_EQ(split.partition.calibration.size(), 21U);
    split::check_partition(split.partition, 41);
  }
}

TEST(TextSplits, DependOnTheSeedAlone) {
  const TextSplit one = draw_text_split(50, 10, 3);
  const TextSplit same = draw_text_split(50, 10, 3);
  const TextSplit other = draw_text_split(50, 10, 4);
  EXPECT_EQ(one.test, same.test);
  EXPECT_EQ(one.partition.references, same.partition.references);
  EXPECT_NE(one.test, other.test);
  EXPECT_NE(one.partition.references, other.partition.references);
}

TEST(TextSplits, GiveEveryTextTheSameChances) {
  constexpr std::size_t trials = 4000;
  std::vector<double> tested(10);
  std::vector<double> reference(10);
  for (std::uint64_t seed = 0; seed < trials; ++seed) {
    const TextSplit split = draw_text_split(10, 2, seed);
    for (const std::size_t i : split.test) tested[i] += 1;
    for (const std::size_t i : split.partition.references) reference[split.labeled[i]] += 1;
  }
  // Probabilities 1/5 and 2/5; seven standard deviations.
  for (const double count : tested) EXPECT_NEAR(count, 800, 7 * 25.3);
  for (const double count : reference) EXPECT_NEAR(count, 1600, 7 * 31.0);
}

TEST(TextSplits, NeedATestTextAndTwoLabeledOnes) {
  expect_error([] { (void)draw_text_split(10, 0, 0); }, ErrorKind::invalid_input, {"at least 1"});
  expect_error([] { (void)draw_text_split(10, 9, 0); }, ErrorKind::invalid_input, {"at most 8"});
  expect_error([] { (void)draw_text_split(1, 1, 0); }, ErrorKind::invalid_input, {"of 1"});
  EXPECT_EQ(draw_text_split(3, 1, 0).labeled.size(), 2U);
}

RC_GTEST_PROP(EvaluateTexts, CaosAndFullCaosAreThoseOfThePaper, ()) {
  const Trial trial;
  const Indices& labeled = trial.split.labeled;
  const auto results =
      evaluate_texts(trial.problem.tensor(), trial.problem.labels, trial.split,
                     options_for({Method::caos, Method::full_caos}, trial.k), trial.reverse());
  const oracle::Table own = trial.problem.own(labeled);
  for (std::size_t t = 0; t < trial.split.test.size(); ++t) {
    const std::size_t x = trial.split.test[t];
    const Label truth = trial.problem.labels[x];
    const auto pools = trial.problem.pools(x, labeled);
    const auto reverse = trial.problem.reverse_pools(x, labeled);
    for (const std::size_t a : {0U, 1U}) {
      const std::size_t percent = a == 0 ? large : small;
      expect_outcome(results[a].outcomes[t], oracle::caos_set(own, pools, trial.k, percent, 100),
                     truth);
      expect_outcome(results[2 + a].outcomes[t],
                     oracle::full_set(own, pools, reverse, trial.k, percent, 100), truth);
    }
  }
}

/// The SCOS set of text x under a reference with this threshold.
std::vector<std::size_t> scos_set(const Problem& problem, std::size_t x, std::size_t reference,
                                  double threshold) {
  std::vector<std::size_t> set;
  for (Label y = 0; y < problem.num_labels; ++y) {
    if (problem.score(x, y, reference) <= threshold) set.push_back(y);
  }
  return set;
}

RC_GTEST_PROP(EvaluateTexts, ScosIsThatOfThePaperForItsAverageBestAndOracle, ()) {
  const Trial trial;
  const Problem& problem = trial.problem;
  const auto results =
      evaluate_texts(problem.tensor(), problem.labels, trial.split,
                     options_for({Method::scos, Method::scos_best, Method::scos_oracle}, trial.k));
  const auto table_positions = [&](const Indices& positions) {
    Indices texts;
    for (const std::size_t p : positions) texts.push_back(trial.split.labeled[p]);
    return texts;
  };
  const Indices references = table_positions(trial.split.partition.references);
  const Indices calibration = table_positions(trial.split.partition.calibration);
  std::vector<double> thresholds;
  std::vector<std::size_t> sizes;
  for (const std::size_t j : references) {
    oracle::Pool scores;
    for (const std::size_t i : calibration) {
      scores.push_back(problem.score(i, problem.labels[i], j));
    }
    thresholds.push_back(oracle::quantile(scores, oracle::rank(scores.size(), large, 100)));
    std::size_t total = 0;
    for (const std::size_t i : calibration) {
      total += scos_set(problem, i, j, thresholds.back()).size();
    }
    sizes.push_back(total);
  }
  const auto best = static_cast<std::size_t>(std::ranges::min_element(sizes) - sizes.begin());
  for (std::size_t t = 0; t < trial.split.test.size(); ++t) {
    const std::size_t x = trial.split.test[t];
    const Label truth = problem.labels[x];
    double total = 0;
    std::vector<std::size_t> oracle_set;
    bool oracle_covers = false;
    for (std::size_t r = 0; r < references.size(); ++r) {
      const auto set = scos_set(problem, x, references[r], thresholds[r]);
      const bool covers = std::ranges::binary_search(set, truth);
      total += static_cast<double>(set.size());
      const bool better = covers != oracle_covers ? covers : set.size() < oracle_set.size();
      if (r == 0 || better) {
        oracle_set = set;
        oracle_covers = covers;
      }
    }
    RC_ASSERT(results[0].outcomes[t].size == total / static_cast<double>(references.size()));
    expect_outcome(results[2].outcomes[t], scos_set(problem, x, references[best], thresholds[best]),
                   truth);
    expect_outcome(results[4].outcomes[t], oracle_set, truth);
  }
}

RC_GTEST_PROP(EvaluateTexts, ByLabelComparesWithLabeledTextsOfTheSameLabel, ()) {
  const Trial trial;
  const Problem& problem = trial.problem;
  const Indices& labeled = trial.split.labeled;
  EvaluateOptions options = options_for({Method::caos, Method::full_caos}, trial.k);
  options.grouping = Grouping::by_label(problem.labels, problem.num_labels);
  const auto results =
      evaluate_texts(problem.tensor(), problem.labels, trial.split, options, trial.reverse());
  std::vector<std::size_t> groups;
  for (const std::size_t i : labeled) groups.push_back(problem.labels[i]);
  const oracle::Table own = problem.own(labeled);
  const auto conforms = [&](const oracle::Pool& all, Label y, double score) {
    const oracle::Pool peers = oracle::of_group(all, groups, y);
    return score <= oracle::quantile(peers, oracle::rank(peers.size(), large, 100));
  };
  for (std::size_t t = 0; t < trial.split.test.size(); ++t) {
    const std::size_t x = trial.split.test[t];
    std::vector<std::size_t> caos_set;
    std::vector<std::size_t> full_set;
    for (Label y = 0; y < problem.num_labels; ++y) {
      const double score = oracle::minsum(problem.pool(x, y, labeled), trial.k);
      const auto reverse = problem.reverse_pools(x, labeled)[y];
      if (conforms(oracle::caos_scores(own, trial.k), y, score)) caos_set.push_back(y);
      if (conforms(oracle::full_scores(own, reverse, trial.k), y, score)) full_set.push_back(y);
    }
    expect_outcome(results[0].outcomes[t], caos_set, problem.labels[x]);
    expect_outcome(results[2].outcomes[t], full_set, problem.labels[x]);
  }
  RC_ASSERT(results[0].guarantee.kind == Guarantee::Kind::group_conditional);
}

/// Every candidate of every test text, one after another.
std::vector<Candidate> every_candidate(const Problem& problem, const TextSplit& split) {
  std::vector<Candidate> all;
  for (const std::size_t t : split.test) {
    for (Label y = 0; y < problem.num_labels; ++y) all.push_back({.text = t, .label = y});
  }
  return all;
}

RC_GTEST_PROP(EvaluateTexts, AsksOnceForTheReverseScoresOfCaosMembersAndNeedsNoOthers, ()) {
  const Trial trial;
  const Problem& problem = trial.problem;
  const Indices& labeled = trial.split.labeled;
  EvaluateOptions options = options_for({Method::full_caos}, trial.k);
  options.rule = *rc::gen::element(RankRule::every_label, RankRule::clip);
  std::vector<Candidate> asked;
  std::size_t calls = 0;
  const auto lazily =
      evaluate_texts(problem.tensor(), problem.labels, trial.split, options,
                     [&](std::span<const Candidate> candidates, const Indices& texts) {
                       asked.assign(candidates.begin(), candidates.end());
                       ++calls;
                       RC_ASSERT(texts == labeled);
                       return problem.reverse_of(candidates, texts);
                     });

  const Matrix<Score> own = [&] {
    Matrix<Score> result(0, labeled.size());
    for (const oracle::Pool& row : problem.own(labeled)) result.push_row(row);
    return result;
  }();
  Matrix<Score> test(0, labeled.size());
  std::vector<Label> truths;
  for (const std::size_t t : trial.split.test) {
    for (const oracle::Pool& row : problem.pools(t, labeled)) test.push_row(row);
    truths.push_back(problem.labels[t]);
  }
  const Matrix<Score> reverse = problem.reverse_of(every_candidate(problem, trial.split), labeled);
  const auto tensor = [&](const Matrix<Score>& rows) {
    return ScoreTensor{.rows = rows.view(), .num_labels = problem.num_labels};
  };
  TestInputs inputs{.test = tensor(std::as_const(test)), .reverse = tensor(reverse)};
  const ScoreBundle bundle{
      .own = OwnScores(own.view()), .inputs = std::move(inputs), .test_labels = truths};
  options.grouping = Grouping::none(labeled.size());
  const auto densely = evaluate(bundle, options);
  for (std::size_t r = 0; r < densely.size(); ++r) {
    for (std::size_t t = 0; t < truths.size(); ++t) {
      RC_ASSERT(lazily[r].outcomes[t].size == densely[r].outcomes[t].size);
      RC_ASSERT(lazily[r].outcomes[t].covered == densely[r].outcomes[t].covered);
    }
    RC_ASSERT(lazily[r].guarantee.kind == densely[r].guarantee.kind);
  }

  const Calibration calibration = calibrate(bundle.own, {.k = trial.k});
  std::vector<Candidate> members;
  for (std::size_t t = 0; t < truths.size(); ++t) {
    for (const Label y :
         calibration.predict_set(bundle.inputs[t], Miscoverage::parse("0.12"), options.rule)) {
      members.push_back({.text = trial.split.test[t], .label = y});
    }
  }
  RC_ASSERT(calls == (members.empty() ? 0U : 1U));
  RC_ASSERT(asked.size() == members.size());
  for (std::size_t c = 0; c < asked.size(); ++c) {
    RC_ASSERT(asked[c].text == members[c].text);
    RC_ASSERT(asked[c].label == members[c].label);
  }
}

TEST(EvaluateTexts, DoesNotAskForReverseScoresThatAreNotUsed) {
  const Problem problem = text_problem::make(1);
  const auto never = [](std::span<const Candidate>, const Indices&) -> Matrix<Score> {
    ADD_FAILURE() << "was asked";
    return {};
  };
  (void)evaluate_texts(problem.tensor(), problem.labels, draw_text_split(problem.count, 4, 0),
                       options_for({Method::caos, Method::split_caos}, 2), never);
}

/// Evaluates a problem after `change` has changed what goes in, and expects an error.
template <typename Change>
void expect_refusal(Change change, ErrorKind kind, std::initializer_list<std::string> parts) {
  Problem problem = text_problem::make(2);
  TextSplit split = draw_text_split(problem.count, 4, 0);
  EvaluateOptions options = options_for({Method::caos}, 2);
  change(problem, split, options);
  expect_error([&] { (void)evaluate_texts(problem.tensor(), problem.labels, split, options); },
               kind, parts);
}

TEST(EvaluateTexts, RefusesWhatDoesNotFit) {
  const auto invalid = ErrorKind::invalid_input;
  expect_refusal([](auto&, auto&, EvaluateOptions& o) { o.methods = {Method::full_caos}; }, invalid,
                 {"reverse scores"});
  expect_refusal([](auto&, auto&, EvaluateOptions& o) { o.methods.clear(); }, invalid, {"method"});
  expect_refusal([](auto&, auto&, EvaluateOptions& o) { o.alphas.clear(); }, invalid, {"alpha"});
  expect_refusal([](auto&, auto&, EvaluateOptions& o) { o.k = 14; }, invalid, {"k = 14"});
  expect_refusal(
      [](auto&, auto&, EvaluateOptions& o) {
        o.grouping = Grouping::by_input(std::vector<GroupId>{1});
      },
      invalid, {"by label"});
  expect_refusal([](auto&, TextSplit& s, auto&) { s.test = {s.labeled[0]}; }, invalid, {"twice"});
  expect_refusal([](auto&, TextSplit& s, auto&) { s.test = {18}; }, invalid, {"in the table"});
  expect_refusal([](auto&, TextSplit& s, auto&) { s.test.clear(); }, invalid, {"one test text"});
  expect_refusal([](auto&, TextSplit& s, auto&) { std::swap(s.labeled[0], s.labeled[1]); }, invalid,
                 {"ascending"});
  expect_refusal([](Problem& p, auto&, auto&) { p.labels.pop_back(); }, invalid, {"17"});
  expect_refusal([](Problem& p, auto&, auto&) { p.labels[3] = 4; }, ErrorKind::bad_format,
                 {"entry 3 is 4"});
}

TEST(EvaluateTexts, NamesABadScoreByItsPlaceInTheTable) {
  const auto put = [](double value) {
    return [value](Problem& problem, auto&, auto&) {
      problem.scores[(5 * problem.num_labels + 3) * problem.count + 7] = value;
    };
  };
  expect_refusal(put(std::numeric_limits<double>::quiet_NaN()), ErrorKind::bad_format,
                 {"table", "(5, 3, 7)", "nan"});
  expect_refusal(put(-std::numeric_limits<double>::infinity()), ErrorKind::bad_format,
                 {"table", "(5, 3, 7)", "-inf"});
}

TEST(EvaluateTexts, RefusesReverseScoresOfAnotherShapeOrThatAreNone) {
  const Problem problem = text_problem::make(3);
  const TextSplit split = draw_text_split(problem.count, 4, 0);
  const auto run = [&](const ReverseScorer& reverse) {
    (void)evaluate_texts(problem.tensor(), problem.labels, split,
                         options_for({Method::full_caos}, 2), reverse);
  };
  expect_error(
      [&] { run([](std::span<const Candidate>, const Indices&) { return Matrix<Score>(1, 3); }); },
      ErrorKind::invalid_input, {"reverse scores", "1 x 3", "x 14"});
  expect_error(
      [&] {
        run([](std::span<const Candidate> candidates, const Indices& labeled) {
          return Matrix<Score>(candidates.size(), labeled.size(),
                               std::numeric_limits<Score>::quiet_NaN());
        });
      },
      ErrorKind::bad_format, {"reverse scores", "nan"});
}

}  // namespace
}  // namespace caos
