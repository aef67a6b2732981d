#include "caos/text/text_evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#include "caos/calibration.hpp"
#include "caos/error.hpp"
#include "caos/evaluation/caos_sets.hpp"
#include "caos/numerics/check_scores.hpp"

namespace caos {
namespace {

bool wants(const EvaluateOptions& options, Method method) {
  return std::ranges::find(options.methods, method) != options.methods.end();
}

// Checks.

void check_scores_of_all(const ScoreTensor& scores, std::span<const Label> labels) {
  check_labeled(scores);
  check_labels(labels, scores.num_inputs(), scores.num_labels, "labels");
  // All of them, so that a bad score is found whichever split is drawn, and named by its place in
  // the table.
  for (std::size_t i = 0; i < scores.num_inputs(); ++i) check_input(scores, i, i);
}

void check_split(const TextSplit& split, std::size_t count) {
  Indices both;
  std::ranges::merge(split.labeled, split.test, std::back_inserter(both));
  const bool distinct = std::ranges::adjacent_find(both, std::greater_equal<>()) == both.end() &&
                        (both.empty() || both.back() < count);
  require(distinct, ErrorKind::invalid_input,
          "the texts of a split must be in the table, ascending, and no text twice");
  require(split.labeled.size() >= 2 && !split.test.empty(), ErrorKind::invalid_input,
          "a split needs at least two labeled texts and one test text");
}

void check_options(const EvaluateOptions& options) {
  require(!options.methods.empty() && !options.alphas.empty(), ErrorKind::invalid_input,
          "give at least one method and one alpha");
  require(options.grouping.kind() != Grouping::Kind::by_input, ErrorKind::invalid_input,
          "texts have no groups of their own; group them by label, or not at all");
}

// What the methods look at, out of all scores.

/// The places of the texts' labels in the list.
std::vector<Label> labels_at(std::span<const Label> labels, const Indices& texts,
                             const std::vector<Label>& listed) {
  std::vector<Label> result;
  for (const std::size_t i : texts) {
    const auto place = std::ranges::lower_bound(listed, labels[i]);
    const bool found = place != listed.end() && *place == labels[i];
    result.push_back(found ? static_cast<Label>(place - listed.begin()) : unlisted_label);
  }
  return result;
}

/// The scores of the listed labels of some texts under others: [texts x labels, references].
Matrix<Score> gather_scores(const ScoreTensor& scores, const Indices& texts,
                            const Indices& references, const std::vector<Label>& listed) {
  Matrix<Score> part(texts.size() * listed.size(), references.size());
  for (std::size_t t = 0; t < texts.size(); ++t) {
    for (Label y = 0; y < listed.size(); ++y) {
      scores.rows.gather_row(texts[t] * scores.num_labels + listed[y], references,
                             part.row(t * listed.size() + y));
    }
  }
  return part;
}

ScoreTensor tensor_of(const Matrix<Score>& rows, std::size_t num_labels, const std::string& name) {
  return {.rows = rows.view(), .num_labels = num_labels, .name = name};
}

OwnScores gather_own(const ScoreTensor& scores, std::span<const Label> labels,
                     const Indices& texts) {
  Matrix<Score> own(texts.size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::size_t row = texts[i] * scores.num_labels + labels[texts[i]];
    scores.rows.gather_row(row, texts, own.row(i));
  }
  return OwnScores(std::as_const(own).view(), scores.name);
}

/// The options with the groups and the partition of the split's labeled texts.
EvaluateOptions options_of(const TextSplit& split, EvaluateOptions options,
                           std::span<const Label> labels, std::size_t num_labels) {
  options.grouping = options.grouping.kind() == Grouping::Kind::by_label
                         ? Grouping::by_label(labels, num_labels)
                         : Grouping::none(labels.size());
  options.partition = split.partition;
  return options;
}

// Reverse scores.

/// The labels of each test text that are in its CAOS set at the smallest alpha. No other label is
/// in a Full CAOS set at any of the alphas.
std::vector<Candidate> candidates_of(const OwnScores& own, const ScoreTensor& test,
                                     const EvaluateOptions& options, const Indices& texts) {
  const CaosSets sets(
      calibrate(own, options.grouping, {.k = options.k, .threads = options.threads}),
      {*std::ranges::min_element(options.alphas)}, options.rule);
  std::vector<Candidate> candidates;
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const std::vector<Score> scores = sets.calibration().label_scores(test.input(t));
    const std::vector<PredictionSet> at_smallest = sets.caos(scores);
    for (const Label y : at_smallest[0]) candidates.push_back({.text = texts[t], .label = y});
  }
  return candidates;
}

/// The reverse scores [test x K, labeled] of the candidates. All others are +infinity: they are not
/// looked at, as their labels are in no Full set, and a reference that gives +infinity to every
/// example would change no calibration score either.
Matrix<Score> reverse_of(std::span<const Candidate> candidates, const TextSplit& split,
                         std::size_t num_labels, const ReverseScorer& reverse) {
  Matrix<Score> all(split.test.size() * num_labels, split.labeled.size(),
                    std::numeric_limits<Score>::infinity());
  if (candidates.empty()) return all;
  const Matrix<Score> scores = reverse(candidates, split.labeled);
  require(scores.rows() == candidates.size() && scores.cols() == split.labeled.size(),
          ErrorKind::invalid_input, [&] {
            return fmt::format(
                "reverse scores: are {} x {}; expected {} x {}, candidates x "
                "labeled texts",
                scores.rows(), scores.cols(), candidates.size(), split.labeled.size());
          });
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const auto t = static_cast<std::size_t>(
        std::ranges::lower_bound(split.test, candidates[c].text) - split.test.begin());
    std::ranges::copy(scores.row(c), all.row(t * num_labels + candidates[c].label).begin());
  }
  return all;
}

