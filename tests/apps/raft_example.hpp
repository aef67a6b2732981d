#pragma once

#include <numeric>
#include <string>
#include <vector>

#include "apps/cli/experiments/raft_results.hpp"

namespace caos::cli {

/// Two splits with this mean and standard error.
inline std::vector<double> by_seed(double mean, double error) {
  return {mean - error, mean + error};
}

inline TextExperimentResult text_result(Method method, std::vector<double> coverage,
                                        std::vector<double> sizes) {
  TextExperimentResult result{.method = method, .alpha = Miscoverage::parse("0.1")};
  result.coverage = std::move(coverage);
  result.mean_set_size = std::move(sizes);
  for (std::size_t s = 0; s < result.coverage.size(); ++s) {
    result.singleton_rate.push_back(0.75);
    result.empty_rate.push_back(0);
    result.tested.emplace_back(10);
    std::iota(result.tested.back().begin(), result.tested.back().end(), 10 * s);
    result.covered.emplace_back(10, result.coverage[s]);
  }
  return result;
}

inline RaftTask raft_task(const std::string& name, std::size_t labels,
                          std::vector<TextExperimentResult> results) {
  RaftTask task;
  task.scoring = {.model = "builtin",
                  .description = "builtin, no weights",
                  .identity = "builtin-1",
                  .prompt = "paper",
                  .normalization = "average",
                  .tally = {.pairs = 2450}};
  task.experiment = {.task = name, .num_labels = labels, .num_examples = 50};
  task.experiment.results = std::move(results);
  task.experiment.results[2].guarantee = {Guarantee::Kind::none, "it chose late"};
  return task;
}

/// A small synthetic run of `caos experiment raft` with every part.
inline RaftResults raft_example() {
  RaftResults results{.command = "caos experiment raft --data raft", .template_hash = "12ab"};
  results.options = {.methods = {Method::caos, Method::scos, Method::scos_best},
                     .alphas = {Miscoverage::parse("0.1")},
                     .test_size = 10,
                     .seeds = {3, 4}};
  results.tasks = {
      raft_task("mail", 2,
                {text_result(Method::caos, by_seed(0.90625, 0.03125), by_seed(1.25, 0.03125)),
                 text_result(Method::scos, by_seed(0.9375, 0.03125), by_seed(1.75, 0.0625)),
                 text_result(Method::scos_best, by_seed(0.8125, 0.03125), by_seed(1.125, 0.0625))}),
      raft_task("bank", 77,
                {text_result(Method::caos, by_seed(0.9453125, 0.0078125), by_seed(43.5, 1.5)),
                 text_result(Method::scos, by_seed(0.875, 0.03125), by_seed(41.5, 1.75)),
                 text_result(Method::scos_best, by_seed(0.84375, 0.03125), by_seed(40, 1))})};
  results.tasks[0].text_columns = {"Title", "Body"};
  results.tasks[1].text_columns = {"Query"};
  results.tasks[1].scoring.tally.shortened = 321;
  results.tasks[1].experiment.results[1].feasible = false;
  return results;
}

/// The same with one split only.
inline RaftResults raft_example_of_one_split() {
  RaftResults results = raft_example();
  results.options.seeds = {3};
  for (RaftTask& task : results.tasks) {
    for (TextExperimentResult& result : task.experiment.results) {
      const TextExperimentResult whole = result;
      result = text_result(whole.method, {whole.coverage[0]}, {whole.mean_set_size[0]});
      result.guarantee = whole.guarantee;
    }
  }
  return results;
}

}  // namespace caos::cli
