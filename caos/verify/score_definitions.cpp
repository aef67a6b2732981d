#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "caos/verify/plain_definitions.hpp"
#include "caos/verify/reordering.hpp"
#include "caos/verify/score_identities.hpp"

/// A problem's answers by the definitions of the paper alone.
namespace caos {
namespace {

using plain::Pool;
using plain::Pools;

Pool pool(const Matrix<Score>& rows, std::size_t r) {
  return {rows.row(r).begin(), rows.row(r).end()};
}

/// The scores of each example's own label under every reference.
Pools own_pools(const ScoreProblem& problem) {
  Pools pools;
  for (std::size_t i = 0; i < problem.n(); ++i) {
    pools.push_back(pool(problem.labeled, problem.row(i, problem.labels[i])));
  }
  return pools;
}

plain::Definition definition_of(const ScoreProblem& problem, Pools own) {
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = plain::without(std::move(own[i]), i);
  return {std::move(own), plain::units_of({}, problem.n()), problem.k};
}

class SplitDefinitions {
 public:
  explicit SplitDefinitions(const ScoreProblem& problem)
      : problem_(problem), own_(own_pools(problem)) {}

  /// Coverage and size of the sets of a split method; the mean over references for SCOS.
  [[nodiscard]] Outcome outcome(Method method, std::size_t t, const Miscoverage& alpha) const {
    if (method != Method::scos) return set_outcome(split_references(method), method, t, alpha);
    Outcome sum;
    for (const std::size_t j : problem_.partition.references) {
      const Outcome one = set_outcome({j}, method, t, alpha);
      sum.covered += one.covered;
      sum.size += one.size;
    }
    const auto count = static_cast<double>(problem_.partition.references.size());
    return {.covered = sum.covered / count, .size = sum.size / count};
  }

 private:
  [[nodiscard]] Indices split_references(Method method) const {
    return method == Method::split_caos_cal ? in_order(problem_.n())
                                            : problem_.partition.references;
  }

  /// The set of labels that conform with the calibration half, under these references alone.
  [[nodiscard]] Outcome set_outcome(const Indices& references, Method method, std::size_t t,
                                    const Miscoverage& alpha) const {
    const std::size_t k = method == Method::scos ? 1 : problem_.k;
    Pool calibration;
    for (const std::size_t i : problem_.partition.calibration) {
      Indices others = references;
      std::erase(others, i);
      calibration.push_back(plain::minsum(plain::at(own_[i], others), k));
    }
    Outcome outcome;
    for (Label y = 0; y < problem_.num_labels; ++y) {
      const Pool all = pool(problem_.test, problem_.row(t, y));
      const Score score = plain::minsum(plain::at(all, references), k);
      const std::size_t count = plain::count_at_least(calibration, score);
      if (!plain::exceeds(count, calibration.size(), alpha)) continue;
      outcome.size += 1;
      if (y == problem_.truths[t]) outcome.covered = 1;
    }
    return outcome;
  }

  const ScoreProblem& problem_;
  Pools own_;
};

bool has_definition(Method method) {
  return method == Method::scos || method == Method::split_caos || method == Method::split_caos_cal;
}

/// A comparison with (input, label) and every alpha of a set.
void expect_label(const ScoreProblem& problem, const std::vector<std::vector<PredictionSet>>& sets,
                  std::size_t count, std::size_t t, Label y, IdentityCheck& check) {
  for (std::size_t a = 0; a < problem.alphas.size(); ++a) {
    const bool in_set = plain::exceeds(count, problem.n(), problem.alphas[a]);
    check.expect(plain::holds(sets[a][t], y) == in_set, [&] {
      return fmt::format("input {}, label {}, alpha {}", t, y, problem.alphas[a].text());
    });
  }
}

/// About 10^8 steps of sorting for all inputs together; the truth is always among the labels.
std::vector<Label> sample_of_labels(const ScoreProblem& problem, Label truth) {
  const std::size_t per_label = 20 * problem.n() * problem.n() * (problem.num_test() + 1);
  const std::size_t most =
      std::max<std::size_t>(1, 100'000'000 / std::max<std::size_t>(1, per_label));
  const std::size_t step = (problem.num_labels + most - 1) / most;
  std::vector<Label> labels = {truth};
  for (Label y = 0; y < problem.num_labels; y += step) {
    if (y != truth) labels.push_back(y);
  }
  return labels;
}

/// What the outcome of a method should be, where a definition tells.
std::optional<Outcome> right_outcome(const ScoreProblem& problem,
                                     const SplitDefinitions& definitions,
                                     const ScoreAnswers& answers, Method method, std::size_t t,
                                     std::size_t a) {
  if (method == Method::caos) return outcome_of(answers.sets[a][t], problem.truths[t]);
  if (method == Method::full_caos) return outcome_of(answers.full_sets[a][t], problem.truths[t]);
  if (!has_definition(method)) return std::nullopt;
  return definitions.outcome(method, t, problem.alphas[a]);
}

void expect_outcomes(const ScoreProblem& problem, const SplitDefinitions& definitions,
                     const ScoreAnswers& answers, IdentityCheck& check) {
  const std::size_t num_alphas = problem.alphas.size();
  for (std::size_t m = 0; m < problem.methods.size(); ++m) {
    const Method method = problem.methods[m];
    for (std::size_t a = 0; a < num_alphas; ++a) {
      for (std::size_t t = 0; t < problem.num_test(); ++t) {
        const auto right = right_outcome(problem, definitions, answers, method, t, a);
        if (!right) continue;
        const Outcome& said = answers.outcomes[m * num_alphas + a][t];
        check.expect(said.covered == right->covered && said.size == right->size, [&] {
          return fmt::format("{}, input {}, alpha {}", method_name(method), t,
                             problem.alphas[a].text());
        });
      }
    }
  }
}

}  // namespace

void expect_definitions(const ScoreProblem& problem, const ScoreAnswers& answers,
                        IdentityCheck& check) {
  const plain::Definition definition = definition_of(problem, own_pools(problem));
  const std::size_t n = problem.n();
  for (std::size_t i = 0; i < n; ++i) {
    check.expect(answers.calibration_scores[i] == definition.scores()[i],
                 [&] { return fmt::format("calibration score of example {}", i); });
  }
  for (std::size_t t = 0; t < problem.num_test(); ++t) {
    for (const Label y : sample_of_labels(problem, problem.truths[t])) {
      const auto where = [&] {
        return fmt::format("score or p-value of input {}, label {}", t, y);
      };
      const std::size_t row = problem.row(t, y);
      const Score score = definition.score(pool(problem.test, row));
      const std::size_t count = definition.count(score);
      check.expect(answers.label_scores(t, y) == score, where);
      check.expect(answers.p_values(t, y) == plain::p_value(count, n), where);
      expect_label(problem, answers.sets, count, t, y, check);
      if (!problem.has_reverse()) continue;
      const std::size_t full = definition.full_count(score, pool(problem.reverse, row));
      check.expect(answers.full_p_values(t, y) == plain::p_value(full, n),
                   [&] { return "Full " + where(); });
      expect_label(problem, answers.full_sets, full, t, y, check);
    }
  }
  expect_outcomes(problem, SplitDefinitions(problem), answers, check);
}

}  // namespace caos
