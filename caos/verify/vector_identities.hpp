#pragma once

#include <cstdint>
#include <vector>

#include "caos/verify/vector_verification.hpp"

namespace caos {

/// What must be so of every problem, bit for bit; each counts over the problems that were looked
/// at.
struct VectorIdentities {
  IdentityCheck definitions{
      "definitions", "p-values are those of the definition, computed again for every candidate"};
  IdentityCheck membership{"membership",
                           "a label is in a set exactly if its p-value exceeds alpha"};
  IdentityCheck nesting{"nesting", "sets grow as alpha shrinks"};
  IdentityCheck infeasible{"infeasible",
                           "where alpha is too small for n, every label is in the set"};
  IdentityCheck example_order{"example-order", "the order of the labeled examples does not show"};
  IdentityCheck label_order{"label-order", "labels in another order give the same sets"};
  IdentityCheck test_order{"test-order", "the order of the test examples does not show"};
  IdentityCheck kernels{"kernels", "every instruction set of this machine gives the same bits"};
  IdentityCheck threads{"threads", "one thread and several give the same bits"};

  /// Looks at one more problem. Orders are random with `seed`.
  void look_at(const VectorProblem& problem, const VectorAnswerer& answerer, std::uint64_t seed);

  /// In the order above; where nothing was compared they say why.
  [[nodiscard]] std::vector<IdentityCheck> all() const;
};

/// Compares everything in two answers, which must be the same.
void expect_same(const VectorAnswers& answers, const VectorAnswers& others,
                 const std::string& where, IdentityCheck& check);

}  // namespace caos
