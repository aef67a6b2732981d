#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <map>

#include "bindings/python/arguments/alphas.hpp"
#include "bindings/python/arguments/arrays.hpp"
#include "bindings/python/arguments/labeled_arrays.hpp"
#include "bindings/python/arguments/numbers.hpp"
#include "bindings/python/module/register.hpp"
#include "bindings/python/objects/calibrated_scores.hpp"
#include "bindings/python/objects/calibration_state.hpp"
#include "bindings/python/objects/predict_arrays.hpp"
#include "caos/error.hpp"
#include "caos/predict.hpp"
#include "caos/test_inputs.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

// What is calibrated.

CalibratedScores calibrate_arrays(const py::object& labeled, const py::object& labels,
                                  std::int64_t k, std::optional<std::int64_t> num_labels,
                                  const py::object& groups, std::int64_t threads) {
  const CalibrationOptions options{.k = count_of(k, "k"), .threads = count_of(threads, "threads")};
  const LabeledArrays examples(labeled, labels,
                               num_labels ? count_of(*num_labels, "num_labels", 1) : 0);
  const Grouping grouping = examples.grouping(groups);
  const py::gil_scoped_release released;
  OwnScores own = examples.own();
  Calibration calibration = calibrate(own, grouping, options);
  return {std::move(own), std::move(calibration), examples.num_labels()};
}

// What it tells of itself.

/// The number of a group by the name that a user gives it; without groups there is but one.
std::size_t group_number(const Calibration& calibration, const std::optional<GroupId>& group) {
  const Grouping& grouping = calibration.grouping();
  const bool grouped = grouping.kind() != Grouping::Kind::none;
  require(grouped == group.has_value(), ErrorKind::invalid_input, [&] {
    return grouped ? "the calibration has groups; say of which one (group=...)"
                   : "the calibration has no groups; leave out group";
  });
  if (!grouped) return 0;
  if (grouping.kind() == Grouping::Kind::by_input) return grouping.of_candidate(0, *group);
  require(*group >= 0, ErrorKind::invalid_input, "group: labels are counted from 0");
  return grouping.of_candidate(static_cast<Label>(*group), 0);
}

/// `f(calibration, group number, alpha)` for each alpha, of one group.
template <typename F>
auto told_of_alphas(const CalibratedScores& self, const Alphas& alphas,
                    const std::optional<GroupId>& group, F f) {
  const py::gil_scoped_release released;
  return self.read([&](const Calibration& calibration) {
    const std::size_t number = group_number(calibration, group);
    std::vector<decltype(f(calibration, number, alphas.values[0]))> values;
    for (const Miscoverage& alpha : alphas.values) values.push_back(f(calibration, number, alpha));
    return values;
  });
}

py::object threshold(const CalibratedScores& self, const py::object& alpha,
                     std::optional<GroupId> group, bool clip_rank) {
  const Alphas alphas(alpha);
  const RankRule rule = rank_rule(clip_rank);
  const std::vector<Score> thresholds = told_of_alphas(
      self, alphas, group,
      [&](const Calibration& calibration, std::size_t number, const Miscoverage& one) {
        return calibration.threshold(one, number, rule);
      });
  if (alphas.single) return py::float_(thresholds[0]);
  return array_of(thresholds);
}

py::object rank(const CalibratedScores& self, const py::object& alpha,
                std::optional<GroupId> group) {
  const Alphas alphas(alpha);
  const std::vector<std::size_t> ranks = told_of_alphas(
      self, alphas, group,
      [](const Calibration& calibration, std::size_t number, const Miscoverage& one) {
        return conformal_rank(calibration.group(number).size(), one);
      });
  if (alphas.single) return py::int_(ranks[0]);
  return array_of(ranks);
}

/// What `f` says of the calibration as it is now.
template <typename F>
auto told(F f) {
  return [f](const CalibratedScores& self) {
    const py::gil_scoped_release released;
    return self.read(f);
  };
}

py::array_t<double> scores(const CalibratedScores& self) {
  const std::vector<Score> values = told([](const Calibration& calibration) {
    return std::vector<Score>(calibration.scores().begin(), calibration.scores().end());
  })(self);
  return array_of(values);
}

