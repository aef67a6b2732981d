#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <string>

#include "bindings/python/arguments/arrays.hpp"
#include "bindings/python/module/frames.hpp"
#include "bindings/python/module/lines.hpp"
#include "bindings/python/module/register.hpp"
#include "bindings/python/objects/patch_evaluation.hpp"
#include "bindings/python/objects/result_sequence.hpp"
#include "caos/guarantee.hpp"
#include "caos/landmarks/landmark_model.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

using Result = LandmarkMethodResult;

// Results of methods.

std::string text_of(const Result& result) {
  const auto mean = [&](MeanWithError TaskSummary::*figure) {
    return result.summary ? fmt::format("{:.3f}", ((*result.summary).*figure).mean) : "-";
  };
  return fmt::format("LandmarkMethodResult({}, k = {}, alpha {}: coverage {}, mean size {}; {})",
                     method_name(result.method), result.k, result.alpha.text(),
                     mean(&TaskSummary::coverage), mean(&TaskSummary::mean_set_size),
                     result.guarantee.text());
}

/// A mean over landmarks and its standard error, as two properties.
void define_mean(py::class_<Result>& result, const std::string& name,
                 MeanWithError TaskSummary::*figure, const char* doc) {
  result.def_property_readonly(
      name.c_str(),
      [figure](const Result& r) -> std::optional<double> {
        if (!r.summary) return std::nullopt;
        return ((*r.summary).*figure).mean;
      },
      doc);
  result.def_property_readonly((name + "_standard_error").c_str(),
                               [figure](const Result& r) -> std::optional<double> {
                                 if (!r.summary) return std::nullopt;
                                 return ((*r.summary).*figure).standard_error;
                               },
                               "Its standard error over test images, or over subjects where these "
                               "have several; None with fewer than two, and for medians.");
  result.def_property_readonly((name + "_standard_error_over_landmarks").c_str(),
                               [figure](const Result& r) -> std::optional<double> {
                                 if (!r.over_landmarks) return std::nullopt;
                                 return ((*r.over_landmarks).*figure).standard_error;
                               },
                               "How far landmarks differ, which says little of how sure the mean "
                               "is: landmarks of one image are dependent.");
}

void define_means(py::class_<Result>& result) {
  define_mean(result, "coverage", &TaskSummary::coverage,
              "The share of test images whose set holds their landmark, mean over landmarks; None "
              "where no test image has any.");
  define_mean(result, "mean_set_size", &TaskSummary::mean_set_size,
              "How many patches a set holds, mean over landmarks.");
  define_mean(result, "median_set_size", &TaskSummary::median_set_size,
              "How many patches the median set of a landmark holds, mean over landmarks.");
  define_mean(result, "singleton_rate", &TaskSummary::singleton_rate,
              "The share of sets with one patch, mean over landmarks.");
  define_mean(result, "empty_rate", &TaskSummary::empty_rate,
              "The share of sets without any patch, mean over landmarks.");
}

void define_by_landmark(py::class_<Result>& result) {
  result
      .def_property_readonly(
          "landmark_coverage",
          [](const Result& r) { return by_landmark(r, &Evaluation::coverage); },
          "The coverage of each landmark, [L]; NaN where no test image has it.")
      .def_property_readonly(
          "landmark_mean_set_size",
          [](const Result& r) { return by_landmark(r, &Evaluation::mean_set_size); },
          "The mean set size of each landmark, [L]; NaN where no test image has it.")
      .def_property_readonly(
          "num_calibrating",
          [](const Result& r) {
            Indices counts;
            for (const LandmarkResult& landmark : r.landmarks) counts.push_back(landmark.n);
            return array_of(counts);
          },
          "How many images calibrate each landmark, [L].")
      .def_property_readonly(
          "feasible",
          [](const Result& r) {
            py::array_t<bool> feasible(static_cast<py::ssize_t>(r.landmarks.size()));
            std::ranges::transform(r.landmarks, feasible.mutable_data(), &LandmarkResult::feasible);
            return feasible;
          },
          "Of each landmark, whether that is enough for alpha, [L].");
}

