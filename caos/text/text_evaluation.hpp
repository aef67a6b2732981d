#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "caos/evaluate.hpp"
#include "caos/evaluation/evaluation_tables.hpp"
#include "caos/split.hpp"
#include "caos/text/text_calibration.hpp"

namespace caos {

/// What each labeled text of an experiment is for; positions in the table, ascending.
struct TextSplit {
  Indices labeled{};
  Indices test{};
  split::Partition partition{};  ///< of `labeled`, for the split methods: positions in it
  /// No list of labels was given: sets hold labels of its labeled texts only, and a test text with
  /// another label is missed. Its own label must not help to list the labels.
  bool labels_from_labeled = false;
};

/// The labels that sets of a split can hold, ascending: all `num_labels`, or those of its labeled
/// texts.
[[nodiscard]] std::vector<Label> listed_labels(const TextSplit& split,
                                               std::span<const Label> labels,
                                               std::size_t num_labels);

/// A seeded random split with so many test texts; of the others, the labeled ones, half (the
/// smaller half of an odd number) are references for the split methods. One stream of random
/// numbers draws first the test texts and then the references. Requires test >= 1 and at least two
/// left.
[[nodiscard]] TextSplit draw_text_split(std::size_t count, std::size_t test, std::uint64_t seed);

/// Scores of the own labels of the examples at `labeled` under each candidate as the reference:
/// [candidates, labeled].
using ReverseScorer =
    std::function<Matrix<Score>(std::span<const Candidate> candidates, const Indices& labeled)>;

/// Reverse scores of the texts of a table from a session. Both must outlive it.
[[nodiscard]] ReverseScorer reverse_by(TextSession& session,
                                       std::span<const text::LabeledText> table);

/// How many texts are set aside for testing by default.
inline constexpr std::size_t default_test_size = 10;

/// The default seed of the split.
inline constexpr std::uint64_t default_split_seed = 0;

/// The default methods: Full CAOS costs further scoring, so it must be named; SCOS has no form with
/// groups.
[[nodiscard]] std::vector<Method> default_text_methods(bool grouped);

/// Scoring can take hours; throws `invalid_input` before it for methods that can never work: those
/// that have no form with groups, and those that k leaves too few references.
void check_text_methods(std::span<const Method> methods, bool grouped);
void check_text_methods(std::span<const Method> methods, const split::Partition& partition,
                        std::size_t k);

/// Evaluates methods on one split, from the scores [N, K, N] of all texts under each other (an
/// example under itself is not looked at). Full CAOS asks `reverse` once, only for candidates in
/// the CAOS set at the smallest alpha; without `reverse` it throws `invalid_input`.
/// Labels outside `listed_labels` are left out of all sets; results number groups by the place in
/// that list. Of the grouping of `options` only the kind is used, none or by label: the groups are
/// those of the split's labeled texts. Its partition is not used: the split's is.
[[nodiscard]] std::vector<MethodResult> evaluate_texts(const ScoreTensor& scores,
                                                       std::span<const Label> labels,
                                                       const TextSplit& split,
                                                       const EvaluateOptions& options,
                                                       const ReverseScorer& reverse = {});

/// The same as a report with the names of the labels that sets can contain.
[[nodiscard]] EvaluationReport evaluate_texts(const LabeledTexts& texts, const ScoreTensor& scores,
                                              const TextSplit& split,
                                              const EvaluateOptions& options,
                                              const ReverseScorer& reverse = {});

}  // namespace caos
