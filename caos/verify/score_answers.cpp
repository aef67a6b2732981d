#include "caos/verify/score_answers.hpp"

#include <algorithm>
#include <utility>

#include "caos/calibration.hpp"
#include "caos/evaluate.hpp"
#include "caos/full.hpp"

namespace caos {
namespace {

ScoreTensor tensor_of(const Matrix<Score>& rows, std::size_t num_labels, const char* name) {
  return {.rows = rows.view(), .num_labels = num_labels, .name = name};
}

TestInputs inputs_of(const ScoreProblem& problem) {
  TestInputs inputs{.test = tensor_of(problem.test, problem.num_labels, "test scores")};
  if (problem.has_reverse()) {
    inputs.reverse = tensor_of(problem.reverse, problem.num_labels, "reverse scores");
  }
  return inputs;
}

void add_full(const Calibration& calibration, const TestInput& input, std::size_t t,
              const ScoreProblem& problem, ScoreAnswers& answers) {
  const std::vector<Exceedances> all = full::exceedances(calibration, input);
  for (Label y = 0; y < all.size(); ++y) {
    answers.full_p_values(t, y) = p_value(all[y], calibration.size());
  }
  for (std::size_t a = 0; a < problem.alphas.size(); ++a) {
    answers.full_sets[a].push_back(full::predict_set(calibration, input, problem.alphas[a]));
  }
}

void predict_all(const Calibration& calibration, const TestInputs& inputs,
                 const ScoreProblem& problem, ScoreAnswers& answers) {
  for (std::size_t t = 0; t < inputs.size(); ++t) {
    const TestInput input = inputs[t];
    std::ranges::copy(calibration.label_scores(input.pools), answers.label_scores.row(t).begin());
    std::ranges::copy(calibration.predict_p(input), answers.p_values.row(t).begin());
    for (std::size_t a = 0; a < problem.alphas.size(); ++a) {
      answers.sets[a].push_back(calibration.predict_set(input, problem.alphas[a]));
    }
    if (problem.has_reverse()) add_full(calibration, input, t, problem, answers);
  }
}

EvaluateOptions options_of(const ScoreProblem& problem) {
  return {.methods = problem.methods,
          .alphas = problem.alphas,
          .k = problem.k,
          .grouping = Grouping::none(problem.n()),
          .partition = problem.partition,
          .rule = RankRule::every_label,
          .threads = problem.threads};
}

}  // namespace

ScoreAnswers answer_scores(const ScoreProblem& problem) {
  const ScoreTensor labeled = tensor_of(problem.labeled, problem.num_labels, "labeled scores");
  const OwnScores own = OwnScores::of_labeled(labeled, problem.labels);
  const Calibration calibration = calibrate(own, {.k = problem.k, .threads = problem.threads});
  const TestInputs inputs = inputs_of(problem);
  const std::size_t num_alphas = problem.alphas.size();
  ScoreAnswers answers;
  answers.calibration_scores.assign(calibration.scores().begin(), calibration.scores().end());
  for (const Miscoverage& alpha : problem.alphas) {
    answers.thresholds.push_back(calibration.threshold(alpha));
  }
  answers.label_scores = Matrix<Score>(problem.num_test(), problem.num_labels);
  answers.p_values = Matrix<double>(problem.num_test(), problem.num_labels);
  answers.sets.resize(num_alphas);
  if (problem.has_reverse()) {
    answers.full_p_values = Matrix<double>(problem.num_test(), problem.num_labels);
    answers.full_sets.resize(num_alphas);
  }
  predict_all(calibration, inputs, problem, answers);
  const ScoreBundle bundle{
      .own = own, .inputs = inputs, .test_labels = problem.truths, .labeled = labeled};
  for (MethodResult& result : evaluate(bundle, options_of(problem))) {
    answers.outcomes.push_back(std::move(result.outcomes));
  }
  return answers;
}

}  // namespace caos