/// How many examples each group has, by its name.
std::map<GroupId, std::size_t> groups(const Calibration& calibration) {
  const Grouping& grouping = calibration.grouping();
  std::map<GroupId, std::size_t> sizes;
  if (grouping.kind() == Grouping::Kind::none) return sizes;
  for (std::size_t g = 0; g < grouping.num_groups(); ++g) {
    sizes[grouping.id(g)] = calibration.group(g).size();
  }
  return sizes;
}

std::string text_of(const CalibratedScores& self) {
  return told([&](const Calibration& c) {
    const Grouping& grouping = c.grouping();
    const std::string groups =
        grouping.kind() == Grouping::Kind::none
            ? ""
            : fmt::format(", {} groups by {}", grouping.num_groups(),
                          grouping.kind() == Grouping::Kind::by_label ? "label" : "input");
    const std::string labels =
        self.num_labels() == 0 ? "" : fmt::format(", {} labels", self.num_labels());
    return fmt::format("Calibration({} examples, k = {}{}{}; {})", c.size(), c.k(), labels, groups,
                       guarantee_of(Method::caos, grouping.kind()).text());
  })(self);
}

// What changes it.

void add_example(CalibratedScores& self, const py::object& under_others,
                 const py::object& of_others, std::optional<GroupId> group) {
  const auto row = [](const py::object& object, const char* name) {
    const RealArray array(object, name);
    require_dimensions(array.array(), 1, name, "one score per labeled example");
    return array.widened();
  };
  const std::vector<Score> under = row(under_others, "under_others");
  const std::vector<Score> of = row(of_others, "of_others");
  const py::gil_scoped_release released;
  self.add_example(under, of, group);
}

// What users read.

constexpr const char* class_text =
    R"(Labeled examples, calibrated once for every alpha.

Made by caos.calibrate or read from a file with caos.load. Predicting leaves it as it is; labeled
examples may join and leave. Safe to use from several threads.)";

constexpr const char* calibrate_text =
    R"(Calibrate CAOS by leaving each labeled example out in turn.

There are n labeled examples and K labels; later, m new inputs.

labeled: scores of the labeled examples under each other, smaller is better; either
    [n, K, n], entry (i, y, j) the score of label y for example i under reference j, with labels; or
    [n, n], entry (i, j) the score of example i's own label under reference j.
    The scores of an example under itself are not looked at.
labels: the label of each example, from 0; needed for [n, K, n].
k: how many of the smallest scores a CAOS score adds, from 1 to n - 1. Fix it before seeing results.
num_labels: K, where labeled is [n, n]; it is then held against labels and against new inputs.
groups: None; 'labels' for a guarantee within each label; or n whole numbers, for one within each
    group of inputs.
threads: 0 means one per core; results do not depend on it.

Returns a Calibration, for every alpha.

Arrays may be NumPy's, PyTorch's, or anything with __array__ or DLPack. float32 and float64 are
used where they lie.)";

constexpr const char* predict_set_text =
    R"(The sets of new inputs: each contains the true label with probability at least 1 - alpha.

test: scores of the new inputs, [m, K, n]: entry (t, y, j) is the score of label y for input t under
    labeled example j. [K, n] is one input.
alpha: the accepted miscoverage, such as 0.1. A list of alphas gives a list of sets, at the cost of
    one.
method: 'caos'; 'full-caos' for smaller sets, which needs reverse or symmetric; or 'split-caos',
    which calibrates on the examples that are not references.
reverse: [m, K, n], for full-caos: entry (t, y, i) is the score of example i's own label under the
    reference (input t, label y).
symmetric: the scores do not change if reference and input are exchanged, so test serves as reverse.
groups: the group of each input, where the calibration has groups of inputs.
clip_rank: where there are too few examples for alpha, use the largest score as the paper does;
    voids the guarantee.
smoothing_seed: break ties at random from this seed: smoothed p-values decide.
confidence: for split-caos: coverage is at least 1 - alpha with this confidence for this calibration
    (PAC), not only on average over calibrations.
pool_size: with confidence: how many examples the labeled ones were drawn from at random, including
    them. None means independent draws from a population.
reference_indices: for split-caos: which examples are references. None means a random half.
seed: draws that half.
threads: 0 means one per core; results do not depend on it.

Returns PredictionSets. Where alpha is infeasible with so few examples, every set is every label,
and a warning says so.)";

constexpr const char* predict_p_text =
    R"(The conformal p-value of every label, [m, K]: a label is in the set at alpha if it is > alpha.

Arguments are as in predict_set.)";

