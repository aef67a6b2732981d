#include "bindings/python/objects/predict_arrays.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "bindings/python/arguments/alphas.hpp"
#include "bindings/python/arguments/confidence_argument.hpp"
#include "bindings/python/arguments/new_inputs.hpp"
#include "bindings/python/arguments/numbers.hpp"
#include "bindings/python/arguments/partition_argument.hpp"
#include "bindings/python/module/errors.hpp"
#include "bindings/python/module/progress.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/predict.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

PredictOptions options_of(const PredictArguments& arguments, const TestInputs& inputs) {
  PredictOptions options{.method = parse_method(arguments.method)};
  options.rule = rank_rule(arguments.clip_rank);
  options.smoothing_seed = arguments.smoothing_seed;
  options.conditional =
      conditional_of(arguments.confidence, arguments.pool_size, inputs.test.num_references());
  check_predicts(options);
  require(options.method != Method::full_caos || inputs.has_reverse(), ErrorKind::invalid_input,
          "full-caos needs the scores of the labeled examples under each new input: give reverse, "
          "or symmetric=True if exchanging reference and input leaves scores as they are");
  require(!arguments.clip_rank || !arguments.smoothing_seed, ErrorKind::invalid_input,
          "clip_rank does not go with smoothing_seed");
  require(options.method == Method::split_caos || arguments.reference_indices.is_none(),
          ErrorKind::invalid_input, "reference_indices are for split-caos");
  return options;
}

void check(const CalibratedScores& calibrated, const Calibration& calibration,
           const TestInputs& inputs) {
  require(calibrated.num_labels() == 0 || calibrated.num_labels() == inputs.test.num_labels,
          ErrorKind::invalid_input, [&] {
            return fmt::format("test: has {} labels per input; the calibration has {}",
                               inputs.test.num_labels, calibrated.num_labels());
          });
  const Grouping::Kind kind = calibration.grouping().kind();
  require(kind == Grouping::Kind::by_input || inputs.groups.empty(), ErrorKind::invalid_input,
          "the calibration has no groups of inputs; leave out groups");
  inputs.check_shapes(calibration.size(), kind);
}

/// A calibration of all examples, or for split-caos of some under the others.
class Predictor {
 public:
  Predictor(const OwnScores& own, const Calibration& calibration, const PredictOptions& options,
            const split::Partition& partition)
      : all_(calibration), options_(options) {
    if (options.method != Method::split_caos) return;
    split_ = split::calibrate_split(own, calibration.grouping(), partition, options.method,
                                    calibration.k());
  }

  [[nodiscard]] const Calibration& calibration() const {
    return split_ ? split_->calibration : all_;
  }
  [[nodiscard]] Prediction predict(const TestInput& input, std::size_t index) const {
    return split_ ? caos::predict(*split_, input, index, options_)
                  : caos::predict(all_, input, index, options_);
  }

 private:
  const Calibration& all_;
  const PredictOptions& options_;
  std::optional<split::SplitCaos> split_;
};

/// Of split-caos; nothing for the others.
split::Partition halves_of(const PredictArguments& arguments, const PredictOptions& options,
                           const TestInputs& inputs) {
  if (options.method != Method::split_caos) return {};
  return partition_of(arguments.reference_indices, inputs.test.num_references(), arguments.seed);
}

/// Calls `use(t, prediction)` for every input, several at a time. Ctrl-C ends it.
template <typename Use>
void predict_each(const Predictor& predictor, const TestInputs& inputs, std::size_t threads,
                  Progress& progress, Use use) {
  parallel_for(inputs.size(), 16, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) {
      inputs.check_scores(t);
      use(t, predictor.predict(inputs[t], t));
    }
    progress.allow_interrupt();
  });
}

py::array_t<bool> empty_mask(const TestInputs& inputs) {
  py::array_t<bool> mask({inputs.size(), inputs.test.num_labels});
  std::fill_n(mask.mutable_data(), mask.size(), false);
  return mask;
}

/// One per alpha; filled by `fill_sets`.
std::vector<PredictionSets> empty_sets(const TestInputs& inputs, const PredictOptions& options) {
  std::vector<PredictionSets> sets;
  for (const Miscoverage& alpha : options.alphas) {
    sets.push_back({.mask = empty_mask(inputs), .alpha = alpha, .method = options.method});
  }
  return sets;
}

