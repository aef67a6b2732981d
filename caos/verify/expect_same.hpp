#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "caos/method.hpp"
#include "caos/miscoverage.hpp"
#include "caos/scores.hpp"
#include "caos/verify/chosen_kernels.hpp"
#include "caos/verify/plain_definitions.hpp"
#include "caos/verify/verification.hpp"

/// What identities of scores and of landmarks share. A `Problem` is a `ScoreProblem` or a
/// `LandmarkProblem`; `expect_same` compares two answers of its kind.
namespace caos {

/// Sets of one task, an array of scores or a landmark, by alpha and input.
using TaskSets = std::vector<std::vector<PredictionSet>>;

/// What the sets of a task must agree with.
struct TaskOfSets {
  const std::vector<Miscoverage>& alphas;  ///< ascending
  plain::Units units;                      ///< of its examples
  std::vector<std::size_t> num_labels;     ///< by input
  std::string name{};                      ///< `, landmark nose`; empty for scores
  const char* input = "input";

  /// Calls `f(alpha, input, where)` for each set.
  template <typename F>
  void for_each_set(const TaskSets& sets, std::size_t first_alpha, F&& f) const {
    for (std::size_t a = first_alpha; a < sets.size(); ++a) {
      for (std::size_t t = 0; t < num_labels.size(); ++t) {
        f(a, t, [this, a, t] {
          return fmt::format("{} {}{}, alpha {}", input, t, name, alphas[a].text());
        });
      }
    }
  }
};

inline void expect_inclusion(const TaskOfSets& task, const TaskSets& outer, const TaskSets& inner,
                             IdentityCheck& check) {
  task.for_each_set(inner, 0, [&](std::size_t a, std::size_t t, const auto& where) {
    check.expect(std::ranges::includes(outer[a][t], inner[a][t]), where);
  });
}

inline void expect_nesting(const TaskOfSets& task, const TaskSets& sets, IdentityCheck& check) {
  task.for_each_set(sets, 1, [&](std::size_t a, std::size_t t, const auto& where) {
    check.expect(std::ranges::includes(sets[a - 1][t], sets[a][t]), where);
  });
}

/// Where alpha is infeasible, so that a score beyond all others conforms.
inline void expect_every_label(const TaskOfSets& task, const TaskSets& sets, IdentityCheck& check) {
  const std::size_t n = task.units.n();
  task.for_each_set(sets, 0, [&](std::size_t a, std::size_t t, const auto& where) {
    if (!plain::exceeds(task.units.new_example - 1, n, task.alphas[a])) return;
    check.expect(sets[a][t].size() == task.num_labels[t], where);
  });
}

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