/// Candidates are numbered by their place in the list; the scorer knows all labels.
ReverseScorer of_listed(const ReverseScorer& reverse, const std::vector<Label>& listed) {
  return [&](std::span<const Candidate> candidates, const Indices& labeled) {
    std::vector<Candidate> named(candidates.begin(), candidates.end());
    for (Candidate& candidate : named) candidate.label = listed[candidate.label];
    return reverse(named, labeled);
  };
}

}  // namespace

std::vector<Label> listed_labels(const TextSplit& split, std::span<const Label> labels,
                                 std::size_t num_labels) {
  std::vector<bool> occurs(num_labels, !split.labels_from_labeled);
  for (const std::size_t i : split.labeled) occurs[labels[i]] = true;
  std::vector<Label> listed;
  for (Label y = 0; y < num_labels; ++y) {
    if (occurs[y]) listed.push_back(y);
  }
  return listed;
}

TextSplit draw_text_split(std::size_t count, std::size_t test, std::uint64_t seed) {
  require(test >= 1 && count >= 2 && test <= count - 2, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{} test texts of {} do not leave two labeled texts; test at least 1 and at most {}", test,
        count, count < 2 ? 0 : count - 2);
  });
  Rng rng(seed);
  split::Partition drawn = split::draw(count, test, rng);
  const std::size_t n = drawn.calibration.size();
  return {.labeled = std::move(drawn.calibration),
          .test = std::move(drawn.references),
          .partition = split::draw(n, n / 2, rng)};
}

ReverseScorer reverse_by(TextSession& session, std::span<const text::LabeledText> table) {
  return [&session, table](std::span<const Candidate> candidates, const Indices& labeled) {
    std::vector<text::LabeledText> references;
    for (const Candidate& candidate : candidates) {
      references.push_back({table[candidate.text].text, candidate.label});
    }
    std::vector<text::LabeledText> examples;
    for (const std::size_t i : labeled) examples.push_back(table[i]);
    return session.score_own(references, examples);
  };
}

std::vector<Method> default_text_methods(bool grouped) {
  if (grouped) return {Method::caos};
  return {Method::caos, Method::scos, Method::scos_best, Method::scos_oracle};
}

void check_text_methods(std::span<const Method> methods, bool grouped) {
  const auto scos = std::ranges::find_if(methods, is_scos);
  require(!grouped || scos == methods.end(), ErrorKind::invalid_input, [&] {
    return fmt::format("{} has no form with groups; leave it out of methods", method_name(*scos));
  });
}

void check_text_methods(std::span<const Method> methods, const split::Partition& partition,
                        std::size_t k) {
  for (const Method method : methods) {
    const std::size_t most = is_split_caos(method) ? split::largest_k(partition, method) : k;
    require(k <= most, ErrorKind::invalid_input, [&] {
      return fmt::format(
          "k {} does not fit {}, which has at most {} references for a text here; give a smaller "
          "k, or leave it out of methods",
          k, method_name(method), most);
    });
  }
}

std::vector<MethodResult> evaluate_texts(const ScoreTensor& scores, std::span<const Label> labels,
                                         const TextSplit& split, const EvaluateOptions& options,
                                         const ReverseScorer& reverse) {
  check_options(options);
  check_scores_of_all(scores, labels);
  check_split(split, labels.size());
  const std::vector<Label> listed = listed_labels(split, labels, scores.num_labels);
  const std::size_t num_labels = listed.size();
  const EvaluateOptions own_options =
      options_of(split, options, labels_at(labels, split.labeled, listed), num_labels);
  const Matrix<Score> test = gather_scores(scores, split.test, split.labeled, listed);
  TestInputs inputs{.test = tensor_of(test, num_labels, scores.name)};
  ScoreBundle bundle{.own = gather_own(scores, labels, split.labeled),
                     .inputs = std::move(inputs),
                     .test_labels = labels_at(labels, split.test, listed)};
  Matrix<Score> labeled;
  if (wants(options, Method::scos_best)) {
    labeled = gather_scores(scores, split.labeled, split.labeled, listed);
    bundle.labeled = tensor_of(labeled, num_labels, scores.name);
  }
  Matrix<Score> reversed;
  if (wants(options, Method::full_caos) && reverse) {
    reversed = reverse_of(candidates_of(bundle.own, bundle.inputs.test, own_options, split.test),
                          split, num_labels, of_listed(reverse, listed));
    bundle.inputs.reverse = tensor_of(reversed, num_labels, "reverse scores");
  }
  std::vector<MethodResult> results = evaluate(bundle, own_options);
  for (MethodResult& result : results) {
    result.guarantee.listed_labels_only = split.labels_from_labeled;
  }
  return results;
}

EvaluationReport evaluate_texts(const LabeledTexts& texts, const ScoreTensor& scores,
                                const TextSplit& split, const EvaluateOptions& options,
                                const ReverseScorer& reverse) {
  const std::vector<Label> labels = texts.example_labels();
  EvaluationReport report{.n = split.labeled.size(), .num_test = split.test.size(), .k = options.k};
  for (const Label y : listed_labels(split, labels, texts.labels.size())) {
    report.label_names.push_back(texts.labels[y]);
  }
  report.num_labels = report.label_names.size();
  report.results = evaluate_texts(scores, labels, split, options, reverse);
  return report;
}

}  // namespace caos
