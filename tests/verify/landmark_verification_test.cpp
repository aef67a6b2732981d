#include "caos/verify/landmark_verification.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "caos/kernels/dispatch.hpp"
#include "caos/verify/chosen_kernels.hpp"
#include "caos/verify/landmark_identities.hpp"
#include "caos/verify/synthetic_patches.hpp"
#include "tests/landmarks/patch_problem.hpp"

namespace {

using caos::IdentityVerdict;
using caos::LandmarkAnswers;
using caos::LandmarkProblem;
using caos::Method;
using caos::Miscoverage;

constexpr std::size_t k = 2;

LandmarkProblem problem(std::uint64_t seed, const patches::Sizes& sizes) {
  patches::Problem drawn = patches::usable(patches::make(seed, sizes), k);
  LandmarkProblem problem;
  problem.labeled = std::move(drawn.labeled);
  problem.images = std::move(drawn.images);
  problem.truths = std::move(drawn.labels);
  problem.partition = caos::split::halve(problem.labeled.size(), seed);
  problem.methods = {Method::caos, Method::full_caos};
  problem.alphas = caos::with_more_alphas({Miscoverage::parse("0.15")});
  problem.k = k;
  return problem;
}

/// Every image has every landmark, so that every method can run.
LandmarkProblem complete_problem(std::uint64_t seed) {
  LandmarkProblem complete = problem(seed, {.labeled = 14, .missing = 0});
  complete.methods = {caos::all_methods().begin(), caos::all_methods().end()};
  return complete;
}

std::map<std::string, IdentityVerdict> verdicts(const LandmarkProblem& problem,
                                                const caos::LandmarkAnswerer& answerer) {
  caos::LandmarkIdentities identities;
  identities.look_at(problem, answerer, 7);
  std::map<std::string, IdentityVerdict> result;
  for (const caos::IdentityCheck& check : identities.all()) result[check.name] = check.verdict();
  return result;
}

TEST(LandmarkIdentities, HoldOfTheProgram) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    for (const auto& [name, verdict] : verdicts(complete_problem(seed), caos::answer_landmarks)) {
      EXPECT_EQ(verdict, IdentityVerdict::holds) << name;
    }
  }
}

TEST(LandmarkIdentities, HoldForEveryScoreWithMissingLandmarksAndSubjects) {
  for (const auto& score : {caos::PatchScore{}, caos::PatchScore{caos::PatchScore::Kind::margin, 3},
                            caos::PatchScore{caos::PatchScore::Kind::softmax, 0.1}}) {
    LandmarkProblem some = problem(11, {.labeled = 18, .subjects = 8});
    some.score = score;
    for (const auto& [name, verdict] : verdicts(some, caos::answer_landmarks)) {
      const bool unchecked = name == "label-order" && score.kind == caos::PatchScore::Kind::softmax;
      EXPECT_EQ(verdict, unchecked ? IdentityVerdict::not_checked : IdentityVerdict::holds) << name;
    }
  }
}

struct Fault {
  std::string identity;
  std::function<void(const LandmarkProblem&, LandmarkAnswers&)> tamper;
};

caos::PredictionSet every_patch(const LandmarkProblem& problem, std::size_t image) {
  caos::PredictionSet set;
  for (caos::Label y = 0; y < problem.images[image].rows(); ++y) set.push_back(y);
  return set;
}

