#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "bindings/python/module/frames.hpp"
#include "bindings/python/module/lines.hpp"
#include "bindings/python/module/register.hpp"
#include "bindings/python/objects/method_results.hpp"
#include "bindings/python/objects/result_sequence.hpp"
#include "caos/guarantee.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

// What both results of methods and of their groups have.

using Bounds = std::optional<std::pair<double, double>>;

Bounds bounds(const Evaluation& e) {
  if (!e.coverage_interval) return std::nullopt;
  return std::pair(e.coverage_interval->low, e.coverage_interval->high);
}

/// Adds what an evaluation says; `get` gives the `Evaluation` of an object, or a null pointer.
template <typename T, typename Get>
void define_evaluation(py::class_<T>& result, Get get) {
  const auto add = [&](const char* name, auto field, const char* doc) {
    using Value = decltype(field(std::declval<const Evaluation&>()));
    result.def_property_readonly(
        name,
        [get, field](const T& self) -> py::object {
          const Evaluation* const e = get(self);
          return e == nullptr ? py::none() : py::cast<Value>(field(*e));
        },
        doc);
  };
  add(
      "coverage", [](const Evaluation& e) { return e.coverage; },
      "The share of test examples whose set holds their label.");
  add(
      "coverage_interval", [](const Evaluation& e) { return bounds(e); },
      "The 95 % interval (low, high) of the coverage with these labeled examples, or None if it is "
      "not available.");
  add(
      "interval_kind",
      [](const Evaluation& e) { return std::string(interval_name(e.interval_kind)); },
      "'clopper-pearson' (exact), 'standard-error' (for averages over references) or 'none'.");
  add(
      "coverage_standard_error", [](const Evaluation& e) { return e.coverage_standard_error; },
      "The standard error of the coverage over test examples; None with one example.");
  add(
      "mean_set_size", [](const Evaluation& e) { return e.mean_set_size; },
      "How many labels a set holds on average.");
  add(
      "median_set_size", [](const Evaluation& e) { return e.median_set_size; },
      "How many labels the median set holds.");
  add(
      "singleton_rate", [](const Evaluation& e) { return e.singleton_rate; },
      "The share of sets with one label.");
  add(
      "empty_rate", [](const Evaluation& e) { return e.empty_rate; },
      "The share of sets without any label.");
}

// Groups.

std::string text_of(const GroupResult& group) {
  return fmt::format("GroupResult(group {}: n {}, {} test examples, coverage {})", group.id,
                     group.n, group.num_test,
                     group.evaluation ? coverage_text(*group.evaluation) : "-");
}

void register_group_result(py::module_& module) {
  auto group = public_class<GroupResult>(module, "GroupResult", "caos",
                                         MadeBy{"they are in MethodResult.groups"},
                                         R"(One group of a MethodResult.

Where no test example is in the group, coverage and set sizes are None.)");
  group.def_readonly("id", &GroupResult::id, "The group, or the label for groups='labels'.")
      .def_readonly("n", &GroupResult::n, "How many labeled examples calibrate in this group.")
      .def_readonly("rank", &GroupResult::rank, "Which of their scores is the threshold.")
      .def_readonly(
          "threshold", &GroupResult::threshold,
          "The largest CAOS score that conforms; infinity where alpha is infeasible, None "
          "for full-caos.")
      .def_readonly("feasible", &GroupResult::feasible,
                    "Whether the group has labeled examples enough for alpha.")
      .def_readonly("num_test", &GroupResult::num_test, "How many test examples are in it.");
  define_evaluation(group,
                    [](const GroupResult& g) { return g.evaluation ? &*g.evaluation : nullptr; });
  group.def("__repr__", [](const GroupResult& g) { return text_of(g); })
      .def(py::pickle([](const GroupResult& g) { return state_of(g); }, &group_result_from));
}

// Methods.

std::string text_of(const MethodResult& result) {
  return fmt::format("MethodResult({}, alpha {}: coverage {}, mean size {:.3f}; {}{})",
                     method_name(result.method), result.alpha.text(),
                     coverage_text(result.evaluation), result.evaluation.mean_set_size,
                     result.guarantee.text(), result.feasible ? "" : "; alpha is infeasible");
}

