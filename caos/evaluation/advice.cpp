#include "caos/advice.hpp"

#include <fmt/format.h>

#include "caos/error.hpp"
#include "caos/evaluation/table.hpp"
#include "caos/guarantee.hpp"

namespace caos {
namespace {

void check_count(const char* name, std::size_t count, std::size_t least) {
  require(least <= count && count <= most_examples, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: is {}; expected {} to {}", name, count, least, most_examples);
  });
}

/// What a user should know first: nothing below it matters until there are more examples.
std::string infeasible_text(const Advice& advice) {
  return fmt::format(
      "n = {0} labeled examples, alpha = {1}\n\n"
      "alpha {1} is infeasible with {0} examples: every set is every label.\n"
      "Label {2} more, or accept an alpha of at least 1/{3} ({4:.4g}).\n\n"
      "  examples needed for this alpha  {5} (split methods: {6})\n"
      "  smallest feasible alpha         1/{3} ({4:.4g})\n\n"
      "Such sets contain the true label, because they contain all labels; they exclude nothing.\n",
      advice.n, advice.alpha.text(), examples_missing(advice), advice.n + 1,
      smallest_feasible_alpha(advice.n), examples_needed(advice.alpha),
      examples_needed_split(advice.alpha));
}

std::string feasible_text(const Advice& advice) {
  return fmt::format(
      "n = {} labeled examples, alpha = {}\n\n"
      "  rank                            {} of {}\n"
      "  smallest feasible alpha         {:.4g}\n"
      "  examples needed for this alpha  {} (split methods: {})\n\n"
      "CAOS and Full CAOS cover a new example with probability at least {:.4g}, on average\n"
      "over draws of the labeled examples. (Full CAOS: exactly, without ties.)\n\n",
      advice.n, advice.alpha.text(), advice.caos.rank, advice.n, smallest_feasible_alpha(advice.n),
      examples_needed(advice.alpha), examples_needed_split(advice.alpha),
      caos_coverage_bound(advice.n, advice.alpha));
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
      "90 % of all calibrations between {:.3f} and {:.3f}; on {} test examples the observed\n"
      "coverage is between {:.3f} and {:.3f}. split-caos-cal covers at least that often on "
      "average.\n",
      split.n, split.rank, split.n + 1 - split.rank, split.mean(), split.standard_deviation(),
      split.quantile(0.05), split.quantile(0.95), advice.num_test, observed.low, observed.high);
}

/// What it takes to cover 1 - alpha in this calibration, not on average over calibrations.
std::string confidence_text(const Advice& advice) {
  const std::size_t n = advice.split.n;
  const std::string head = fmt::format(
      "\nFor a coverage of at least 1 - alpha in this calibration with {} confidence, not on average,\n"
      "use split-caos with --confidence {}: ",
      advice.conditional.confidence.percent(), advice.conditional.confidence.text());
  if (advice.conditional_rank <= n) {
    return head +
           fmt::format("rank {} of {}, for independent draws.\n", advice.conditional_rank, n);
  }
  return head + fmt::format("it needs {} calibration examples and has {}.\n",
                            examples_needed(advice.alpha, advice.conditional), n);
}

std::string curve_text(const Advice& advice) {
  if (!advice.from_scores) return "";
  if (advice.curve.empty())
    return "\n"
           "Too few labeled examples to evaluate smaller subsamples.\n";
  Table table({"labeled examples", "mean set size", "spread", "coverage"});
  for (const LearningCurvePoint& point : advice.curve) {
    table.add({fmt::format("{}{}", point.n, point.feasible ? "" : " (alpha infeasible)"),
               fmt::format("{:.3f}", point.mean_set_size), fmt::format("{:.3f}", point.spread),
               fmt::format("{:.3f}", point.coverage)});
  }
  return fmt::format(
      "\n"
      "With fewer labeled examples, CAOS on random subsamples, tested on the rest (spread:\n"
      "standard deviation over subsamples, which overlap):\n"
      "\n"
      "{}",
      table.text());
}

}  // namespace

Advice advise(std::size_t n, const Miscoverage& alpha, const AdviceOptions& options) {
  check_count("n", n, 2);
  check_count("num_test", options.num_test, 1);
  const TrainingConditional conditional{.confidence = options.confidence};
  return {.n = n,
          .alpha = alpha,
          .caos = split_coverage_law(n, alpha),
          .split = split_coverage_law(n - n / 2, alpha),
          .conditional = conditional,
          .conditional_rank = conditional_rank(n - n / 2, alpha, conditional),
          .num_test = options.num_test};
}

Advice advise(const ScoreTensor& labeled, std::span<const Label> labels, const Miscoverage& alpha,
              const AdviceOptions& options) {
  require(options.repeats >= 1, ErrorKind::invalid_input, "repeats: is 0; expected at least 1");
  LearningCurveOptions what{.alpha = alpha};
  what.k = options.k;
  what.repeats = options.repeats;
  what.seed = options.seed;
  what.threads = options.threads;
  const std::vector<LearningCurvePoint> curve = learning_curve(labeled, labels, what);
  Advice advice = advise(labels.size(), alpha, options);
  advice.from_scores = true;
  advice.curve = curve;
  return advice;
}

std::size_t examples_needed_split(const Miscoverage& alpha) {
  const std::size_t needed = examples_needed(alpha);
  return needed > SIZE_MAX / 2 ? SIZE_MAX : 2 * needed - 1;
}

std::size_t examples_missing(const Advice& advice) {
  return advice.caos.feasible ? 0 : examples_needed(advice.alpha) - advice.n;
}

std::string text_of(const Advice& advice) {
  // Where alpha is infeasible for n examples it is for half of them, too.
  const std::string laws =
      advice.caos.feasible ? feasible_text(advice) + split_text(advice) + confidence_text(advice)
                           : infeasible_text(advice);
  return laws + curve_text(advice) + fmt::format("\nAll of this holds if {}.\n", assumption);
}

}  // namespace caos