std::vector<Fault> faults() {
  const std::string usual(caos::kernels::instruction_set());
  return {
      {"definitions",
       [](const LandmarkProblem&, LandmarkAnswers& a) { a.p_values[0][0][0] += 1e-15; }},
      {"definitions", [](const LandmarkProblem&, LandmarkAnswers& a) { a.sets[0][0][0].clear(); }},
      {"agreement",
       [](const LandmarkProblem&, LandmarkAnswers& a) { a.predicted[0][0][0].clear(); }},
      {"membership", [](const LandmarkProblem&, LandmarkAnswers& a) { a.sets[0][0][0].clear(); }},
      {"inclusion",
       [](const LandmarkProblem& p, LandmarkAnswers& a) {
         a.sets.back()[0][0].clear();
         a.full_sets.back()[0][0] = every_patch(p, 0);
       }},
      {"nesting",
       [](const LandmarkProblem& p, LandmarkAnswers& a) {
         a.sets.back()[0][0] = every_patch(p, 0);
         a.sets[a.sets.size() - 2][0][0].clear();
       }},
      {"infeasible", [](const LandmarkProblem&, LandmarkAnswers& a) { a.full_sets[0][1][0] = {}; }},
      {"example-order",
       [](const LandmarkProblem& p, LandmarkAnswers& a) {
         for (std::size_t i = 0; i < p.labeled.size(); ++i) {
           a.simultaneous[0].push_back(static_cast<double>(p.labeled.labels(i, 0)));
         }
       }},
      {"label-order",
       [](const LandmarkProblem& p, LandmarkAnswers& a) {
         for (std::size_t y = 0; y < p.images[0].rows(); ++y) {
           a.full_p_values[0][0][y] = static_cast<double>(y);
         }
       }},
      {"test-order",
       [](const LandmarkProblem& p, LandmarkAnswers& a) {
         for (std::size_t x = 0; x < p.images.size(); ++x) {
           a.p_values[x][0][0] = static_cast<double>(x);
         }
       }},
      {"kernels",
       [usual](const LandmarkProblem&, LandmarkAnswers& a) {
         if (caos::kernels::instruction_set() != usual) a.outcomes[0][0][0].size += 1;
       }},
      {"threads",
       [](const LandmarkProblem& p, LandmarkAnswers& a) {
         if (p.threads == 1) a.full_predicted[0][0][0].clear();
       }},
  };
}

TEST(LandmarkIdentities, EachIsBrokenByItsFault) {
  for (const Fault& fault : faults()) {
    const auto tampered = [&](const LandmarkProblem& asked) {
      LandmarkAnswers answers = caos::answer_landmarks(asked);
      fault.tamper(asked, answers);
      return answers;
    };
    const bool possible = fault.identity != "kernels" || !caos::other_instruction_sets().empty();
    EXPECT_EQ(verdicts(complete_problem(2), tampered)[fault.identity],
              possible ? IdentityVerdict::broken : IdentityVerdict::not_checked)
        << fault.identity;
  }
}

TEST(VerifyLandmarks, FindsNothingWrongWithTheProgramOnDrawnFaces) {
  caos::VerifyOptions options;
  options.alphas = {Miscoverage::parse("0.1")};
  options.splits = 4;
  options.threads = 2;
  const caos::Verification result = caos::verify_landmarks(caos::drawn_patches(20, 3), {}, options);
  EXPECT_FALSE(result.contradicts());
  EXPECT_EQ(result.labeled, 15U);
  EXPECT_EQ(result.tested, 5U);
  EXPECT_EQ(result.coverage.size(), 8U + 1);
  EXPECT_EQ(result.coverage.back().method, "caos, all at once");
  for (const caos::IdentityCheck& check : result.identities) EXPECT_GT(check.compared, 0U);
}

TEST(VerifyLandmarks, LeavesOutWholeSubjects) {
  const patches::Problem drawn = patches::make(4, {.labeled = 60, .missing = 0, .subjects = 25});
  caos::VerifyOptions options;
  options.alphas = {Miscoverage::parse("0.2")};
  options.splits = 10;
  options.k = k;
  const caos::Verification result = caos::verify_landmarks(drawn.labeled, {}, options);
  EXPECT_FALSE(result.contradicts());
  EXPECT_LE(result.labeled + result.tested, 25U);
  EXPECT_EQ(result.coverage.size(), 2U + 1);
  EXPECT_EQ(result.notes.size(), 1U);
}

TEST(VerificationSizes, AreAQuarterAndTheRestButNoMoreThanAHundred) {
  EXPECT_EQ(caos::verification_sizes(60, 0).labeled, 45U);
  EXPECT_EQ(caos::verification_sizes(60, 0).test, 15U);
  EXPECT_EQ(caos::verification_sizes(2000, 0).labeled, 100U);
  EXPECT_EQ(caos::verification_sizes(2000, 0).test, 100U);
  EXPECT_EQ(caos::verification_sizes(60, 10).labeled, 50U);
}

}  // namespace
