#include "caos/verify/landmark_identities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caos/core/random_use.hpp"
#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/patch_tasks.hpp"
#include "caos/verify/expect_equal.hpp"
#include "caos/verify/expect_same.hpp"
#include "caos/verify/plain_definitions.hpp"
#include "caos/verify/reordering.hpp"

namespace caos {
namespace {

/// Calls `f(alpha, image, landmark, where)` for each.
template <typename F>
void for_each_set(const LandmarkProblem& problem, std::size_t first_alpha, F&& f) {
  for (std::size_t a = first_alpha; a < problem.alphas.size(); ++a) {
    for (std::size_t x = 0; x < problem.images.size(); ++x) {
      for (std::size_t t = 0; t < problem.labeled.num_tasks(); ++t) {
        f(a, x, t, [&, a, x, t] {
          return fmt::format("image {}, landmark {}, alpha {}", x, problem.labeled.tasks[t],
                             problem.alphas[a].text());
        });
      }
    }
  }
}

plain::Units units_of(const LandmarkProblem& problem) {
  return plain::units_of(problem.labeled.subjects, problem.labeled.size());
}

/// The n of each landmark's p-values.
std::vector<std::size_t> num_calibrating(const LandmarkProblem& problem) {
  const plain::Units units = units_of(problem);
  std::vector<std::size_t> result;
  for (const PatchTask& task : reference_columns(problem.labeled)) {
    result.push_back(units.n(task.images));
  }
  return result;
}

// What must be so of one answer.

void expect_membership(const LandmarkProblem& problem, const LandmarkSets& sets,
                       const std::vector<std::vector<std::vector<double>>>& p_values,
                       IdentityCheck& check) {
  const std::vector<std::size_t> n = num_calibrating(problem);
  for_each_set(problem, 0, [&](std::size_t a, std::size_t x, std::size_t t, const auto& where) {
    PredictionSet by_p;
    for (Label y = 0; y < p_values[x][t].size(); ++y) {
      const std::size_t count = plain::count_behind(p_values[x][t][y], n[t]);
      if (plain::exceeds(count, n[t], problem.alphas[a])) by_p.push_back(y);
    }
    check.expect(sets[a][x][t] == by_p, where);
  });
}

void expect_inclusion(const LandmarkProblem& problem, const LandmarkAnswers& answers,
                      IdentityCheck& check) {
  for_each_set(problem, 0, [&](std::size_t a, std::size_t x, std::size_t t, const auto& where) {
    check.expect(std::ranges::includes(answers.sets[a][x][t], answers.full_sets[a][x][t]), where);
    check.expect(std::ranges::includes(answers.predicted[a][x][t], answers.full_predicted[a][x][t]),
                 where);
  });
}

void expect_nesting(const LandmarkProblem& problem, const LandmarkSets& sets,
                    IdentityCheck& check) {
  for_each_set(problem, 1, [&](std::size_t a, std::size_t x, std::size_t t, const auto& where) {
    check.expect(std::ranges::includes(sets[a - 1][x][t], sets[a][x][t]), where);
  });
}

void expect_every_patch(const LandmarkProblem& problem, const LandmarkSets& sets,
                        IdentityCheck& check) {
  const std::vector<std::size_t> n = num_calibrating(problem);
  const std::size_t always = units_of(problem).new_example - 1;
  for_each_set(problem, 0, [&](std::size_t a, std::size_t x, std::size_t t, const auto& where) {
    // Infeasible: a score beyond all others conforms.
    if (!plain::exceeds(always, n[t], problem.alphas[a])) return;
    check.expect(sets[a][x][t].size() == problem.images[x].rows(), where);
  });
}

// The same problem in other orders, and answers as they should be.

LandmarkProblem with_example_order(LandmarkProblem problem, const Indices& order) {
  const Indices places = places_of(order);
  problem.labeled = select(problem.labeled, order);
  problem.partition = {.references = moved(problem.partition.references, places),
                       .calibration = moved(problem.partition.calibration, places)};
  return problem;
}

LandmarkProblem with_test_order(LandmarkProblem problem, const Indices& order) {
  problem.images = reordered(problem.images, order);
  problem.truths = select(problem.truths, order);
  return problem;
}

LandmarkAnswers with_test_order(LandmarkAnswers answers, const Indices& order) {
  for (LandmarkSets* sets :
       {&answers.sets, &answers.full_sets, &answers.predicted, &answers.full_predicted}) {
    for (auto& of_alpha : *sets) of_alpha = reordered(of_alpha, order);
  }
  answers.p_values = reordered(answers.p_values, order);
  answers.full_p_values = reordered(answers.full_p_values, order);
  return answers;
}

/// One order of patches per image.
using PatchOrders = std::vector<Indices>;

LandmarkProblem with_patch_order(LandmarkProblem problem, const PatchOrders& orders) {
  for (std::size_t x = 0; x < problem.images.size(); ++x) {
    const Indices places = places_of(orders[x]);
    Matrix<float> image(0, problem.images[x].cols());
    for (const std::size_t y : orders[x]) image.push_row(problem.images[x].row(y));
    problem.images[x] = std::move(image);
    for (std::int64_t& label : problem.truths.row(x)) {
      if (label == missing_label) continue;
      label = static_cast<std::int64_t>(places[static_cast<std::size_t>(label)]);
    }
  }
  return problem;
}

LandmarkAnswers with_patch_order(LandmarkAnswers answers, const PatchOrders& orders) {
  for (LandmarkSets* sets :
       {&answers.sets, &answers.full_sets, &answers.predicted, &answers.full_predicted}) {
    for (auto& of_alpha : *sets) {
      for (std::size_t x = 0; x < orders.size(); ++x) {
        for (PredictionSet& set : of_alpha[x]) set = moved(set, places_of(orders[x]));
      }
    }
  }
  for (auto* p_values : {&answers.p_values, &answers.full_p_values}) {
    for (std::size_t x = 0; x < orders.size(); ++x) {
      for (auto& of_landmark : (*p_values)[x]) of_landmark = reordered(of_landmark, orders[x]);
    }
  }
  return answers;
}

/// Without what lists the images that have a landmark, or adds them up, in their order.
LandmarkAnswers without_outcomes(LandmarkAnswers answers) {
  answers.outcomes.clear();
  answers.simultaneous.clear();
  return answers;
}

// Whether orders show.

void expect_example_order(const LandmarkProblem& problem, const LandmarkAnswerer& answerer,
                          Rng& rng, IdentityCheck& check) {
  const LandmarkProblem same_choices = without_first_choices(problem);
  const Indices order = random_order(problem.labeled.size(), rng);
  expect_same(answerer(with_example_order(same_choices, order)), answerer(same_choices), "", check);
}

void expect_patch_order(const LandmarkProblem& problem, const LandmarkAnswerer& answerer,
                        const LandmarkAnswers& answers, Rng& rng, IdentityCheck& check) {
  if (problem.score.kind == PatchScore::Kind::softmax) {
    check.why_not_checked = "softmax adds up patches in their order";
    return;
  }
  PatchOrders orders;
  for (const Matrix<float>& image : problem.images) {
    orders.push_back(random_order(image.rows(), rng));
  }
  expect_same(answerer(with_patch_order(problem, orders)), with_patch_order(answers, orders), "",
              check);
}

void expect_test_order(const LandmarkProblem& problem, const LandmarkAnswerer& answerer,
                       const LandmarkAnswers& answers, Rng& rng, IdentityCheck& check) {
  const Indices order = random_order(problem.images.size(), rng);
  expect_same(without_outcomes(answerer(with_test_order(problem, order))),
              without_outcomes(with_test_order(answers, order)), "", check);
}

}  // namespace

void expect_same(const LandmarkAnswers& answers, const LandmarkAnswers& others,
                 const std::string& where, IdentityCheck& check) {
  const std::string of = " at alpha, image and landmark number";
  expect_equal(answers.sets, others.sets, where + "region" + of, check);
  expect_equal(answers.full_sets, others.full_sets, where + "Full region" + of, check);
  expect_equal(answers.predicted, others.predicted, where + "predicted region" + of, check);
  expect_equal(answers.full_predicted, others.full_predicted, where + "predicted Full region" + of,
               check);
  expect_equal(answers.p_values, others.p_values,
               where + "p-value of image, landmark and patch number", check);
  expect_equal(answers.full_p_values, others.full_p_values,
               where + "Full p-value of image, landmark and patch number", check);
  expect_equal(answers.outcomes, others.outcomes,
               where + "outcome of method and alpha, landmark and image number", check);
  expect_equal(answers.simultaneous, others.simultaneous,
               where + "all landmarks at once, at alpha number", check);
}

void LandmarkIdentities::look_at(const LandmarkProblem& problem, const LandmarkAnswerer& answerer,
                                 std::uint64_t seed) {
  const LandmarkAnswers answers = answerer(problem);
  expect_definitions(problem, answers, definitions);
  expect_equal(answers.sets, answers.predicted, "at alpha, image and landmark number", agreement);
  expect_equal(answers.full_sets, answers.full_predicted,
               "Full CAOS at alpha, image and landmark number", agreement);
  expect_membership(problem, answers.sets, answers.p_values, membership);
  expect_membership(problem, answers.full_sets, answers.full_p_values, membership);
  expect_inclusion(problem, answers, inclusion);
  for (const LandmarkSets* sets : {&answers.sets, &answers.full_sets}) {
    expect_nesting(problem, *sets, nesting);
    expect_every_patch(problem, *sets, infeasible);
  }

  Rng rng = stream_for(RandomUse::identity_orders, seed);
  expect_example_order(problem, answerer, rng, example_order);
  expect_patch_order(problem, answerer, answers, rng, label_order);
  expect_test_order(problem, answerer, answers, rng, test_order);
  expect_same_otherwise_run(problem, answerer, answers, kernels, threads);
}

std::vector<IdentityCheck> LandmarkIdentities::all() const {
  return explained({definitions, agreement, membership, inclusion, nesting, infeasible,
                    example_order, label_order, test_order, kernels, threads});
}

}  // namespace caos
