#include "caos/verify/score_verification.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "caos/evaluation/synthetic_task.hpp"
#include "caos/kernels/dispatch.hpp"
#include "caos/verify/chosen_kernels.hpp"
#include "caos/verify/score_identities.hpp"
#include "tests/evaluation/toy.hpp"
#include "tests/support/expect_error.hpp"

namespace {

using caos::CoverageVerdict;
using caos::Matrix;
using caos::Miscoverage;
using caos::ScoreAnswers;
using caos::ScoreProblem;

Matrix<double> matrix(const std::vector<double>& values, std::size_t cols) {
  Matrix<double> result(0, cols);
  for (std::size_t first = 0; first < values.size(); first += cols) {
    result.push_row(std::span(values).subspan(first, cols));
  }
  return result;
}

/// Full of ties, with reverse scores that are not symmetric.
ScoreProblem problem(std::uint64_t seed, std::size_t n = 21) {
  const toy::Toy toy = toy::make(seed, n, 6, 5);
  ScoreProblem problem;
  problem.labeled = matrix(toy.labeled_scores, n);
  problem.test = matrix(toy.test_scores, n);
  problem.reverse = matrix(toy.reverse_scores, n);
  problem.num_labels = toy.num_labels;
  problem.labels = toy.labels;
  problem.truths = toy.test_labels;
  problem.partition = caos::split::halve(n, seed);
  problem.methods = {caos::all_methods().begin(), caos::all_methods().end()};
  problem.alphas = caos::with_more_alphas({Miscoverage::parse("0.1")});
  return problem;
}

std::map<std::string, caos::IdentityVerdict> verdicts(const ScoreProblem& problem,
                                                      const caos::ScoreAnswerer& answerer) {
  caos::ScoreIdentities identities;
  identities.look_at(problem, answerer, 7);
  std::map<std::string, caos::IdentityVerdict> result;
  for (const caos::IdentityCheck& check : identities.all()) result[check.name] = check.verdict();
  return result;
}

TEST(ScoreIdentities, HoldOfTheProgram) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    for (const auto& [name, verdict] :
         verdicts(problem(seed, 10 + 3 * seed), caos::answer_scores)) {
      EXPECT_EQ(verdict, caos::IdentityVerdict::holds) << name;
    }
  }
}

TEST(ScoreIdentities, WithoutReverseScoresInclusionIsNotChecked) {
  ScoreProblem without = problem(1);
  without.reverse = {};
  std::erase(without.methods, caos::Method::full_caos);
  for (const auto& [name, verdict] : verdicts(without, caos::answer_scores)) {
    EXPECT_EQ(verdict, name == "inclusion" ? caos::IdentityVerdict::not_checked
                                           : caos::IdentityVerdict::holds)
        << name;
  }
}

struct Fault {
  std::string identity;
  std::function<void(const ScoreProblem&, ScoreAnswers&)> tamper;
};

std::vector<caos::Label> every_label(const ScoreProblem& problem) {
  std::vector<caos::Label> labels;
  for (caos::Label y = 0; y < problem.num_labels; ++y) labels.push_back(y);
  return labels;
}

std::vector<Fault> faults() {
  const std::string usual(caos::kernels::instruction_set());
  return {
      {"definitions",
       [](const ScoreProblem& p, ScoreAnswers& a) { a.label_scores(0, p.truths[0]) += 1e-12; }},
      {"definitions", [](const ScoreProblem&, ScoreAnswers& a) { a.outcomes.at(6)[0].size += 1; }},
      {"definitions",
       [](const ScoreProblem& p, ScoreAnswers& a) {
         a.outcomes.at(2 * p.alphas.size() + 3)[0].covered += 1;  // scos
       }},
      {"membership", [](const ScoreProblem&, ScoreAnswers& a) { a.sets[2][0].clear(); }},
      {"inclusion",
       [](const ScoreProblem& p, ScoreAnswers& a) { a.full_sets.back()[0] = every_label(p); }},
      {"nesting",
       [](const ScoreProblem& p, ScoreAnswers& a) {
         a.sets.back()[0] = every_label(p);
         a.sets[a.sets.size() - 2][0].clear();
       }},
      {"infeasible", [](const ScoreProblem&, ScoreAnswers& a) { a.sets[0][1].pop_back(); }},
      {"example-order", [](const ScoreProblem& p,
                           ScoreAnswers& a) { a.thresholds[3] = p.test(0, 0) + p.test(1, 0); }},
      {"label-order", [](const ScoreProblem&, ScoreAnswers& a) { a.p_values(0, 0) = 0.125; }},
      {"test-order", [](const ScoreProblem&, ScoreAnswers& a) { a.outcomes[0][0].size = 99; }},
      {"kernels",
       [usual](const ScoreProblem&, ScoreAnswers& a) {
         if (caos::kernels::instruction_set() != usual) a.thresholds[4] += 1e-15;
       }},
      {"threads",
       [](const ScoreProblem& p, ScoreAnswers& a) {
         if (p.threads == 1) a.full_p_values(0, 0) += 1e-15;
       }},
  };
}

