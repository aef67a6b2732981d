#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "caos/core/error.hpp"
#include "caos/engine/evaluate.hpp"
#include "caos/io/file.hpp"
#include "caos/io/integers.hpp"
#include "evaluation_output.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "program.hpp"
#include "report.hpp"

namespace caos::cli {
namespace {

struct Options {
  CommonOptions common;
  LabeledOptions labeled;
  std::string test;
  std::string test_labels;
  std::string test_groups;
  std::string reverse;
  bool symmetric = false;
  std::vector<std::string> alphas = {"0.05", "0.1", "0.2"};
  std::size_t k = CalibrationOptions{}.k;
  std::vector<std::string> methods;
  std::string reference_indices;
  std::uint64_t seed = 0;
  bool clip_rank = false;
  std::size_t threads = 0;
  std::string per_example;
  std::string report;
};

/// The methods asked for, each once.
std::vector<Method> parse_methods(const std::vector<std::string>& names) {
  std::vector<Method> methods;
  for (const std::string& name : names) {
    const Method method = parse_method(name);
    if (std::ranges::find(methods, method) == methods.end()) methods.push_back(method);
  }
  return methods;
}

bool can_reverse(const Options& options) { return options.symmetric || !options.reverse.empty(); }

/// The methods that the given inputs allow.
std::vector<Method> possible_methods(const Options& options, const split::Partition& partition) {
  std::vector<Method> methods;
  for (const Method method : all_methods()) {
    if (method == Method::full_caos && !can_reverse(options)) continue;
    if (method == Method::scos_best && options.labeled.labeled.empty()) continue;
    if (is_scos(method) && !options.labeled.groups.empty()) continue;
    const bool adds_scores = is_split(method) && !is_scos(method);
    if (adds_scores && options.k > split::largest_k(partition, method)) continue;
    methods.push_back(method);
  }
  return methods;
}

void refuse(std::string message) { throw Error(ErrorKind::invalid_input, message); }

void check_methods(const Options& options, const std::vector<Method>& methods) {
  for (const Method method : methods) {
    if (method == Method::full_caos && !can_reverse(options)) {
      refuse("full-caos needs --reverse FILE, or --symmetric if the scores are symmetric");
    }
    if (method == Method::scos_best && options.labeled.labeled.empty()) {
      refuse("scos-best needs --labeled, the scores of every label of the labelled examples");
    }
    if (is_scos(method) && !options.labeled.groups.empty()) {
      refuse(fmt::format("{} has no form with groups; leave it out of --methods",
                         method_name(method)));
    }
  }
}

/// Everything that can be found wrong before a file is opened.
void check(const Options& options, const std::vector<Method>& methods) {
  check(options.labeled);
  check_methods(options, methods);
  check_standard_input({options.labeled.labeled, options.labeled.labels,
                        options.labeled.calibration, options.labeled.groups, options.test,
                        options.test_labels, options.test_groups, options.reverse,
                        options.reference_indices});
  if (options.symmetric && !options.reverse.empty()) {
    refuse("--reverse and --symmetric exclude each other");
  }
  const bool grouped_by_file =
      !options.labeled.groups.empty() && options.labeled.groups != "labels";
  if (grouped_by_file && options.test_groups.empty()) {
    refuse("--groups FILE needs --test-groups, the group of each test example");
  }
  if (!grouped_by_file && !options.test_groups.empty()) {
    refuse("--test-groups needs --groups FILE, the group of each labelled example");
  }
}

split::Partition partition(const Options& options, std::size_t n) {
  if (options.reference_indices.empty()) return split::halve(n, options.seed);
  const std::vector<std::int64_t> indices = io::read_integers(options.reference_indices);
  try {
    return split::with_references(n, indices);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", options.reference_indices, error.what()));
  }
}

void warn_if_infeasible(const Options& options, const MethodResult& result) {
  if (result.feasible) return;
  const std::string what =
      fmt::format("method {}, alpha {}", method_name(result.method), result.alpha.text());
  const std::size_t needed = examples_needed(result.alpha);
  if (result.groups.empty()) {
    warn(options.common,
         fmt::format("{}: {} calibration examples are needed and there are fewer, so {}", what,
                     needed,
                     options.clip_rank ? "the rank is clipped and nothing is guaranteed"
                                       : "every set is every label"));
    return;
  }
  const auto small = std::ranges::count(result.groups, false, &GroupResult::feasible);
  warn(options.common,
       fmt::format("{}: {} calibration examples are needed in each group; {} of {} groups have "
                   "fewer, {}",
                   what, needed, small, result.groups.size(),
                   options.clip_rank ? "where the rank is clipped and nothing is guaranteed"
                                     : "where labels are always included"));
}

/// Groups of test examples without any labelled example, once for all results.
void warn_of_unknown_groups(const Options& options, const MethodResult& result) {
  std::vector<GroupId> unknown;
  for (const GroupResult& group : result.groups) {
    if (group.n == 0 && group.num_test > 0) unknown.push_back(group.id);
  }
  if (unknown.empty() || options.labeled.groups == "labels") return;
  warn(options.common, fmt::format("no labelled example is in group {}; test examples of it get "
                                   "every label",
                                   fmt::join(unknown, ", ")));
}

void write_per_example(const std::string& path, const std::vector<MethodResult>& results,
                       const std::vector<Label>& truths) {
  io::write_whole(path, [&](io::Sink& sink) {
    sink.write("example,label,method,alpha,covered,set_size\n");
    for (const MethodResult& result : results) {
      for (std::size_t t = 0; t < truths.size(); ++t) {
        const Outcome& outcome = result.outcomes[t];
        sink.write(fmt::format("{},{},{},{},{},{}\n", t, truths[t], method_name(result.method),
                               result.alpha.text(), outcome.covered, outcome.size));
      }
    }
  });
}

/// The files of one run, opened; the bundle looks into them.
class Inputs {
 public:
  explicit Inputs(const Options& options)
      : labeled_(options.labeled), test_(io::open_tensor(options.test)) {
    require(labeled_.num_labels() == 0 || labeled_.num_labels() == num_labels(),
            ErrorKind::invalid_input, [&] {
              return fmt::format("{}: has {} labels per example; {} has {}", options.test,
                                 num_labels(), options.labeled.labeled, labeled_.num_labels());
            });
    require(test_.tensor().num_inputs() > 0, ErrorKind::invalid_input,
            [&] { return fmt::format("{}: holds no test examples", options.test); });
    if (!options.labeled.labels.empty()) {
      check_labels(labeled_.labels(), labeled_.size(), num_labels(), options.labeled.labels);
    }
    if (!options.reverse.empty()) reverse_ = io::open_tensor(options.reverse);
  }

