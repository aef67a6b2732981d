#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <set>

#include "caos/core/error.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/engine/predict.hpp"
#include "caos/io/artifact.hpp"
#include "caos/io/score_file.hpp"
#include "caos/numerics/check_scores.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "program.hpp"

namespace caos::cli {
namespace {

struct Options {
  CommonOptions common;
  std::string model;
  std::string test;
  std::string test_groups;
  std::string reverse;
  bool symmetric = false;
  std::string alpha;
  std::string method = "caos";
  bool clip_rank = false;
  bool smoothed = false;
  std::uint64_t seed = 0;
  std::size_t threads = 0;
};

void refuse(std::string message) { throw Error(ErrorKind::invalid_input, message); }

/// Everything that can be found wrong before a file is opened.
PredictOptions checked(const Options& options) {
  PredictOptions what{.alpha = Miscoverage::parse(options.alpha)};
  what.method = parse_method(options.method);
  what.rule = options.clip_rank ? RankRule::clip : RankRule::every_label;
  if (options.smoothed) what.smoothing_seed = options.seed;
  if (what.method != Method::caos && what.method != Method::full_caos) {
    refuse(fmt::format("{} does not predict from a calibration; choose caos or full-caos",
                       options.method));
  }
  const bool can_reverse = options.symmetric || !options.reverse.empty();
  if (what.method == Method::full_caos && !can_reverse) {
    refuse("full-caos needs --reverse FILE, or --symmetric if the scores are symmetric");
  }
  if (options.symmetric && !options.reverse.empty()) {
    refuse("--reverse and --symmetric exclude each other");
  }
  check_standard_input({options.model, options.test, options.reverse, options.test_groups});
  return what;
}

void check_shape(const ScoreTensor& tensor, const io::Artifact& model) {
  const std::size_t n = model.calibration().size();
  require(tensor.num_references() == n, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} references; {} was calibrated with {}", tensor.name,
                       tensor.num_references(), model.name(), n);
  });
  require(model.num_labels() == 0 || model.num_labels() == tensor.num_labels,
          ErrorKind::invalid_input, [&] {
            return fmt::format("{}: has {} labels per input; {} was calibrated with {}",
                               tensor.name, tensor.num_labels, model.name(), model.num_labels());
          });
}

/// The inputs of one run, checked from end to end before the first line is printed.
class Inputs {
 public:
  Inputs(const Options& options, const io::Artifact& model) : test_(io::open_tensor(options.test)) {
    check_shape(test_.tensor(), model);
    check_scores(test_.tensor());
    symmetric_ = options.symmetric;
    if (!options.reverse.empty()) read_reverse(options.reverse);
    read_groups(options, model);
  }

  [[nodiscard]] std::size_t size() const { return test_.tensor().num_inputs(); }

  /// Groups of inputs, or labels, that the calibration has never seen.
  [[nodiscard]] std::set<GroupId> unknown_groups(const Grouping& grouping) const {
    std::set<GroupId> unknown;
    for (const GroupId id : groups_) {
      if (grouping.of_candidate(0, id) == grouping.num_groups()) unknown.insert(id);
    }
    for (Label y = grouping.num_groups(); y < test_.tensor().num_labels; ++y) {
      if (grouping.kind() == Grouping::Kind::by_label) unknown.insert(static_cast<GroupId>(y));
    }
    return unknown;
  }

  [[nodiscard]] TestInput operator[](std::size_t t) const {
    TestInput input{.pools = test_.tensor().input(t)};
    if (symmetric_) input.reverse = input.pools;
    if (reverse_) input.reverse = reverse_->tensor().input(t);
    if (!groups_.empty()) input.group = groups_[t];
    return input;
  }

 private:
  static void check_scores(const ScoreTensor& tensor) {
    for (std::size_t t = 0; t < tensor.num_inputs(); ++t) check_input(tensor, t);
  }

  void read_reverse(const std::string& path) {
    reverse_ = io::open_tensor(path);
    const ScoreTensor reverse = reverse_->tensor();
    const ScoreTensor test = test_.tensor();
    check_same_shape(reverse, test);
    check_scores(reverse);
  }

  void read_groups(const Options& options, const io::Artifact& model) {
    const bool needed = model.calibration().grouping().kind() == Grouping::Kind::by_input;
    require(needed == !options.test_groups.empty(), ErrorKind::invalid_input, [&] {
      return needed
                 ? fmt::format("{} has groups of inputs; give --test-groups", model.name())
                 : fmt::format("{} has no groups of inputs; leave out --test-groups", model.name());
    });
    if (!needed) return;
    groups_ = cli::read_groups(options.test_groups, size());
  }

  io::ScoreTensorFile test_;
  std::optional<io::ScoreTensorFile> reverse_;
  bool symmetric_ = false;
  std::vector<GroupId> groups_;
};

Json p_values_json(const Prediction& prediction) {
  Json values = Json::array();
  for (const std::optional<double>& p : prediction.p_values) values.push_back(json_number(p));
  return values;
}

/// All that `predict --json` says besides the sets.
Json header(const Calibration& calibration, const PredictOptions& what, bool feasible) {
  const bool grouped = calibration.grouping().kind() != Grouping::Kind::none;
  const bool one_threshold = !grouped && what.method == Method::caos && !what.smoothing_seed;
  const std::size_t rank = conformal_rank(calibration.size(), what.alpha);
  return {{"alpha", what.alpha.value()},
          {"method", method_name(what.method)},
          {"guarantee", guarantee_of(calibration, what).text()},
          {"assumption", assumption},
          {"smoothed", what.smoothing_seed.has_value()},
          {"rank", grouped ? Json(nullptr) : Json(rank)},
          {"threshold", one_threshold ? json_number(calibration.threshold(what.alpha, 0, what.rule))
                                      : Json(nullptr)},
          {"feasible", feasible}};
}