constexpr const char* rank_text =
    R"(Which of the sorted scores is the threshold at alpha, counted from 1.

alpha: the accepted miscoverage. Several alphas give an array.
group: a group, or a label for groups='labels'; only where the calibration has groups.

Returns ceil((1 - alpha)(n + 1)), exactly, which is n + 1 where alpha is infeasible.)";

constexpr const char* threshold_text =
    R"(The largest CAOS score that conforms at alpha; infinity where alpha is infeasible.

alpha: the accepted miscoverage. Several alphas give an array.
group: a group, or a label for groups='labels'; only where the calibration has groups.
clip_rank: the largest score where alpha is infeasible, as the paper does.)";

constexpr const char* load_text =
    R"(Read a calibration that Calibration.save or the program 'caos calibrate' wrote.

path: the name of the file.

Damaged files are a ValueError.)";

constexpr const char* add_example_text =
    R"(Let a labeled example join, as if it had been there from the start.

under_others: the score of its own label under each of the n examples.
of_others: the score of each example's own label under it; the same as under_others if scores are
    symmetric.
group: its group, or its label for groups='labels'; only where the calibration has groups.

Costs O(n). New inputs then need scores under n + 1 examples.)";

std::optional<std::uint64_t> seed_of(const std::optional<std::int64_t>& seed) {
  return seed ? std::optional<std::uint64_t>(count_of(*seed, "smoothing_seed")) : std::nullopt;
}

void define_predictions(py::class_<CalibratedScores>& calibration) {
  const PredictOptions defaults;
  const CalibrationOptions calibration_defaults;
  const std::string default_method(method_name(defaults.method));
  calibration.def(
      "predict_set",
      [](const CalibratedScores& self, const py::object& test, const py::object& alpha,
         const std::string& method, const py::object& reverse, bool symmetric,
         const py::object& groups, bool clip_rank, std::optional<std::int64_t> smoothing_seed,
         const py::object& confidence, std::optional<std::int64_t> pool_size,
         const py::object& reference_indices, std::int64_t seed, std::int64_t threads) {
        return predict_set(self, test, alpha,
                           {.method = method,
                            .reverse = reverse,
                            .symmetric = symmetric,
                            .groups = groups,
                            .clip_rank = clip_rank,
                            .smoothing_seed = seed_of(smoothing_seed),
                            .confidence = confidence,
                            .pool_size = pool_size,
                            .reference_indices = reference_indices,
                            .seed = count_of(seed, "seed"),
                            .threads = count_of(threads, "threads")});
      },
      py::arg("test"), py::arg("alpha"), py::kw_only(), py::arg("method") = default_method,
      py::arg("reverse") = py::none(), py::arg("symmetric") = TestInputs{}.symmetric,
      py::arg("groups") = py::none(), py::arg("clip_rank") = defaults.rule == RankRule::clip,
      py::arg("smoothing_seed") = defaults.smoothing_seed, py::arg("confidence") = py::none(),
      py::arg("pool_size") = py::none(), py::arg("reference_indices") = py::none(),
      py::arg("seed") = default_halving_seed, py::arg("threads") = calibration_defaults.threads,
      predict_set_text);
  calibration.def(
      "predict_p",
      [](const CalibratedScores& self, const py::object& test, const std::string& method,
         const py::object& reverse, bool symmetric, const py::object& groups,
         std::optional<std::int64_t> smoothing_seed, const py::object& reference_indices,
         std::int64_t seed, std::int64_t threads) {
        return predict_p(self, test,
                         {.method = method,
                          .reverse = reverse,
                          .symmetric = symmetric,
                          .groups = groups,
                          .smoothing_seed = seed_of(smoothing_seed),
                          .reference_indices = reference_indices,
                          .seed = count_of(seed, "seed"),
                          .threads = count_of(threads, "threads")});
      },
      py::arg("test"), py::kw_only(), py::arg("method") = default_method,
      py::arg("reverse") = py::none(), py::arg("symmetric") = TestInputs{}.symmetric,
      py::arg("groups") = py::none(), py::arg("smoothing_seed") = defaults.smoothing_seed,
      py::arg("reference_indices") = py::none(), py::arg("seed") = default_halving_seed,
      py::arg("threads") = calibration_defaults.threads, predict_p_text);
  calibration.def("label_scores", &label_scores, py::arg("test"),
                  "The CAOS score of every label, [m, K]: the sum of its k smallest scores.\n\n"
                  "test: scores of the new inputs, [m, K, n] or [K, n], as in predict_set.");
}

