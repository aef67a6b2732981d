#include "apps/cli/experiments/csv_text.hpp"
#include "apps/cli/experiments/raft_results.hpp"

namespace caos::cli {
namespace {

void add_by_seed(CsvLine& line, const std::string& name, const std::vector<double>& values) {
  const MeanWithError mean = mean_with_error(values);
  line.emplace_back(name, csv_number(mean.mean));
  line.emplace_back(name + "_standard_error", csv_number(mean.standard_error));
}

void add_rates(CsvLine& line, const TextExperimentResult& result) {
  const Interval interval = result.coverage_interval();
  add_by_seed(line, "coverage", result.coverage);
  line.emplace_back("coverage_low", csv_number(interval.low));
  line.emplace_back("coverage_high", csv_number(interval.high));
  add_by_seed(line, "mean_set_size", result.mean_set_size);
  line.emplace_back("singleton_rate", csv_number(mean_with_error(result.singleton_rate).mean));
  line.emplace_back("empty_rate", csv_number(mean_with_error(result.empty_rate).mean));
}

CsvLine line_of(const TextExperimentOptions& options, const RaftTask& task,
                const TextExperimentResult& result) {
  const bool none = result.guarantee.kind == Guarantee::Kind::none;
  const std::size_t texts = task.experiment.num_examples;
  CsvLine line = {{"task", task.experiment.task},
                  {"method", std::string(method_name(result.method))},
                  {"alpha", result.alpha.text()},
                  {"seeds", std::to_string(options.seeds.size())}};
  add_rates(line, result);
  line.insert(line.end(), {{"guarantee", none ? "none" : result.guarantee.text()},
                           {"why_none", none ? result.guarantee.why_none : ""},
                           {"feasible", result.feasible ? "true" : "false"},
                           {"texts", std::to_string(texts)},
                           {"labels", std::to_string(task.experiment.num_labels)},
                           {"labeled", std::to_string(texts - options.test_size)},
                           {"test", std::to_string(options.test_size)},
                           {"pairs", std::to_string(task.scoring.tally.pairs)},
                           {"shortened", std::to_string(task.scoring.shortened())}});
  return line;
}

}  // namespace

std::string raft_csv(const RaftResults& results) {
  std::vector<CsvLine> lines;
  for_each_result(results, [&](const RaftTask& task, const TextExperimentResult& result) {
    lines.push_back(line_of(results.options, task, result));
  });
  return csv_text(lines);
}

}  // namespace caos::cli