void register_result(py::module_& module) {
  auto result = public_class<Result>(
      module, "LandmarkMethodResult", "caos.patches",
      "What the sets of one method at one alpha were worth on test images, over all landmarks.");
  result
      .def_property_readonly(
          "method", [](const Result& r) { return std::string(method_name(r.method)); },
          "The name of the method, such as 'caos'.")
      .def_readonly("k", &Result::k, "The number of smallest scores in the sum of a CAOS score.")
      .def_property_readonly(
          "alpha", [](const Result& r) { return r.alpha.value(); }, "The accepted miscoverage.")
      .def_property_readonly(
          "guarantee", [](const Result& r) { return r.guarantee.text(); },
          "What holds for the sets of each landmark: marginal, or none (and why).")
      .def_property_readonly(
          "assumption", [](const Result& r) { return assumption_of(r.guarantee); },
          "The assumptions of the guarantee.");
  define_means(result);
  define_by_landmark(result);
  result
      .def_readonly("mean_region_share", &Result::mean_region_share,
                    "Mean set size as a share of the image's patches, from 0 to 1; None where no "
                    "test image has a landmark.")
      .def(
          "to_dict", [](const Result& r) { return dict_of(r); },
          "The figures over landmarks as plain Python.")
      .def("__repr__", &text_of);
}

void register_simultaneous(py::module_& module) {
  using Joint = SimultaneousResult;
  public_class<Joint>(module, "SimultaneousResult", "caos.patches",
                      "What one threshold for all landmarks of an image was worth on test images.")
      .def_property_readonly(
          "alpha", [](const Joint& r) { return r.alpha.value(); }, "The accepted miscoverage.")
      .def_property_readonly(
          "guarantee", [](const Joint& r) { return r.guarantee.text(); },
          "What holds for all landmarks of an image at once.")
      .def_readonly("n", &Joint::n, "How many images calibrate.")
      .def_readonly("num_subjects", &Joint::num_subjects, "Of how many subjects they are.")
      .def_readonly("feasible", &Joint::feasible, "Whether that is enough for alpha.")
      .def_property_readonly(
          "coverage", [](const Joint& r) { return r.evaluation.coverage; },
          "The share of images all of whose landmarks are in their sets.")
      .def_property_readonly(
          "mean_set_size", [](const Joint& r) { return r.evaluation.mean_set_size; },
          "How many patches a set holds on average.")
      .def_readonly("covered_separately", &Joint::covered_separately,
                    "The share of images all of whose landmarks are in their separate CAOS sets.")
      .def(
          "to_dict", [](const Joint& r) { return dict_of(r); }, "The figures as plain Python.")
      .def("__repr__", [](const Joint& r) {
        return fmt::format("SimultaneousResult(alpha {}: coverage {:.3f}, mean size {:.3f}; {})",
                           r.alpha.text(), r.evaluation.coverage, r.evaluation.mean_set_size,
                           r.guarantee.text());
      });
}

// All of them.

/// A property of the report.
template <typename F>
auto told(F f) {
  return [f](const PatchEvaluation& self) { return f(self.report); };
}

/// What the program prints, for a notebook.
std::string html_of(const PatchEvaluation& self) {
  const py::object escape = py::module_::import("html").attr("escape");
  return fmt::format("<pre>{}</pre>", escape(text_of(self.report)).cast<std::string>());
}