void define_properties(py::class_<CalibratedScores>& calibration) {
  calibration.def("__len__", told([](const Calibration& c) { return c.size(); }))
      .def_property_readonly("k", told([](const Calibration& c) { return c.k(); }),
                             "The number of smallest scores in the sum of a CAOS score.")
      .def_property_readonly(
          "num_labels",
          [](const CalibratedScores& self) {
            return self.num_labels() == 0 ? std::nullopt : std::optional(self.num_labels());
          },
          "How many labels there are; None where only own scores were given.")
      .def_property_readonly("scores", &scores,
                             "The leave-one-out CAOS score of each labeled example.")
      .def_property_readonly("groups", told(&groups),
                             "How many labeled examples each group has: a dict from groups, or "
                             "labels for groups='labels'. Empty where there are no groups.")
      .def_property_readonly("guarantee", told([](const Calibration& c) {
                               return guarantee_of(Method::caos, c.grouping().kind()).text();
                             }),
                             "The guarantee of the sets: marginal or group-conditional.")
      .def_property_readonly(
          "assumption", [](const CalibratedScores&) { return assumption; },
          "The assumptions of the guarantee.")
      .def(
          "is_feasible",
          [](const CalibratedScores& self, const py::object& alpha) {
            const Miscoverage exact = alpha_of(alpha);
            return told([&](const Calibration& c) { return c.is_feasible(exact); })(self);
          },
          py::arg("alpha"),
          "Whether there are enough examples for alpha, in every group. If not, sets are large.\n\n"
          "alpha: the accepted miscoverage.")
      .def_property_readonly(
          "smallest_feasible_alpha",
          told([](const Calibration& c) { return smallest_feasible_alpha(c); }),
          "The smallest alpha that there are examples enough for, in every group: "
          "1 / (n + 1) with n examples.")
      .def("rank", &rank, py::arg("alpha"), py::kw_only(), py::arg("group") = py::none(), rank_text)
      .def("threshold", &threshold, py::arg("alpha"), py::kw_only(), py::arg("group") = py::none(),
           py::arg("clip_rank") = PredictOptions{}.rule == RankRule::clip, threshold_text)
      .def("__repr__", &text_of);
}

}  // namespace

void register_calibration(py::module_& module) {
  const CalibrationOptions defaults;
  module.attr("default_k") = defaults.k;
  module.attr("default_method") = std::string(method_name(PredictOptions{}.method));
  auto calibration = public_class<CalibratedScores>(
      module, "Calibration", "caos", MadeBy{"caos.calibrate makes one, caos.load reads one"},
      class_text);
  define_predictions(calibration);
  define_properties(calibration);
  calibration
      .def("add_example", &add_example, py::arg("under_others"), py::arg("of_others"),
           py::kw_only(), py::arg("group") = py::none(), add_example_text)
      .def(
          "remove_example",
          [](CalibratedScores& self, std::int64_t i) { self.remove_example(count_of(i, "i")); },
          py::call_guard<py::gil_scoped_release>(), py::arg("i"),
          "Take out a labeled example; later ones move up by one.\n\n"
          "i: its place, counted from 0. k + 1 examples must remain.")
      .def(
          "save",
          [](const CalibratedScores& self, const std::filesystem::path& path) {
            self.save(path.string());
          },
          py::call_guard<py::gil_scoped_release>(), py::arg("path"),
          "Write a file that caos.load and the program 'caos predict' read, whole or not at all.\n\n"
          "path: its name.")
      .def(py::pickle(&state_of, &from_state));
  module.def("calibrate", &calibrate_arrays, py::arg("labeled"), py::arg("labels") = py::none(),
             py::kw_only(), py::arg("k") = defaults.k, py::arg("num_labels") = py::none(),
             py::arg("groups") = py::none(), py::arg("threads") = defaults.threads, calibrate_text);
  module.def(
      "load",
      [](const std::filesystem::path& path) { return CalibratedScores::load(path.string()); },
      py::call_guard<py::gil_scoped_release>(), py::arg("path"), load_text);
  calibration.def_static(
      "load",
      [](const std::filesystem::path& path) { return CalibratedScores::load(path.string()); },
      py::call_guard<py::gil_scoped_release>(), py::arg("path"), load_text);
}

}  // namespace caos::python