  [[nodiscard]] const LabeledExamples& labeled() const { return labeled_; }
  [[nodiscard]] std::size_t num_labels() const { return test_.tensor().num_labels; }

  [[nodiscard]] ScoreBundle bundle(const Options& options) const {
    ScoreBundle bundle{.own = labeled_.own(), .labeled = labeled_.tensor(), .test = test_.tensor()};
    bundle.test_labels = read_labels(options.test_labels, bundle.test.num_inputs(), num_labels());
    bundle.symmetric = options.symmetric;
    if (reverse_) bundle.reverse = reverse_->tensor();
    if (!options.test_groups.empty()) {
      bundle.test_groups = read_groups(options.test_groups, bundle.test.num_inputs());
    }
    return bundle;
  }

 private:
  LabeledExamples labeled_;
  io::ScoreTensorFile test_;
  std::optional<io::ScoreTensorFile> reverse_;
};

void write_files(const Options& options, const EvaluationOutput& output,
                 const std::vector<Label>& truths) {
  if (!options.per_example.empty()) {
    write_per_example(options.per_example, output.results, truths);
  }
  if (!options.report.empty()) {
    io::write_whole(options.report, [&](io::Sink& sink) { sink.write(html_report(output)); });
  }
}

void run(const Options& options) {
  const std::vector<Method> asked = parse_methods(options.methods);
  const std::vector<Miscoverage> alphas = parse_alphas(options.alphas);
  check(options, asked);

  const Inputs inputs(options);
  const ScoreBundle bundle = inputs.bundle(options);
  const std::size_t n = inputs.labeled().size();
  const split::Partition halves = partition(options, n);
  ProgressBar bar(options.common, "evaluating");
  EvaluateOptions what{.methods = asked.empty() ? possible_methods(options, halves) : asked,
                       .alphas = alphas,
                       .k = options.k,
                       .grouping = inputs.labeled().grouping(options.labeled, inputs.num_labels()),
                       .partition = halves};
  what.rule = options.clip_rank ? RankRule::clip : RankRule::every_label;
  what.threads = options.threads;
  what.progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  const EvaluationOutput output{.n = n,
                                .num_labels = inputs.num_labels(),
                                .num_test = bundle.test.num_inputs(),
                                .k = options.k,
                                .results = evaluate(bundle, what)};
  bar.clear();
  warn_of_unknown_groups(options, output.results.front());
  for (const MethodResult& result : output.results) warn_if_infeasible(options, result);
  write_files(options, output, bundle.test_labels);
  print(options.common.json ? to_json(output).dump(2) + "\n" : to_text(output));
}

void add_test_options(CLI::App& verb, Options& options) {
  add_path(verb, "--test", options.test, "Scores of the test examples, .npy [m, K, n]")->required();
  add_path(verb, "--test-labels", options.test_labels, "Their true labels, .npy or .csv [m]")
      ->required();
  add_path(verb, "--test-groups", options.test_groups, "Their groups, .npy or .csv [m]");
  add_path(verb, "--reverse", options.reverse,
           "For full-caos, .npy [m, K, n]: entry (t, y, i) is the score of example i's own label "
           "under the reference (test input t, label y)");
  verb.add_flag("--symmetric", options.symmetric,
                "For full-caos: the scores are symmetric, so --test serves as --reverse");
}

void add_method_options(CLI::App& verb, Options& options) {
  verb.add_option("--alpha", options.alphas, "Accepted miscoverage, one or more decimals")
      ->delimiter(',')
      ->type_name("A,...")
      ->default_str("0.05,0.1,0.2");
  add_k(verb, options.k);
  verb.add_option("--methods", options.methods,
                  "Among caos, full-caos, scos, scos-best, scos-oracle, split-caos, "
                  "split-caos-cal, split-caos-ref; by default all that the inputs allow")
      ->delimiter(',')
      ->type_name("NAME,...");
  CLI::Option* indices =
      add_path(verb, "--reference-indices", options.reference_indices,
               "Which labelled examples are references in the split methods, .npy or .csv");
  add_whole_number(verb, "--seed", options.seed, "Seed of the random halving for the split methods",
                   0)
      ->excludes(indices);
  verb.add_flag("--clip-rank", options.clip_rank,
                "Where alpha is too small for n, use the largest score as the paper's tables do; "
                "this loses the guarantee");
}

}  // namespace

void add_evaluate(CLI::App& app) {
  CLI::App& verb = *app.add_subcommand("evaluate", "Coverage and set sizes of every method");
  const auto options = std::make_shared<Options>();
  add_labeled_options(verb, options->labeled);
  add_test_options(verb, *options);
  add_method_options(verb, *options);
  add_path(verb, "--per-example", options->per_example, "Write one CSV row per example and result");
  add_path(verb, "--report", options->report, "Write a page with the table and plots (HTML)");
  add_threads(verb, options->threads);
  add_common_options(verb, options->common);
  verb.footer(
      "Example (after 'caos generate --out example'):\n"
      "  caos evaluate --labeled example/labeled.npy --labels example/labels.npy \\\n"
      "    --test example/test.npy --test-labels example/test-labels.npy --symmetric");
  verb.callback([options] { run(*options); });
}

}  // namespace caos::cli