/// Calls `use` with each prediction as JSON, in order; a block of inputs is predicted in parallel.
template <typename Use>
void for_each_prediction(const Calibration& calibration, const Inputs& inputs,
                         const PredictOptions& what, std::size_t threads, Use use) {
  constexpr std::size_t block = 1024;
  std::vector<Json> predictions(std::min(block, inputs.size()));
  for (std::size_t start = 0; start < inputs.size(); start += block) {
    const std::size_t count = std::min(block, inputs.size() - start);
    parallel_for(count, 16, threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const Prediction one = predict(calibration, inputs[start + i], start + i, what);
        predictions[i] = {{"input", start + i}, {"set", one.set}, {"p_values", p_values_json(one)}};
      }
    });
    for (std::size_t i = 0; i < count; ++i) use(predictions[i]);
  }
}

void print_object(const Calibration& calibration, const Inputs& inputs, const PredictOptions& what,
                  std::size_t threads) {
  const bool feasible =
      is_feasible(calibration, what.alpha) && inputs.unknown_groups(calibration.grouping()).empty();
  Json json = header(calibration, what, feasible);
  json["sets"] = Json::array();
  json["p_values"] = Json::array();
  for_each_prediction(calibration, inputs, what, threads, [&](Json& prediction) {
    json["sets"].push_back(std::move(prediction["set"]));
    json["p_values"].push_back(std::move(prediction["p_values"]));
  });
  print(json.dump() + "\n");
}

void print_lines(const Calibration& calibration, const Inputs& inputs, const PredictOptions& what,
                 std::size_t threads) {
  for_each_prediction(calibration, inputs, what, threads,
                      [](const Json& prediction) { print(prediction.dump() + "\n"); });
}

/// What the user should know about alpha before reading the sets.
void warn_if_infeasible(const Options& options, const Calibration& calibration,
                        const PredictOptions& what) {
  if (is_feasible(calibration, what.alpha)) return;
  const bool grouped = calibration.grouping().kind() != Grouping::Kind::none;
  const char* consequence = "every set is every label";
  if (grouped) consequence = "labels without enough examples are always included";
  if (what.smoothing_seed) consequence = "only chance keeps a label out";
  if (options.clip_rank) consequence = "the rank is clipped and nothing is guaranteed";
  warn(options.common,
       fmt::format("alpha {}: {} labelled examples are needed{} and there are fewer, so {}",
                   what.alpha.text(), examples_needed(what.alpha), grouped ? " in each group" : "",
                   consequence));
}

void run(const Options& options) {
  const PredictOptions what = checked(options);
  const io::Artifact model = io::Artifact::open(options.model);
  const Inputs inputs(options, model);
  const Calibration& calibration = model.calibration();
  warn_if_infeasible(options, calibration, what);
  if (const auto unknown = inputs.unknown_groups(calibration.grouping()); !unknown.empty()) {
    warn(options.common,
         fmt::format("no labelled example is in group {}; its labels are always included",
                     fmt::join(unknown, ", ")));
  }
  if (options.common.json) {
    print_object(calibration, inputs, what, options.threads);
  } else {
    note(options.common,
         fmt::format("guarantee: {}, if {}", guarantee_of(calibration, what).text(), assumption));
    print_lines(calibration, inputs, what, options.threads);
  }
}

}  // namespace

void add_predict(CLI::App& app) {
  CLI::App& verb = *app.add_subcommand("predict", "Sets and p-values for new inputs, at one alpha");
  const auto options = std::make_shared<Options>();
  add_path(verb, "model", options->model, "A calibration written by 'caos calibrate'")
      ->required()
      ->type_name("");
  add_path(verb, "--test", options->test, "Scores of the new inputs, .npy [m, K, n]")->required();
  verb.add_option("--alpha", options->alpha, "Accepted miscoverage, a decimal")
      ->required()
      ->type_name("A");
  verb.add_option("--method", options->method, "caos, or full-caos for smaller sets")
      ->type_name("NAME")
      ->capture_default_str();
  add_path(verb, "--reverse", options->reverse,
           "For full-caos, .npy [m, K, n]: entry (t, y, i) is the score of example i's own label "
           "under the reference (input t, label y)");
  verb.add_flag("--symmetric", options->symmetric,
                "For full-caos: the scores are symmetric, so --test serves as --reverse");
  add_path(verb, "--test-groups", options->test_groups,
           "The groups of the inputs, if the calibration has groups, .npy or .csv [m]");
  CLI::Option* smoothed =
      verb.add_flag("--smoothed", options->smoothed,
                    "Smoothed p-values: ties broken by seeded chance; they decide");
  add_whole_number(verb, "--seed", options->seed, "Seed of the smoothing", 0)->needs(smoothed);
  verb.add_flag("--clip-rank", options->clip_rank,
                "Where alpha is too small for n, use the largest score; loses the guarantee")
      ->excludes(smoothed);
  add_threads(verb, options->threads);
  add_common_options(verb, options->common);
  verb.footer(
      "Example (after 'caos generate --out example' and the example of 'caos calibrate --help'):\n"
      "  caos predict example/model.caos --test example/test.npy --alpha 0.1");
  verb.callback([options] { run(*options); });
}

}  // namespace caos::cli
