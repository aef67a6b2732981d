#pragma once

#include <cstdint>
#include <vector>

#include "caos/verify/landmark_answers.hpp"
#include "caos/verify/verification.hpp"

namespace caos {

/// What must be so of landmarks, bit for bit; each counts over the problems that were looked at.
struct LandmarkIdentities {
  IdentityCheck definitions{"definitions",
                            "regions and p-values are those of the paper's definitions in plain "
                            "loops over exact scores"};
  IdentityCheck agreement{"agreement", "predicting and evaluating find the same regions"};
  IdentityCheck membership{"membership",
                           "a patch is in a region exactly if its p-value exceeds alpha"};
  IdentityCheck inclusion{"inclusion", "every Full CAOS region lies within the CAOS region"};
  IdentityCheck nesting{"nesting", "regions grow as alpha shrinks"};
  IdentityCheck infeasible{"infeasible",
                           "where alpha is too small for n, every patch is in the region"};
  IdentityCheck example_order{"example-order", "the order of the labeled images does not show"};
  IdentityCheck label_order{"label-order", "patches in another order give the same regions"};
  IdentityCheck test_order{"test-order", "the order of the test images does not show"};
  IdentityCheck kernels{"kernels", "every instruction set of this machine gives the same bits"};
  IdentityCheck threads{"threads", "one thread and several give the same bits"};

  /// Looks at one more problem. Orders are drawn with `seed`.
  void look_at(const LandmarkProblem& problem, const LandmarkAnswerer& answerer,
               std::uint64_t seed);

  /// In the order above; where nothing was compared they say why.
  [[nodiscard]] std::vector<IdentityCheck> all() const;
};

/// Compares everything in two answers, which must be the same.
void expect_same(const LandmarkAnswers& answers, const LandmarkAnswers& others,
                 const std::string& where, IdentityCheck& check);

/// Compares answers with the definitions, on a sample of images and landmarks.
void expect_definitions(const LandmarkProblem& problem, const LandmarkAnswers& answers,
                        IdentityCheck& check);

}  // namespace caos
