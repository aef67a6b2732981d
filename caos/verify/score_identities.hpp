#pragma once

#include <cstdint>
#include <vector>

#include "caos/verify/score_answers.hpp"
#include "caos/verify/verification.hpp"

namespace caos {

/// What must be so of every problem, bit for bit; each counts over the problems that were looked
/// at.
struct ScoreIdentities {
  IdentityCheck definitions{
      "definitions", "sets and p-values are those of the paper's definitions in plain loops"};
  IdentityCheck membership{"membership",
                           "a label is in a set exactly if its p-value exceeds alpha, and exactly "
                           "if its score is at most the threshold"};
  IdentityCheck inclusion{"inclusion", "every Full CAOS set lies within the CAOS set"};
  IdentityCheck nesting{"nesting", "sets grow as alpha shrinks"};
  IdentityCheck infeasible{"infeasible",
                           "where alpha is too small for n, every label is in the set"};
  IdentityCheck example_order{"example-order", "the order of the labeled examples does not show"};
  IdentityCheck label_order{"label-order", "labels in another order give the same sets"};
  IdentityCheck test_order{"test-order", "the order of the test examples does not show"};
  IdentityCheck kernels{"kernels", "every instruction set of this machine gives the same bits"};
  IdentityCheck threads{"threads", "one thread and several give the same bits"};

  /// Looks at one more problem. Orders are drawn with `seed`.
  void look_at(const ScoreProblem& problem, const ScoreAnswerer& answerer, std::uint64_t seed);

  /// In the order above; where nothing was compared they say why.
  [[nodiscard]] std::vector<IdentityCheck> all() const;
};

/// Compares everything in two answers, which must be the same.
void expect_same(const ScoreAnswers& answers, const ScoreAnswers& others, const std::string& where,
                 IdentityCheck& check);

/// Compares answers with the definitions: of all inputs, but of only so many labels where there are
/// many examples that it takes less than a second or so.
void expect_definitions(const ScoreProblem& problem, const ScoreAnswers& answers,
                        IdentityCheck& check);

}  // namespace caos
