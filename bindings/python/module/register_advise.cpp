#include <fmt/format.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/python/arguments/alphas.hpp"
#include "bindings/python/arguments/arrays.hpp"
#include "bindings/python/arguments/confidence_argument.hpp"
#include "bindings/python/arguments/labeled_arrays.hpp"
#include "bindings/python/arguments/numbers.hpp"
#include "bindings/python/module/lines.hpp"
#include "bindings/python/module/register.hpp"
#include "caos/advice.hpp"
#include "caos/error.hpp"
#include "caos/guarantee.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

// What users read.

constexpr const char* law_text =
    R"(How the coverage of split conformal sets varies from one calibration to the next.

With n calibration examples and continuous scores, a new example is covered with a probability that
follows Beta(rank, n + 1 - rank), exactly.)";

constexpr const char* advice_text =
    R"(What a number of labeled examples can and cannot give at one alpha.

print(advice) says it in words.)";

constexpr const char* advise_text =
    R"(What n labeled examples can and cannot give.

n: how many labeled examples there are; or else give labeled and labels.
alpha: the accepted miscoverage, such as 0.1; it must be given. A list of alphas gives a list of
    advice.
num_test: the size of the test set, for the range of observed coverage.
confidence: with which split-caos is to cover at least 1 - alpha in one calibration.
labeled: scores of the labeled examples under each other, [n, K, n], as in caos.calibrate: shows
    also how sets shrink with more labeled examples.
labels: the label of each, from 0.
k: how many of the smallest scores a CAOS score adds.
repeats: random subsamples of each size.
seed: draws them.
threads: 0 means one per core; results do not depend on it.

Returns Advice.)";

constexpr const char* coverage_law_text =
    R"(The law of coverage of split conformal sets, a CoverageLaw.

n: how many examples calibrate.
alpha: the accepted miscoverage.

It is exact for scos with one reference and for split-caos, without ties. Its mean is the least with
which CAOS with n labeled examples covers on average.)";

// Laws.

/// A rank beyond n decides nothing.
std::optional<std::size_t> rank_of(const SplitCoverageLaw& law) {
  return law.feasible ? std::optional(law.rank) : std::nullopt;
}

Interval observed(const SplitCoverageLaw& law, std::int64_t num_test) {
  const std::size_t count = count_of(num_test, "num_test", 1);
  require(count <= most_examples, ErrorKind::invalid_input,
          [&] { return fmt::format("num_test: is {}; expected 1 to {}", count, most_examples); });
  const py::gil_scoped_release released;
  return law.observed_coverage(count);
}

double quantile(const SplitCoverageLaw& law, double p) {
  require(0 <= p && p <= 1, ErrorKind::invalid_input,
          [&] { return fmt::format("p: is {}; expected a share from 0 to 1", p); });
  return law.quantile(p);
}

std::string text_of(const SplitCoverageLaw& law) {
  if (!law.feasible) {
    return fmt::format("CoverageLaw({} calibration examples: alpha is infeasible, coverage is 1)",
                       law.n);
  }
  return fmt::format("CoverageLaw({} calibration examples: Beta({}, {}), mean {:.4g})", law.n,
                     law.rank, law.n + 1 - law.rank, law.mean());
}

void register_law(py::module_& module) {
  public_class<SplitCoverageLaw>(module, "CoverageLaw", "caos",
                                 MadeBy{"caos.coverage_law gives one"}, law_text)
      .def_readonly("n", &SplitCoverageLaw::n, "How many examples calibrate.")
      .def_property_readonly("rank", &rank_of,
                             "Which of the calibration scores is the threshold: "
                             "ceil((1 - alpha)(n + 1)); None where alpha is infeasible.")
      .def_readonly("feasible", &SplitCoverageLaw::feasible,
                    "Whether n is enough for alpha. If not, every set is every label, and coverage "
                    "is 1.")
      .def_property_readonly("mean", &SplitCoverageLaw::mean,
                             "The mean of the coverage: rank / (n + 1).")
      .def_property_readonly("standard_deviation", &SplitCoverageLaw::standard_deviation,
                             "The standard deviation of the coverage over calibrations.")
      .def("quantile", &quantile, py::arg("p"),
           "The coverage that a share of all calibrations stays below.\n\n"
           "p: the share, from 0 to 1.")
      .def(
          "observed_coverage",
          [](const SplitCoverageLaw& law, std::int64_t num_test) {
            const Interval interval = observed(law, num_test);
            return std::pair(interval.low, interval.high);
          },
          py::arg("num_test"),
          "The central 90 %, (low, high), of the observed coverage on a test set.\n\n"
          "num_test: the number of its examples.")
      .def("__repr__", &text_of)
      .def(py::pickle(
          [](const SplitCoverageLaw& law) { return py::make_tuple(law.n, law.rank, law.feasible); },
          [](const py::tuple& state) {
            return SplitCoverageLaw{.n = state[0].cast<std::size_t>(),
                                    .rank = state[1].cast<std::size_t>(),
                                    .feasible = state[2].cast<bool>()};
          }));
  module.def(
      "coverage_law",
      [](std::int64_t n, const py::object& alpha) {
        return split_coverage_law(count_of(n, "n"), alpha_of(alpha));
      },
      py::arg("n"), py::arg("alpha"), coverage_law_text);
}

