#include "caos/verify/score_verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "caos/error.hpp"
#include "caos/evaluate.hpp"
#include "caos/numerics/check_scores.hpp"
#include "caos/text/text_evaluation.hpp"
#include "caos/verify/coverage_rows.hpp"
#include "caos/verify/score_identities.hpp"

namespace caos {
namespace {

constexpr std::size_t num_identity_splits = 3;
constexpr std::size_t most_identity_inputs = 8;

// What is run.

/// Splits that are drawn when they are needed.
struct Splits {
  std::size_t examples = 0;
  std::size_t tested = 0;
  std::uint64_t seed = 0;
  std::size_t count = 0;

  [[nodiscard]] TextSplit draw(std::size_t s) const {
    return draw_text_split(examples, tested, seed + s);
  }
};

const ScoreTensor& reverse_of(const ScoreExamples& examples) {
  return examples.symmetric ? examples.scores : *examples.reverse;
}

/// Reverse scores from the array.
ReverseScorer reverse_scorer(const ScoreExamples& examples) {
  if (!examples.has_reverse()) return {};
  return [&](std::span<const Candidate> candidates, const Indices& labeled) {
    const ScoreTensor& reverse = reverse_of(examples);
    Matrix<Score> scores(candidates.size(), labeled.size());
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const std::size_t row = candidates[c].text * reverse.num_labels + candidates[c].label;
      reverse.rows.gather_row(row, labeled, scores.row(c));
    }
    return scores;
  };
}

std::vector<Method> methods_of(const ScoreExamples& examples, const VerifyOptions& options,
                               const split::Partition& partition, Verification& result) {
  if (!options.methods.empty()) {
    const bool full =
        std::ranges::find(options.methods, Method::full_caos) != options.methods.end();
    require(!full || examples.has_reverse(), ErrorKind::invalid_input,
            "full-caos needs reverse scores, or scores that are symmetric");
    check_text_methods(options.methods, partition, options.k);
    return options.methods;
  }
  PossibleMethods possible =
      possible_methods({.labeled = true, .reverse = examples.has_reverse()}, partition, options.k);
  result.notes = std::move(possible.left_out);
  return std::move(possible.methods);
}

void check_examples(const ScoreExamples& examples, const VerifyOptions& options) {
  check_labeled(examples.scores);
  check_labels(examples.labels, examples.scores.num_inputs(), examples.scores.num_labels, "labels");
  if (examples.reverse) {
    check_same_shape(*examples.reverse, examples.scores);
    for (std::size_t t = 0; t < examples.labels.size(); ++t) check_input(*examples.reverse, t, t);
  }
  check_options(options);
}

// Coverage.

/// Calibration examples of a method in a split, and those that are tested.
TrialLaw law_of(Method method, const TextSplit& split, const Miscoverage& alpha) {
  const bool halves =
      is_scos(method) || method == Method::split_caos || method == Method::split_caos_cal;
  const std::size_t n = halves ? split.partition.calibration.size() : split.labeled.size();
  return {.n = n, .rank = conformal_rank(n, alpha), .tested = split.test.size()};
}

class Trials {
 public:
  Trials(const ScoreExamples& examples, EvaluateOptions options)
      : examples_(examples), options_(std::move(options)), reverse_(reverse_scorer(examples)) {}

  void run(const TextSplit& split) {
    add(split, options_, "");
    EvaluateOptions by_label = options_;
    std::erase_if(by_label.methods,
                  [](Method m) { return m != Method::caos && m != Method::full_caos; });
    if (by_label.methods.empty()) return;
    by_label.grouping = Grouping::by_label({}, examples_.scores.num_labels);
    add(split, by_label, " by label");
  }

  [[nodiscard]] std::vector<CoverageCheck> checks() const { return rows_.checks(); }

 private:
  void add(const TextSplit& split, const EvaluateOptions& options, const char* suffix) {
    for (const MethodResult& result :
         evaluate_texts(examples_.scores, examples_.labels, split, options, reverse_)) {
      rows_.add(fmt::format("{}{}", method_name(result.method), suffix), result,
                law_of(result.method, split, result.alpha));
    }
  }

