#include <fmt/format.h>

#include <memory>

#include "caos/conformal/calibration.hpp"
#include "caos/conformal/coverage_law.hpp"
#include "caos/conformal/guarantee.hpp"
#include "caos/core/error.hpp"
#include "caos/engine/learning_curve.hpp"
#include "caos/engine/table.hpp"
#include "caos/io/score_file.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "program.hpp"

namespace caos::cli {
namespace {

struct Options {
  CommonOptions common;
  std::size_t n = 0;  ///< 0: not given
  std::string alpha;
  std::size_t num_test = 100;
  std::string labeled;
  std::string labels;
  std::size_t k = CalibrationOptions{}.k;
  std::uint64_t seed = 0;
  std::size_t repeats = 20;
};

/// All that can be said for n examples and one alpha.
struct Advice {
  std::size_t n = 0;
  Miscoverage alpha;
  SplitCoverageLaw
      caos;  ///< of n examples: a bound for CAOS, exact for a split with n to calibrate
  SplitCoverageLaw split;  ///< of the larger half
  std::size_t num_test = 0;
  bool from_scores = false;
  std::vector<LearningCurvePoint> curve{};
};

/// Of n examples a split method calibrates on the larger half. Saturates.
std::size_t examples_needed_split(const Miscoverage& alpha) {
  const std::size_t needed = examples_needed(alpha);
  return needed > SIZE_MAX / 2 ? SIZE_MAX : 2 * needed - 1;
}

Json law_json(const SplitCoverageLaw& law, std::size_t num_test) {
  const Interval observed = law.observed_coverage(num_test);
  return {{"calibration_examples", law.n},
          {"rank", law.rank},
          {"feasible", law.feasible},
          {"mean_coverage", law.mean()},
          {"standard_deviation", law.standard_deviation()},
          {"coverage_5_percent", law.quantile(0.05)},
          {"coverage_95_percent", law.quantile(0.95)},
          {"num_test", num_test},
          {"observed_coverage_5_percent", observed.low},
          {"observed_coverage_95_percent", observed.high}};
}

Json to_json(const Advice& advice) {
  Json json = {{"n", advice.n},
               {"alpha", advice.alpha.value()},
               {"rank", advice.caos.rank},
               {"feasible", advice.caos.feasible},
               {"smallest_feasible_alpha", smallest_feasible_alpha(advice.n)},
               {"examples_needed", examples_needed(advice.alpha)},
               {"examples_needed_split", examples_needed_split(advice.alpha)},
               {"assumption", assumption},
               {"caos_coverage_at_least", caos_coverage_bound(advice.n, advice.alpha)},
               {"split", law_json(advice.split, advice.num_test)}};
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

std::string feasibility_text(const Advice& advice) {
  if (advice.caos.feasible) return "";
  return fmt::format(
      "\nalpha {} is infeasible with {} examples: every set would be every label.\n"
      "Label {} more, or accept alpha {:.4g}.\n",
      advice.alpha.text(), advice.n, examples_needed(advice.alpha) - advice.n,
      smallest_feasible_alpha(advice.n));
}

std::string split_text(const Advice& advice) {
  const SplitCoverageLaw& split = advice.split;
  if (!split.feasible) {
    return fmt::format(
        "Split methods would calibrate on {} of them, too few for this alpha: every set would be\n"
        "every label.\n",
        split.n);
  }
  const Interval observed = split.observed_coverage(advice.num_test);
  return fmt::format(
      "Split methods calibrate on {} of them. With continuous scores the coverage of scos with one\n"
      "reference, and of split-caos, follows Beta({}, {}): mean {:.4g}, standard deviation {:.4g},\n"
      "90 % of all calibrations between {:.3f} and {:.3f}; on {} test examples one will read\n"
      "between {:.3f} and {:.3f}. split-caos-cal covers at least that often on average.\n",
      split.n, split.rank, split.n + 1 - split.rank, split.mean(), split.standard_deviation(),
      split.quantile(0.05), split.quantile(0.95), advice.num_test, observed.low, observed.high);
}

std::string curve_text(const Advice& advice) {
  if (!advice.from_scores) return "";
  if (advice.curve.empty()) return "\nToo few labelled examples to show what fewer would give.\n";
  Table table({"labelled examples", "mean set size", "spread", "coverage"});
  for (const LearningCurvePoint& point : advice.curve) {
    table.add({fmt::format("{}{}", point.n, point.feasible ? "" : " (alpha infeasible)"),
               fmt::format("{:.3f}", point.mean_set_size), fmt::format("{:.3f}", point.spread),
               fmt::format("{:.3f}", point.coverage)});
  }
  return fmt::format(
      "\nWith fewer labels, CAOS on random subsamples, tried on the rest (spread: standard\n"
      "deviation over subsamples, which overlap):\n\n{}",
      table.text());
}

std::string to_text(const Advice& advice) {
  return fmt::format(
             "n = {} labelled examples, alpha = {}\n\n"
             "  rank                            {} of {}\n"
             "  smallest feasible alpha         {:.4g}\n"
             "  examples needed for this alpha  {} (split methods: {})\n\n"
             "CAOS and Full CAOS cover a new example with probability at least {:.4g}, on average\n"
             "over draws of the labelled examples. (Full CAOS: exactly, without ties.)\n\n",
             advice.n, advice.alpha.text(), advice.caos.rank, advice.n,
             smallest_feasible_alpha(advice.n), examples_needed(advice.alpha),
             examples_needed_split(advice.alpha), caos_coverage_bound(advice.n, advice.alpha)) +
         split_text(advice) + feasibility_text(advice) + curve_text(advice) +
         fmt::format("\nAll of this holds if {}.\n", assumption);
}

/// Beyond any labelled set; laws are computed term by term.
constexpr std::size_t most = 1'000'000;

void check(const Options& options) {
  require(options.labeled.empty() == options.labels.empty(), ErrorKind::invalid_input,
          "--labeled and --labels go together");
  require((options.n > 0) != !options.labeled.empty(), ErrorKind::invalid_input,
          "give either --n or --labeled with --labels");
  require(options.n <= most && options.num_test <= most, ErrorKind::invalid_input,
          [] { return fmt::format("--n and --num-test go up to {}", most); });
  check_standard_input({options.labeled, options.labels});
}

Advice advise(std::size_t n, const Miscoverage& alpha, std::size_t num_test) {
  return {.n = n,
          .alpha = alpha,
          .caos = split_coverage_law(n, alpha),
          .split = split_coverage_law(n - n / 2, alpha),
          .num_test = num_test};
}

Advice advise_from_scores(const Options& options, const Miscoverage& alpha) {
  const io::ScoreTensorFile file = io::open_tensor(options.labeled);
  const ScoreTensor labeled = file.tensor();
  check_labeled(labeled);
  const auto labels = read_labels(options.labels, labeled.num_inputs(), labeled.num_labels);
  Advice advice = advise(labels.size(), alpha, options.num_test);
  LearningCurveOptions what{.alpha = alpha};
  what.k = options.k;
  what.repeats = options.repeats;
  what.seed = options.seed;
  advice.from_scores = true;
  advice.curve = learning_curve(labeled, labels, what);
  return advice;
}

void run(const Options& options) {
  check(options);
  const Miscoverage alpha = Miscoverage::parse(options.alpha);
  const Advice advice = options.n > 0 ? advise(options.n, alpha, options.num_test)
                                      : advise_from_scores(options, alpha);
  print_result(options.common, advice);
}

}  // namespace

void add_advise(CLI::App& app) {
  CLI::App& verb = *app.add_subcommand("advise", "What n labelled examples can and cannot give");
  const auto options = std::make_shared<Options>();
  add_whole_number(verb, "--n", options->n, "Number of labelled examples", 2)->default_str("");
  verb.add_option("--alpha", options->alpha, "Accepted miscoverage, a decimal")
      ->required()
      ->type_name("A");
  add_whole_number(verb, "--num-test", options->num_test,
                   "Size of the test set one will read coverage off");
  add_path(verb, "--labeled", options->labeled,
           "Scores of the labelled examples, .npy [n, K, n]: also show how sets shrink with more "
           "labels");
  add_path(verb, "--labels", options->labels, "Their labels, .npy or .csv [n]");
  add_k(verb, options->k);
  add_whole_number(verb, "--repeats", options->repeats, "Subsamples of each size");
  add_whole_number(verb, "--seed", options->seed, "Seed of the subsamples", 0);
  add_common_options(verb, options->common);
  verb.footer("Example:\n  caos advise --n 40 --alpha 0.1");
  verb.callback([options] { run(*options); });
}

}  // namespace caos::cli
