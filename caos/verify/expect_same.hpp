#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string_view>
#include <vector>

#include "caos/method.hpp"
#include "caos/verify/chosen_kernels.hpp"
#include "caos/verify/verification.hpp"

/// What identities of scores and of landmarks share. A `Problem` is a `ScoreProblem` or a
/// `LandmarkProblem`; `expect_same` compares two answers of its kind.
namespace caos {

/// Without SCOS Best, whose choice among references that are equally good is the first; with CAOS
/// where nothing else is left.
template <typename Problem>
[[nodiscard]] Problem without_first_choices(Problem problem) {
  std::erase(problem.methods, Method::scos_best);
  if (problem.methods.empty()) problem.methods.push_back(Method::caos);
  return problem;
}

/// Asks again with every other instruction set of this machine, and with one thread and several;
/// the answers must be the same.
template <typename Problem, typename Answerer, typename Answers>
void expect_same_otherwise_run(const Problem& problem, const Answerer& answerer,
                               const Answers& answers, IdentityCheck& kernels,
                               IdentityCheck& threads) {
  if (other_instruction_sets().empty()) {
    kernels.why_not_checked = "this machine has one instruction set only";
  }
  for (const std::string_view name : other_instruction_sets()) {
    const ChosenKernels chosen(name);
    expect_same(answerer(problem), answers, fmt::format("{}: ", name), kernels);
  }
  for (const std::size_t count : {std::size_t{1}, std::size_t{4}}) {
    Problem threaded = problem;
    threaded.threads = count;
    expect_same(answerer(threaded), answers, fmt::format("{} threads: ", count), threads);
  }
}

}  // namespace caos