void register_evaluation(py::module_& module) {
  using Report = LandmarkReport;
  auto evaluation =
      public_class<PatchEvaluation>(module, "LandmarkEvaluation", "caos.patches",
                                    R"(What every method at every alpha was worth on test images.

A sequence of LandmarkMethodResult, in the order of methods and then of alphas. print() shows it as
a table, as notebooks do; to_pandas() gives it to pandas. It cannot be pickled: keep to_dicts()
and packed_sets.)");
  define_results(
      evaluation,
      [](const PatchEvaluation& self) -> auto& { return self.report.evaluation.methods; });
  evaluation
      .def_property_readonly(
          "methods", told([](const Report& r) { return r.evaluation.methods; }),
          "A LandmarkMethodResult for each method, and for each alpha: the items of "
          "this sequence.")
      .def_property_readonly("ablation",
                             told([](const Report& r) { return r.evaluation.ablation; }),
                             "The same of CAOS at each k of ablation_ks.")
      .def_property_readonly("simultaneous",
                             told([](const Report& r) { return r.evaluation.simultaneous; }),
                             "A SimultaneousResult for each alpha, where asked for.")
      .def_property_readonly(
          "sets", &PatchEvaluation::sets,
          "The sets of keep_sets as a boolean array, alphas x images x landmarks x "
          "patches; None where none were kept.")
      .def_property_readonly("packed_sets", &PatchEvaluation::packed_sets,
                             "The same as bits, the first patch lowest: uint8, alphas x images x "
                             "landmarks x bytes, as the program's --sets writes them. "
                             "numpy.unpackbits with bitorder='little' unpacks them.")
      .def_property_readonly(
          "point_errors", [](const PatchEvaluation& self) { return self.points; },
          "PointErrors, how far proposed points are off; None without points and test_points.")
      .def_property_readonly("landmarks", told([](const Report& r) { return r.landmarks; }),
                             "The names of the landmarks.")
      .def_property_readonly("left_out", told([](const Report& r) { return r.left_out; }),
                             "The names of landmarks that too few labeled images have.")
      .def_property_readonly("n", told([](const Report& r) { return r.num_labeled; }),
                             "How many labeled images there are.")
      .def_property_readonly("num_labeled", told([](const Report& r) { return r.num_labeled; }),
                             "The same as n.")
      .def_property_readonly("num_test", told([](const Report& r) { return r.num_test; }),
                             "How many test images there are.")
      .def_property_readonly("k", told([](const Report& r) { return r.k; }),
                             "The number of smallest scores in the sum of a CAOS score.")
      .def_property_readonly("score",
                             told([](const Report& r) { return patch_score_text(r.score); }),
                             "The score, with its parameter.")
      .def_property_readonly("error_over",
                             told([](const Report& r) { return r.evaluation.test.name(); }),
                             "What standard errors are over: 'images', or 'subjects' where these "
                             "have several test images.")
      .def_property_readonly("guarantee_is_for", told([](const Report& r) {
                               return guarantee_is_for(r.evaluation.target);
                             }),
                             "For whom guarantees are.")
      .def_property_readonly("target", told([](const Report& r) {
                               return std::string(target_text(r.evaluation.target));
                             }),
                             "Which new image guarantees are for, in words.")
      .def_property_readonly("average_over", told([](const Report& r) {
                               return r.evaluation.over_subjects ? "subjects" : "images";
                             }),
                             "What figures are averages over: 'subjects' or 'images'.")
      .def_property_readonly(
          "assumption", told([](const Report& r) { return assumption_of(r.evaluation.target); }),
          "What guarantees rest on.")
      .def(
          "to_dicts", &PatchEvaluation::dicts, py::kw_only(), py::arg("by_landmark") = false,
          "The results as plain Python, methods and then the ablation: one dict for each method and "
          "alpha; with by_landmark, one for each of these and each landmark.")
      .def(
          "to_pandas",
          [](const py::object& self, bool by_landmark) {
            return frame_of("of_dicts",
                            self.attr("to_dicts")(py::arg("by_landmark") = by_landmark));
          },
          py::kw_only(), py::arg("by_landmark") = false,
          "The results as a pandas.DataFrame, one row for each dict of to_dicts.\n\n"
          "by_landmark: one for each method, alpha and landmark.")
      .def("_repr_html_", &html_of)
      .def("__repr__", told([](const Report& r) { return without_newline(text_of(r)); }));
}

}  // namespace

void register_patch_results(py::module_& module) {
  register_result(module);
  register_simultaneous(module);
  register_evaluation(module);
}

}  // namespace caos::python