/// Predicts without the GIL. Returns what the user should be warned of.
std::vector<std::string> fill_sets(const CalibratedScores& calibrated, const TestInputs& inputs,
                                   const PredictOptions& options, const split::Partition& partition,
                                   std::size_t threads, std::vector<PredictionSets>& sets) {
  std::vector<bool*> masks;
  for (PredictionSets& one : sets) masks.push_back(one.mask.mutable_data());
  std::vector<std::string> warnings;
  const auto add = [&](const std::optional<std::string>& text) {
    if (text) warnings.push_back(*text);
  };
  Progress progress;
  const py::gil_scoped_release released;
  calibrated.read_all([&](const OwnScores& own, const Calibration& all) {
    check(calibrated, all, inputs);
    const Predictor predictor(own, all, options, partition);
    const Calibration& calibration = predictor.calibration();
    predict_each(predictor, inputs, threads, progress,
                 [&](std::size_t t, const Prediction& prediction) {
                   for (std::size_t a = 0; a < masks.size(); ++a) {
                     bool* const row = masks[a] + t * inputs.test.num_labels;
                     for (const Label y : prediction.sets[a]) row[y] = true;
                   }
                 });
    const auto unknown = inputs.unknown_groups(calibration.grouping());
    add(unknown_group_warning(unknown, options));
    for (PredictionSets& one : sets) {
      one.guarantee = guarantee_of(calibration, options, one.alpha);
      one.feasible = is_feasible(calibration, options, one.alpha) && unknown.empty();
      add(feasibility_warning(calibration, options, one.alpha));
    }
  });
  return warnings;
}

}  // namespace

QuietSets predict_quietly(const CalibratedScores& calibrated, const py::object& test,
                          const py::object& alpha, const PredictArguments& arguments) {
  const Alphas alphas(alpha);
  const NewInputs arrays(test, arguments.reverse, arguments.symmetric, arguments.groups);
  PredictOptions options = options_of(arguments, arrays.inputs());
  options.alphas = alphas.values;
  QuietSets result{.sets = empty_sets(arrays.inputs(), options), .single = alphas.single};
  const split::Partition partition = halves_of(arguments, options, arrays.inputs());
  result.warnings =
      fill_sets(calibrated, arrays.inputs(), options, partition, arguments.threads, result.sets);
  return result;
}

py::object predict_set(const CalibratedScores& calibrated, const py::object& test,
                       const py::object& alpha, const PredictArguments& arguments) {
  QuietSets result = predict_quietly(calibrated, test, alpha, arguments);
  for (const std::string& text : result.warnings) warn(text);
  if (result.single) return py::cast(std::move(result.sets[0]));
  return py::cast(std::move(result.sets));
}

py::array_t<double> predict_p(const CalibratedScores& calibrated, const py::object& test,
                              const PredictArguments& arguments) {
  const NewInputs arrays(test, arguments.reverse, arguments.symmetric, arguments.groups);
  const TestInputs& inputs = arrays.inputs();
  const PredictOptions options = options_of(arguments, inputs);
  const split::Partition partition = halves_of(arguments, options, inputs);
  py::array_t<double> p_values({inputs.size(), inputs.test.num_labels});
  double* const out = p_values.mutable_data();
  Progress progress;
  const py::gil_scoped_release released;
  calibrated.read_all([&](const OwnScores& own, const Calibration& all) {
    check(calibrated, all, inputs);
    const Predictor predictor(own, all, options, partition);
    predict_each(predictor, inputs, arguments.threads, progress,
                 [&](std::size_t t, const Prediction& prediction) {
                   for (Label y = 0; y < prediction.p_values.size(); ++y) {
                     out[t * inputs.test.num_labels + y] = *prediction.p_values[y];
                   }
                 });
  });
  return p_values;
}

py::array_t<double> label_scores(const CalibratedScores& calibrated, const py::object& test) {
  const NewInputs arrays(test, py::none(), false, py::none());
  const TestInputs& inputs = arrays.inputs();
  py::array_t<double> scores({inputs.size(), inputs.test.num_labels});
  double* const out = scores.mutable_data();
  const py::gil_scoped_release released;
  calibrated.read([&](const Calibration& calibration) {
    inputs.check_shapes(calibration.size(), Grouping::Kind::none);
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      inputs.check_scores(t);
      std::ranges::copy(calibration.label_scores(inputs[t].pools),
                        out + t * inputs.test.num_labels);
    }
  });
  return scores;
}

}  // namespace caos::python