// Points of the learning curve.

void register_point(py::module_& module) {
  public_class<LearningCurvePoint>(module, "LearningCurvePoint", "caos",
                                   MadeBy{"they are in Advice.learning_curve"},
                                   "What CAOS would have given with fewer labeled examples.")
      .def_readonly("n", &LearningCurvePoint::n, "With how many of them.")
      .def_readonly("feasible", &LearningCurvePoint::feasible, "Whether they are enough for alpha.")
      .def_readonly("mean_set_size", &LearningCurvePoint::mean_set_size,
                    "How many labels a set held on average.")
      .def_readonly("spread", &LearningCurvePoint::spread,
                    "Its standard deviation over subsamples, which overlap: no standard error.")
      .def_readonly("coverage", &LearningCurvePoint::coverage,
                    "The share of the other examples whose set held their label.")
      .def("__repr__",
           [](const LearningCurvePoint& point) {
             return fmt::format("LearningCurvePoint(n {}: mean set size {:.3f}, coverage {:.3f}{})",
                                point.n, point.mean_set_size, point.coverage,
                                point.feasible ? "" : "; alpha is infeasible");
           })
      .def(py::pickle(
          [](const LearningCurvePoint& p) {
            return py::make_tuple(p.n, p.feasible, p.mean_set_size, p.spread, p.coverage);
          },
          [](const py::tuple& state) {
            return LearningCurvePoint{.n = state[0].cast<std::size_t>(),
                                      .feasible = state[1].cast<bool>(),
                                      .mean_set_size = state[2].cast<double>(),
                                      .spread = state[3].cast<double>(),
                                      .coverage = state[4].cast<double>()};
          }));
}

// Advice.

py::tuple state_of(const Advice& advice) {
  py::object curve = py::none();
  if (advice.from_scores) curve = py::cast(advice.curve);
  return py::make_tuple(advice.n, advice.alpha.text(), advice.num_test, curve,
                        advice.conditional.confidence.text());
}

Advice advice_from(const py::tuple& state) {
  Advice advice =
      advise(state[0].cast<std::size_t>(), Miscoverage::parse(state[1].cast<std::string>()),
             {.num_test = state[2].cast<std::size_t>(),
              .confidence = Confidence::parse(state[4].cast<std::string>())});
  advice.from_scores = !state[3].is_none();
  if (advice.from_scores) advice.curve = state[3].cast<std::vector<LearningCurvePoint>>();
  return advice;
}