TEST(ScoreIdentities, EachIsBrokenByItsFault) {
  for (const Fault& fault : faults()) {
    const auto tampered = [&](const ScoreProblem& asked) {
      ScoreAnswers answers = caos::answer_scores(asked);
      fault.tamper(asked, answers);
      return answers;
    };
    const bool possible = fault.identity != "kernels" || !caos::other_instruction_sets().empty();
    EXPECT_EQ(verdicts(problem(2), tampered)[fault.identity],
              possible ? caos::IdentityVerdict::broken : caos::IdentityVerdict::not_checked)
        << fault.identity;
  }
}

TEST(ScoreIdentities, LeaveTheKernelsAsTheyWere) {
  const std::string before(caos::kernels::instruction_set());
  static_cast<void>(verdicts(problem(3), caos::answer_scores));
  EXPECT_EQ(caos::kernels::instruction_set(), before);
}

/// Examples of the toy task that `caos generate` makes.
struct Synthetic {
  std::vector<caos::ToyTask::Image> images;
  std::vector<float> scores;
  caos::ScoreExamples examples{};

  explicit Synthetic(std::size_t count, std::uint64_t seed = 5)
      : images(caos::ToyTask(6, seed).draw_images(count)),
        scores(caos::toy_scores(images, images)) {
    examples.scores = tensor(scores);
    examples.labels = caos::toy_labels(images);
    examples.symmetric = true;
  }

  [[nodiscard]] caos::ScoreTensor tensor(const std::vector<float>& values) const {
    return {.rows = caos::MatrixView<const float>(values.data(), images.size() * 6, images.size()),
            .num_labels = 6};
  }
};

caos::VerifyOptions options(std::size_t splits = 30) {
  caos::VerifyOptions options;
  options.alphas = {Miscoverage::parse("0.1"), Miscoverage::parse("0.3")};
  options.splits = splits;
  options.threads = 2;
  return options;
}

const caos::IdentityCheck& identity(const caos::Verification& result, const std::string& name) {
  return *std::ranges::find(result.identities, name, &caos::IdentityCheck::name);
}

const caos::CoverageCheck& coverage(const caos::Verification& result, const std::string& method) {
  return *std::ranges::find(result.coverage, method, &caos::CoverageCheck::method);
}

TEST(VerifyScores, FindsNothingWrongWithTheProgram) {
  const Synthetic task(40);
  const caos::Verification result = caos::verify_scores(task.examples, options());
  EXPECT_FALSE(result.contradicts());
  EXPECT_EQ(result.labeled, 30U);
  EXPECT_EQ(result.tested, 10U);
  EXPECT_EQ(result.coverage.size(), 2U * (8 + 2));
  EXPECT_EQ(coverage(result, "scos-best").verdict, CoverageVerdict::not_judged);
  EXPECT_EQ(coverage(result, "caos by label").verdict, CoverageVerdict::agrees);
  for (const caos::IdentityCheck& check : result.identities) EXPECT_GT(check.compared, 0U);
}

TEST(VerifyScores, ScoresThatAreNotSymmetricMayNotBeCalledSo) {
  Synthetic task(40);
  task.scores[static_cast<std::size_t>(6 * 40) + task.examples.labels[1] * 40] += 1;  // 1 under 0
  const caos::Verification result = caos::verify_scores(task.examples, options(5));
  EXPECT_TRUE(result.contradicts());
  EXPECT_EQ(identity(result, "reverse").broken, 2U);
}

TEST(VerifyScores, WrongReverseScoresCostFullCaosItsCoverage) {
  Synthetic task(40);
  const std::vector<float> nothing(task.scores.size(), 0.0F);
  task.examples.symmetric = false;
  task.examples.reverse = task.tensor(nothing);
  const caos::Verification result = caos::verify_scores(task.examples, options());
  EXPECT_EQ(coverage(result, "full-caos").verdict, CoverageVerdict::contradicts);
  EXPECT_EQ(coverage(result, "caos").verdict, CoverageVerdict::agrees);
  EXPECT_GT(identity(result, "reverse").broken, 0U);
  EXPECT_EQ(identity(result, "definitions").verdict(), caos::IdentityVerdict::holds);
}

TEST(VerifyScores, RefusesWhatItCannotSplit) {
  const Synthetic task(5);
  caos::VerifyOptions too_much = options(2);
  too_much.k = 4;
  caos::test::expect_error([&] { static_cast<void>(caos::verify_scores(task.examples, too_much)); },
                           caos::ErrorKind::invalid_input, {"k"});
  too_much.k = 1;
  too_much.test_size = 4;
  caos::test::expect_error([&] { static_cast<void>(caos::verify_scores(task.examples, too_much)); },
                           caos::ErrorKind::invalid_input, {"test"});
}

}  // namespace
