#include "caos/verify/landmark_answers.hpp"

#include <utility>

#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/landmark_predictor.hpp"

namespace caos {
namespace {

LandmarkEvaluation evaluate(const LandmarkProblem& problem, std::vector<Method> methods,
                            Method kept) {
  LandmarkEvaluateOptions options;
  options.methods = std::move(methods);
  options.alphas = problem.alphas;
  options.k = problem.k;
  options.simultaneous = true;
  options.score = problem.score;
  options.partition = problem.partition;
  options.keep_sets = kept;
  options.threads = problem.threads;
  const TestPatches test{.image = [&](std::size_t x) { return problem.images[x]; },
                         .labels = problem.truths};
  return evaluate_landmarks(problem.labeled, test, options);
}

LandmarkModel model_of(const LandmarkProblem& problem) {
  LandmarkExamples examples;
  examples.images = numbered_names(problem.labeled.size());
  examples.patches = problem.labeled;
  examples.offsets =
      Matrix<Offset>(problem.labeled.size(), problem.labeled.num_tasks(), middle_of_patch);
  LandmarkCalibrateOptions options;
  options.k = problem.k;
  options.score = problem.score;
  options.threads = problem.threads;
  return calibrate_landmarks(std::move(examples), options);
}

/// Sets of every image and landmark at one alpha, and the p-values of what is in them.
struct Predicted {
  std::vector<std::vector<PredictionSet>> sets{};
  std::vector<std::vector<std::vector<double>>> p_values{};
};

Predicted predict_all(const LandmarkPredictor& predictor, const LandmarkProblem& problem) {
  Predicted predicted;
  for (const Matrix<float>& image : problem.images) {
    auto& sets = predicted.sets.emplace_back();
    auto& p_values = predicted.p_values.emplace_back();
    for (LandmarkPrediction& prediction : predictor.predict(image.view())) {
      sets.push_back(std::move(prediction.set));
      p_values.push_back(std::move(prediction.p_values));
    }
  }
  return predicted;
}

}  // namespace

LandmarkAnswers answer_landmarks(const LandmarkProblem& problem) {
  LandmarkAnswers answers;
  LandmarkEvaluation evaluation = evaluate(problem, problem.methods, Method::caos);
  answers.sets = std::move(evaluation.sets);
  for (LandmarkMethodResult& result : evaluation.methods) {
    answers.outcomes.push_back(std::move(result.outcomes));
  }
  for (const SimultaneousResult& result : evaluation.simultaneous) {
    answers.simultaneous.push_back({result.evaluation.coverage, result.evaluation.mean_set_size});
  }
  answers.full_sets = evaluate(problem, {Method::full_caos}, Method::full_caos).sets;

  const LandmarkModel model = model_of(problem);
  const auto shared = LandmarkPredictor::shared_part(model, problem.threads);
  for (std::size_t a = 0; a < problem.alphas.size(); ++a) {
    const LandmarkPredictor caos(model, {.alpha = problem.alphas[a]}, *shared);
    const LandmarkPredictor full(model, {.alpha = problem.alphas[a], .method = Method::full_caos},
                                 *shared);
    Predicted by_caos = predict_all(caos, problem);
    Predicted by_full = predict_all(full, problem);
    answers.predicted.push_back(std::move(by_caos.sets));
    answers.full_predicted.push_back(std::move(by_full.sets));
    if (a > 0) continue;  // where every patch is in the set, every p-value is there
    answers.p_values = std::move(by_caos.p_values);
    answers.full_p_values = std::move(by_full.p_values);
  }
  return answers;
}

}  // namespace caos