void register_advice(py::module_& module) {
  public_class<Advice>(module, "Advice", "caos", MadeBy{"caos.advise gives it"}, advice_text)
      .def_readonly("n", &Advice::n, "How many labeled examples there are.")
      .def_property_readonly(
          "alpha", [](const Advice& a) { return a.alpha.value(); }, "The accepted miscoverage.")
      .def_property_readonly(
          "rank", [](const Advice& a) { return rank_of(a.caos); },
          "Which of the calibration scores is the threshold: ceil((1 - alpha)(n + 1)); None where "
          "alpha is infeasible.")
      .def_property_readonly(
          "feasible", [](const Advice& a) { return a.caos.feasible; },
          "Whether n is enough for alpha. If not, every set is every label.")
      .def_property_readonly(
          "every_label", [](const Advice& a) { return !a.caos.feasible; },
          "Whether every set is every label, because alpha is infeasible.")
      .def_property_readonly("examples_missing", &examples_missing,
                             "How many more labeled examples make alpha feasible.")
      .def_property_readonly(
          "smallest_feasible_alpha", [](const Advice& a) { return smallest_feasible_alpha(a.n); },
          "The smallest alpha that n examples are enough for: 1 / (n + 1).")
      .def_property_readonly(
          "examples_needed", [](const Advice& a) { return examples_needed(a.alpha); },
          "The fewest labeled examples that are enough for alpha.")
      .def_property_readonly(
          "examples_needed_split", [](const Advice& a) { return examples_needed_split(a.alpha); },
          "The same for split methods, which calibrate on half of them.")
      .def_property_readonly(
          "assumption", [](const Advice&) { return assumption; }, "What all of this rests on.")
      .def_property_readonly(
          "caos_coverage_at_least",
          [](const Advice& a) { return caos_coverage_bound(a.n, a.alpha); },
          "The least probability with which CAOS and Full CAOS cover a new example, on average over "
          "draws of the labeled examples.")
      .def_property_readonly(
          "split", [](const Advice& a) { return a.split; },
          "The CoverageLaw of split methods, which calibrate on the larger half.")
      .def_property_readonly(
          "confidence", [](const Advice& a) { return a.conditional.confidence.value(); },
          "With which one calibration of split-caos is to cover at least 1 - alpha.")
      .def_property_readonly(
          "confidence_rank",
          [](const Advice& a) {
            return a.conditional_rank <= a.split.n ? std::optional(a.conditional_rank)
                                                   : std::nullopt;
          },
          "The rank that split-caos takes for that, for independent draws; None where there are too "
          "few calibration examples.")
      .def_property_readonly(
          "confidence_examples_needed",
          [](const Advice& a) { return examples_needed(a.alpha, a.conditional); },
          "The fewest calibration examples for that.")
      .def_readonly("num_test", &Advice::num_test,
                    "The size of the test set, for the range of observed coverage.")
      .def_property_readonly(
          "learning_curve",
          [](const Advice& a) { return a.from_scores ? std::optional(a.curve) : std::nullopt; },
          "What fewer labeled examples would have given, a list of LearningCurvePoint; None where "
          "no scores were given.")
      .def("__str__", [](const Advice& a) { return without_newline(caos::text_of(a)); })
      .def("__repr__",
           [](const Advice& a) {
             return fmt::format("Advice(n {}, alpha {}: {})", a.n, a.alpha.text(),
                                a.caos.feasible ? fmt::format("rank {}, feasible", a.caos.rank)
                                                : "infeasible, every set is every label");
           })
      .def(py::pickle(&state_of, &advice_from));
}

/// Advice from n, or from scores.
class Question {
 public:
  Question(std::optional<std::int64_t> n, const py::object& labeled, const py::object& labels) {
    require(labeled.is_none() == labels.is_none(), ErrorKind::invalid_input,
            "labeled and labels go together");
    require(n.has_value() == labeled.is_none(), ErrorKind::invalid_input,
            "give either n, or labeled with labels");
    if (n) n_ = count_of(*n, "n");
    if (!n) examples_.emplace(labeled, labels);
    require(!examples_ || examples_->tensor(), ErrorKind::invalid_input,
            "labeled: has two dimensions; expected three: labeled examples x labels x references");
  }

  [[nodiscard]] Advice answer(const Miscoverage& alpha, const AdviceOptions& options) const {
    const py::gil_scoped_release released;
    return examples_ ? advise(*examples_->tensor(), examples_->labels(), alpha, options)
                     : advise(n_, alpha, options);
  }

 private:
  std::size_t n_ = 0;
  std::optional<LabeledArrays> examples_;
};

py::object advise_all(const Question& question, const py::object& alpha,
                      const AdviceOptions& options) {
  require(!alpha.is_none(), ErrorKind::invalid_input,
          "alpha: is missing; give the accepted miscoverage, such as alpha=0.1");
  const Alphas alphas(alpha);
  std::vector<Advice> advice;
  for (const Miscoverage& one : alphas.values) advice.push_back(question.answer(one, options));
  if (alphas.single) return py::cast(std::move(advice[0]));
  return py::cast(std::move(advice));
}

}  // namespace

void register_advise(py::module_& module) {
  register_law(module);
  register_point(module);
  register_advice(module);
  const AdviceOptions defaults;
  module.def(
      "advise",
      [](std::optional<std::int64_t> n, const py::object& alpha, std::int64_t num_test,
         const py::object& confidence, const py::object& labeled, const py::object& labels,
         std::int64_t k, std::int64_t repeats, std::int64_t seed, std::int64_t threads) {
        return advise_all(Question(n, labeled, labels), alpha,
                          {.num_test = count_of(num_test, "num_test", 1),
                           .k = count_of(k, "k"),
                           .repeats = count_of(repeats, "repeats", 1),
                           .seed = count_of(seed, "seed"),
                           .threads = count_of(threads, "threads"),
                           .confidence = confidence_of(confidence)});
      },
      py::arg("n") = py::none(), py::arg("alpha") = py::none(), py::kw_only(),
      py::arg("num_test") = defaults.num_test, py::arg("confidence") = defaults.confidence.value(),
      py::arg("labeled") = py::none(), py::arg("labels") = py::none(), py::arg("k") = defaults.k,
      py::arg("repeats") = defaults.repeats, py::arg("seed") = defaults.seed,
      py::arg("threads") = defaults.threads, advise_text);
}

}  // namespace caos::python
