#include "caos/verify/landmark_identities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caos/core/random_use.hpp"
#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/verify/expect_equal.hpp"
#include "caos/verify/expect_same.hpp"
#include "caos/verify/plain_definitions.hpp"
#include "caos/verify/reordering.hpp"

namespace caos {
namespace {

/// One task per landmark.
std::vector<TaskOfSets> tasks_of(const LandmarkProblem& problem) {
  const plain::Units units = plain::units_of(problem.labeled.subjects, problem.labeled.size());
  const std::vector<PatchTask> landmarks = reference_columns(problem.labeled);
  std::vector<TaskOfSets> tasks;
  for (std::size_t t = 0; t < landmarks.size(); ++t) {
    TaskOfSets& task = tasks.emplace_back(
        TaskOfSets{.alphas = problem.alphas,
                   .units = units.of(landmarks[t].images),
                   .num_labels = {},
                   .name = fmt::format(", landmark {}", problem.labeled.tasks[t]),
                   .input = "image"});
    for (const Matrix<float>& image : problem.images) task.num_labels.push_back(image.rows());
  }
  return tasks;
}

TaskSets sets_of(const LandmarkSets& sets, std::size_t landmark) {
  TaskSets result(sets.size());
  for (std::size_t a = 0; a < sets.size(); ++a) {
    for (const auto& of_image : sets[a]) result[a].push_back(of_image[landmark]);
  }
  return result;
}

using LandmarkPValues = std::vector<std::vector<std::vector<double>>>;

void expect_membership(const TaskOfSets& task, std::size_t landmark, const TaskSets& sets,
                       const LandmarkPValues& p_values, IdentityCheck& check) {
  const std::size_t n = task.units.n();
  task.for_each_set(sets, 0, [&](std::size_t a, std::size_t x, const auto& where) {
    std::vector<std::size_t> counts;
    for (const double p : p_values[x][landmark]) counts.push_back(plain::count_behind(p, n));
    check.expect(sets[a][x] == plain::set_of(counts, n, task.alphas[a]), where);
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
  const std::vector<TaskOfSets> tasks = tasks_of(problem);
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const TaskSets sets = sets_of(answers.sets, t);
    const TaskSets full_sets = sets_of(answers.full_sets, t);
    expect_membership(tasks[t], t, sets, answers.p_values, membership);
    expect_membership(tasks[t], t, full_sets, answers.full_p_values, membership);
    expect_inclusion(tasks[t], sets, full_sets, inclusion);
    expect_inclusion(tasks[t], sets_of(answers.predicted, t), sets_of(answers.full_predicted, t),
                     inclusion);
    for (const TaskSets* each : {&sets, &full_sets}) {
      expect_nesting(tasks[t], *each, nesting);
      expect_every_label(tasks[t], *each, infeasible);
    }
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