  const ScoreExamples& examples_;
  EvaluateOptions options_;
  ReverseScorer reverse_;
  CoverageRows rows_;
};

std::vector<CoverageCheck> coverage_over(
    const Splits& splits, const ScoreExamples& examples, const EvaluateOptions& options,
    const std::function<void(std::size_t, std::size_t)>& progress) {
  Trials trials(examples, options);
  for (std::size_t s = 0; s < splits.count; ++s) {
    trials.run(splits.draw(s));
    if (progress) progress(s + 1, splits.count);
  }
  return trials.checks();
}

// Identities.

/// Every label of some examples under the references: [examples x K, references].
Matrix<Score> gather(const ScoreTensor& scores, const Indices& examples,
                     const Indices& references) {
  Matrix<Score> rows(examples.size() * scores.num_labels, references.size());
  for (std::size_t t = 0; t < examples.size(); ++t) {
    for (Label y = 0; y < scores.num_labels; ++y) {
      scores.rows.gather_row(examples[t] * scores.num_labels + y, references,
                             rows.row(t * scores.num_labels + y));
    }
  }
  return rows;
}

/// What an example says about itself counts for nothing, and may be no score.
void close_diagonal(Matrix<Score>& labeled, std::size_t num_labels) {
  for (std::size_t r = 0; r < labeled.rows(); ++r) {
    labeled(r, r / num_labels) = std::numeric_limits<Score>::infinity();
  }
}

ScoreProblem problem_of(const ScoreExamples& examples, const TextSplit& split,
                        const EvaluateOptions& options) {
  const Indices test(split.test.begin(),
                     split.test.begin() + static_cast<std::ptrdiff_t>(
                                              std::min(split.test.size(), most_identity_inputs)));
  ScoreProblem problem;
  problem.num_labels = examples.scores.num_labels;
  problem.labeled = gather(examples.scores, split.labeled, split.labeled);
  close_diagonal(problem.labeled, problem.num_labels);
  problem.test = gather(examples.scores, test, split.labeled);
  if (examples.has_reverse()) problem.reverse = gather(reverse_of(examples), test, split.labeled);
  for (const std::size_t i : split.labeled) problem.labels.push_back(examples.labels[i]);
  for (const std::size_t t : test) problem.truths.push_back(examples.labels[t]);
  problem.partition = split.partition;
  problem.methods = options.methods;
  problem.alphas = with_more_alphas(options.alphas);
  problem.k = options.k;
  problem.threads = options.threads;
  return problem;
}

/// The reverse scores of own labels are in the array twice: for both roles of a pair.
IdentityCheck reverse_identity(const ScoreExamples& examples) {
  IdentityCheck check{
      .name = "reverse",
      .statement = examples.symmetric
                       ? "scores that are stated to be symmetric are symmetric"
                       : "the reverse score of an own label is the score that it reverses"};
  if (!examples.has_reverse()) {
    check.why_not_checked =
        "there are no reverse scores, and the scores are not stated to be symmetric";
    return check;
  }
  const ScoreTensor& reverse = reverse_of(examples);
  const std::size_t num_labels = examples.scores.num_labels;
  for (std::size_t t = 0; t < examples.labels.size(); ++t) {
    for (std::size_t i = 0; i < examples.labels.size(); ++i) {
      if (i == t) continue;
      const Score score = examples.scores.rows(i * num_labels + examples.labels[i], t);
      const Score reversed = reverse.rows(t * num_labels + examples.labels[t], i);
      check.expect(score == reversed, [&] {
        return fmt::format("example {} under {} scores {}; reversed it is {}", i, t, score,
                           reversed);
      });
    }
  }
  return check;
}

std::vector<IdentityCheck> identities_of(const Splits& splits, const ScoreExamples& examples,
                                         const EvaluateOptions& options,
                                         const ScoreAnswerer& answerer) {
  ScoreIdentities identities;
  for (std::size_t s = 0; s < std::min(splits.count, num_identity_splits); ++s) {
    identities.look_at(problem_of(examples, splits.draw(s), options), answerer, splits.seed + s);
  }
  std::vector<IdentityCheck> checks = identities.all();
  checks.push_back(reverse_identity(examples));
  return checks;
}

}  // namespace

Verification verify_scores(const ScoreExamples& examples, const VerifyOptions& options,
                           const ScoreAnswerer& answerer) {
  check_examples(examples, options);
  const std::size_t count = examples.labels.size();
  const std::size_t tested = options.test_size > 0 ? options.test_size : default_num_tested(count);
  check_num_tested(tested, count, options.k);
  const Splits splits{
      .examples = count, .tested = tested, .seed = options.seed, .count = options.splits};
  const TextSplit first = splits.draw(0);
  check_k(options.k, first.labeled.size());

  Verification result{.part = "scores",
                      .examples = count,
                      .labeled = first.labeled.size(),
                      .tested = tested,
                      .splits = options.splits,
                      .seed = options.seed,
                      .k = options.k};
  const EvaluateOptions what{.methods = methods_of(examples, options, first.partition, result),
                             .alphas = options.alphas,
                             .k = options.k,
                             .grouping = Grouping::none(0),
                             .partition = {},
                             .rule = RankRule::every_label,
                             .threads = options.threads};
  result.coverage = coverage_over(splits, examples, what, options.progress);
  result.identities = identities_of(splits, examples, what, answerer);
  return result;
}

}  // namespace caos