void define_properties(py::class_<MethodResult>& result) {
  result
      .def_property_readonly(
          "method", [](const MethodResult& r) { return std::string(method_name(r.method)); },
          "The name of the method, such as 'caos'.")
      .def_property_readonly(
          "alpha", [](const MethodResult& r) { return r.alpha.value(); },
          "The accepted miscoverage.")
      .def_property_readonly(
          "guarantee", [](const MethodResult& r) { return r.guarantee.text(); },
          "What holds for the sets: marginal, group-conditional, simultaneous, or none (and why).")
      .def_property_readonly(
          "assumption", [](const MethodResult& r) { return assumption_of(r.guarantee); },
          "The assumptions of the guarantee.")
      .def_readonly(
          "rank", &MethodResult::rank,
          "Which of the calibration scores is the threshold; None where groups have their "
          "own.")
      .def_readonly(
          "threshold", &MethodResult::threshold,
          "The largest score that conforms; infinity where alpha is infeasible, None where "
          "there is no single one.")
      .def_readonly("feasible", &MethodResult::feasible,
                    "Whether there are calibration examples enough for alpha. If not, labels are "
                    "included that nothing speaks against.")
      .def_property_readonly(
          "covered", [](const MethodResult& r) { return outcomes_of(r, &Outcome::covered); },
          "For each test example 1.0 if its set holds its label, else 0.0; for scos an average over "
          "references.")
      .def_property_readonly(
          "set_sizes", [](const MethodResult& r) { return outcomes_of(r, &Outcome::size); },
          "How many labels the set of each test example holds; for scos an average over references.")
      .def_readonly("groups", &MethodResult::groups,
                    "A GroupResult for each group; an empty list where there are no groups.");
}

void register_method_result(py::module_& module) {
  auto result = public_class<MethodResult>(
      module, "MethodResult", "caos", MadeBy{"they are in the Evaluation that caos.evaluate gives"},
      "What the sets of one method at one alpha were worth on test "
      "examples.");
  define_properties(result);
  define_evaluation(result, [](const MethodResult& r) { return &r.evaluation; });
  result.def("__repr__", [](const MethodResult& r) { return text_of(r); })
      .def(py::pickle([](const MethodResult& r) { return state_of(r); }, &method_result_from));
}

// All of them.

py::object label_names(const EvaluationReport& report) {
  if (report.label_names.empty()) return py::none();
  return py::tuple(py::cast(report.label_names));
}

void register_evaluation(py::module_& module) {
  auto evaluation = public_class<EvaluationReport>(
      module, "Evaluation", "caos", MadeBy{"caos.evaluate gives one"},
      R"(What every method at every alpha was worth on test examples.

A sequence of MethodResult, in the order of methods and then of alphas. print(evaluation) shows a
table; in a notebook it is shown as one.)");
  define_results(
      evaluation, [](const EvaluationReport& r) -> auto& { return r.results; });
  evaluation.def_readonly("n", &EvaluationReport::n, "How many labeled examples there were.")
      .def_readonly("num_labels", &EvaluationReport::num_labels, "How many labels there are.")
      .def_readonly("num_test", &EvaluationReport::num_test, "How many test examples there were.")
      .def_readonly("k", &EvaluationReport::k, "How many of the smallest scores were added.")
      .def_property_readonly("label_names", &label_names,
                             "The names of the labels, a tuple; None where labels are numbers.")
      .def_property_readonly(
          "assumption", [](const EvaluationReport&) { return assumption; },
          "What the guarantees rest on.")
      .def(
          "to_dicts", &dicts_of,
          "The results as a list of dicts of plain Python values, with the keys that 'caos evaluate "
          "--json' has; None where JSON has null.\n\n"
          "Keys are the names of attributes, apart from these: coverage_low and coverage_high are "
          "the\nattribute coverage_interval, the key coverage_interval is the attribute "
          "interval_kind, and the key\ngroup of a group is the attribute id of a GroupResult. "
          "Infinite thresholds are None.")
      .def(
          "to_pandas",
          [](const py::object& self) { return frame_of("of_dicts", self.attr("to_dicts")()); },
          "The results as a pandas.DataFrame, one row for each method and alpha, with the columns of "
          "to_dicts; without what is itself a table, the groups.")
      .def("_repr_html_", &html_of)
      .def("__repr__", [](const EvaluationReport& r) { return without_newline(text_of(r)); })
      .def(py::pickle([](const EvaluationReport& r) { return state_of(r); }, &report_from));
}

}  // namespace

void register_method_results(py::module_& module) {
  register_group_result(module);
  register_method_result(module);
  register_evaluation(module);
}

}  // namespace caos::python
