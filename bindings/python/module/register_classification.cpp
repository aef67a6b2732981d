#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "bindings/python/arguments/alphas.hpp"
#include "bindings/python/arguments/arrays.hpp"
#include "bindings/python/arguments/numbers.hpp"
#include "bindings/python/module/progress.hpp"
#include "bindings/python/module/register.hpp"
#include "bindings/python/objects/prediction_sets.hpp"
#include "caos/classification.hpp"
#include "caos/classification/vector_methods.hpp"
#include "caos/classification/vector_warnings.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

Matrix<double> vectors_of(const py::object& object, const char* name) {
  const RealArray array(object, name);
  require_dimensions(array.array(), 2, name, "rows x features");
  Matrix<double> result(array.shape(0), array.shape(1));
  std::ranges::copy(array.widened(), result.view().data());
  return result;
}

/// What a classifier was made with, for pickles.
struct VectorArguments {
  std::string method{};
  double temperature = 0;
  std::optional<double> prior_weight{};
  std::int64_t k = 1;
  bool standardize = false;
  bool by_label = false;
  std::int64_t threads = 0;
};

VectorClassifier make(const py::object& vectors, const py::object& labels, std::int64_t num_labels,
                      const VectorArguments& arguments) {
  LabeledVectors labeled{.vectors = vectors_of(vectors, "X"),
                         .num_labels = count_of(num_labels, "num_labels", 1),
                         .name = "X"};
  labeled.labels = labels_of(labels, labeled.vectors.rows(), labeled.num_labels, "y");
  const VectorClassifierOptions options{
      .method = classification::parse_vector_method(arguments.method),
      .temperature = arguments.temperature,
      .prior_weight = arguments.prior_weight,
      .k = count_of(arguments.k, "k", 1),
      .standardize = arguments.standardize,
      .threads = count_of(arguments.threads, "threads", 0)};
  Grouping grouping = arguments.by_label ? Grouping::by_label(labeled.labels, labeled.num_labels)
                                         : Grouping::none(labeled.labels.size());
  const py::gil_scoped_release released;
  return {std::move(labeled), std::move(grouping), options};
}

std::vector<VectorPrediction> predictions_of(const VectorClassifier& classifier,
                                             const py::object& x, std::vector<Miscoverage> alphas,
                                             std::optional<std::uint64_t> smoothing_seed = {}) {
  const Matrix<double> inputs = vectors_of(x, "X");
  Progress progress;
  VectorPredictOptions options{
      .alphas = std::move(alphas), .smoothing_seed = smoothing_seed, .name = "X"};
  options.progress = progress.reporter();
  const py::gil_scoped_release released;
  return classifier.predict(inputs.view(), options);
}

/// The sets, what to warn of, and whether alpha was a number by itself.
py::tuple predict_sets(const VectorClassifier& classifier, const py::object& x,
                       const py::object& alpha, std::optional<std::uint64_t> smoothing_seed) {
  const Alphas alphas(alpha);
  const auto predictions = predictions_of(classifier, x, alphas.values, smoothing_seed);
  std::vector<PredictionSets> sets;
  std::vector<std::string> warnings;
  for (std::size_t a = 0; a < alphas.values.size(); ++a) {
    const Miscoverage& one = alphas.values[a];
    py::array_t<bool> mask({predictions.size(), classifier.num_labels()});
    std::fill_n(mask.mutable_data(), mask.size(), false);
    for (std::size_t t = 0; t < predictions.size(); ++t) {
      bool* const row = mask.mutable_data() + t * classifier.num_labels();
      for (const Label y : predictions[t].sets[a]) row[y] = true;
    }
    sets.push_back({.mask = mask,
                    .alpha = one,
                    .method = classifier.options().method,
                    .guarantee = classifier.guarantee(one),
                    .feasible = classifier.is_feasible(one)});
    const auto warning = classification::feasibility_warning(classifier, {}, one);
    if (warning) warnings.push_back(*warning);
  }
  return py::make_tuple(std::move(sets), std::move(warnings), alphas.single);
}

py::array_t<double> p_values(const VectorClassifier& classifier, const py::object& x,
                             std::optional<std::uint64_t> smoothing_seed) {
  const auto predictions = predictions_of(classifier, x, {}, smoothing_seed);
  py::array_t<double> result({predictions.size(), classifier.num_labels()});
  double* out = result.mutable_data();
  for (const VectorPrediction& one : predictions) out = std::ranges::copy(one.p_values, out).out;
  return result;
}

py::array_t<std::int64_t> points(const VectorClassifier& classifier, const py::object& x) {
  std::vector<std::size_t> labels;
  for (const VectorPrediction& one : predictions_of(classifier, x, {})) labels.push_back(one.point);
  return array_of(labels);
}

py::tuple state_of_classifier(const VectorClassifier& classifier) {
  const VectorClassifierOptions& options = classifier.options();
  return py::make_tuple(array_of(classifier.labeled().vectors.view()),
                        array_of(classifier.labeled().labels), classifier.num_labels(),
                        std::string(method_name(options.method)), options.temperature,
                        options.prior_weight, options.k, options.standardize,
                        classifier.grouping().kind() == Grouping::Kind::by_label, options.threads);
}

VectorClassifier classifier_from(const py::tuple& state) {
  return make(state[0], state[1], state[2].cast<std::int64_t>(),
              {.method = state[3].cast<std::string>(),
               .temperature = state[4].cast<double>(),
               .prior_weight = state[5].cast<std::optional<double>>(),
               .k = state[6].cast<std::int64_t>(),
               .standardize = state[7].cast<bool>(),
               .by_label = state[8].cast<bool>(),
               .threads = state[9].cast<std::int64_t>()});
}

}  // namespace

void register_classification(py::module_& module) {
  py::class_<VectorClassifier>(module, "_VectorClassifier",
                               "Full conformal sets for rows of features; behind CaosClassifier.")
      .def(py::init([](const py::object& vectors, const py::object& labels, std::int64_t num_labels,
                       const std::string& method, double temperature,
                       std::optional<double> prior_weight, std::int64_t k, bool standardize,
                       bool by_label, std::int64_t threads) {
             return make(vectors, labels, num_labels,
                         {method, temperature, prior_weight, k, standardize, by_label, threads});
           }),
           py::arg("vectors"), py::arg("labels"), py::kw_only(), py::arg("num_labels"),
           py::arg("method"), py::arg("temperature") = VectorClassifierOptions{}.temperature,
           py::arg("prior_weight") = py::none(), py::arg("k") = VectorClassifierOptions{}.k,
           py::arg("standardize") = false, py::arg("by_label") = false,
           py::arg("threads") = VectorClassifierOptions{}.threads)
      .def("predict_sets", &predict_sets, py::arg("x"), py::arg("alpha"), py::kw_only(),
           py::arg("smoothing_seed") = py::none())
      .def("predict_p", &p_values, py::arg("x"), py::kw_only(),
           py::arg("smoothing_seed") = py::none())
      .def("predict", &points, py::arg("x"))
      .def(
          "is_feasible",
          [](const VectorClassifier& self, const py::object& alpha) {
            return self.is_feasible(alpha_of(alpha));
          },
          py::arg("alpha"))
      .def_property_readonly("method",
                             [](const VectorClassifier& self) {
                               return std::string(method_name(self.options().method));
                             })
      .def("__len__", &VectorClassifier::size)
      .def(py::pickle(&state_of_classifier, &classifier_from));
}

}  // namespace caos::python
