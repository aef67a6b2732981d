#include <fmt/format.h>

#include <memory>

#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "apps/cli/scores/score_inputs.hpp"
#include "caos/advice.hpp"
#include "caos/error.hpp"
#include "caos/guarantee.hpp"
#include "caos/io/arrays/score_file.hpp"

namespace caos::cli {
namespace {

struct AdviseCommandOptions {
  CommonOptions common;
  std::size_t n = 0;  ///< 0: not given
  std::string alpha = default_alpha;
  std::string labeled;
  std::string labels;
  AdviceOptions advice;
  std::string confidence{default_confidence};
};

/// A rank beyond n decides nothing.
Json rank_json(const SplitCoverageLaw& law) {
  return law.feasible ? Json(law.rank) : Json(nullptr);
}

Json law_json(const SplitCoverageLaw& law, std::size_t num_test) {
  const Interval observed = law.observed_coverage(num_test);
  return {{"calibration_examples", law.n},
          {"feasible", law.feasible},
          {"rank", rank_json(law)},
          {"mean_coverage", law.mean()},
          {"standard_deviation", law.standard_deviation()},
          {"coverage_5_percent", law.quantile(0.05)},
          {"coverage_95_percent", law.quantile(0.95)},
          {"num_test", num_test},
          {"observed_coverage_5_percent", observed.low},
          {"observed_coverage_95_percent", observed.high}};
}

Json confidence_json(const Advice& advice) {
  const bool feasible = advice.conditional_rank <= advice.split.n;
  return {{"confidence", advice.conditional.confidence.value()},
          {"calibration_examples", advice.split.n},
          {"feasible", feasible},
          {"rank", feasible ? Json(advice.conditional_rank) : Json(nullptr)},
          {"examples_needed", examples_needed(advice.alpha, advice.conditional)}};
}

Json to_json(const Advice& advice) {
  Json json = {{"n", advice.n},
               {"alpha", advice.alpha.value()},
               {"feasible", advice.caos.feasible},
               {"every_label", !advice.caos.feasible},
               {"examples_missing", examples_missing(advice)},
               {"rank", rank_json(advice.caos)},
               {"smallest_feasible_alpha", smallest_feasible_alpha(advice.n)},
               {"examples_needed", examples_needed(advice.alpha)},
               {"examples_needed_split", examples_needed_split(advice.alpha)},
               {"assumption", assumption},
               {"caos_coverage_at_least", caos_coverage_bound(advice.n, advice.alpha)},
               {"split", law_json(advice.split, advice.num_test)},
               {"split_with_confidence", confidence_json(advice)}};
  if (!advice.from_scores) return json;
  json["learning_curve"] = Json::array();
  for (const LearningCurvePoint& point : advice.curve) {
    json["learning_curve"].push_back({{"n", point.n},
                                      {"feasible", point.feasible},
                                      {"mean_set_size", point.mean_set_size},
                                      {"spread", point.spread},
                                      {"coverage", point.coverage}});
  }
  return json;
}

void check(const AdviseCommandOptions& options) {
  require(options.labeled.empty() == options.labels.empty(), ErrorKind::invalid_input,
          "--labeled and --labels go together");
  require((options.n > 0) != !options.labeled.empty(), ErrorKind::invalid_input,
          "give either --n or --labeled with --labels");
  require(options.n <= most_examples && options.advice.num_test <= most_examples,
          ErrorKind::invalid_input,
          [] { return fmt::format("--n and --num-test go up to {}", most_examples); });
  check_standard_input({options.labeled, options.labels});
}

Advice advise_from_scores(const AdviseCommandOptions& options, const Miscoverage& alpha) {
  const io::ScoreTensorFile file = io::open_tensor(options.labeled);
  const ScoreTensor labeled = file.tensor();
  check_labeled(labeled);
  const auto labels = read_labels(options.labels, labeled.num_inputs(), labeled.num_labels);
  Advice advice = advise(labeled, labels, alpha, options.advice);
  file.require_unchanged();
  return advice;
}

void run(AdviseCommandOptions options) {
  check(options);
  options.advice.confidence = Confidence::parse(options.confidence);
  Manifest manifest(options.common, {.inputs = {options.labeled, options.labels}});
  const Miscoverage alpha = Miscoverage::parse(options.alpha);
  const Advice advice =
      options.n > 0 ? advise(options.n, alpha, options.advice) : advise_from_scores(options, alpha);
  print_result(
      options.common, [&] { return to_json(advice); }, [&] { return text_of(advice); });
  manifest.write();
}

}  // namespace

void add_advise(Command& app) {
  Command& command = app.add_subcommand("advise", "Show which guarantees n labeled examples allow");
  const auto options = std::make_shared<AdviseCommandOptions>();
  add_whole_number(command, "--n", options->n, "Number of labeled examples", 2)->default_str("");
  add_alpha(command, options->alpha);
  add_whole_number(command, "--num-test", options->advice.num_test,
                   "Size of the test set, for the range of observed coverage");
  add_confidence(command, options->confidence);
  add_path(command, "--labeled", options->labeled,
           "Scores of the labeled examples, .npy [n, K, n]: also show how sets shrink with more "
           "labels");
  add_path(command, "--labels", options->labels, "Their labels, .npy or .csv [n]");
  add_k(command, options->advice.k);
  add_whole_number(command, "--repeats", options->advice.repeats, "Random subsamples of each size");
  add_whole_number(command, "--seed", options->advice.seed, "Seed of the subsamples", 0);
  add_result_options(command, options->common);
  command.footer("Example:\n  caos advise --n 40 --alpha 0.1");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
