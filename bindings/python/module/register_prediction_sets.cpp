#include <fmt/format.h>

#include "bindings/python/arguments/arrays.hpp"
#include "bindings/python/module/frames.hpp"
#include "bindings/python/module/register.hpp"
#include "bindings/python/objects/prediction_sets.hpp"
#include "caos/classification/vector_methods.hpp"
#include "caos/guarantee.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

py::tuple state_of(const PredictionSets& sets) {
  return py::make_tuple(sets.mask, sets.alpha.text(), std::string(method_name(sets.method)),
                        static_cast<int>(sets.guarantee.kind), sets.guarantee.why_none,
                        sets.feasible, sets.label_names, sets.guarantee.listed_labels_only,
                        sets.guarantee.scope);
}

PredictionSets from_state(const py::tuple& state) {
  return {.mask = state[0].cast<py::array_t<bool>>(),
          .alpha = Miscoverage::parse(state[1].cast<std::string>()),
          .method = classification::parse_vector_method(state[2].cast<std::string>()),
          .guarantee = {.kind = static_cast<Guarantee::Kind>(state[3].cast<int>()),
                        .why_none = state[4].cast<std::string>(),
                        .listed_labels_only = state[7].cast<bool>(),
                        .scope = state[8].cast<std::string>()},
          .feasible = state[5].cast<bool>(),
          .label_names = state[6]};
}

/// The array, to be read only: sets do not change by accident.
py::object looked_at(const py::array& array) {
  py::object view = array.attr("view")();
  view.attr("setflags")(py::arg("write") = false);
  return view;
}

}  // namespace

void register_prediction_sets(py::module_& module) {
  public_class<PredictionSets>(module, "PredictionSets", "caos",
                               MadeBy{"predict_set of a calibration gives them"},
                               R"(The prediction sets of some inputs at one alpha.

sets[i] is the set of input i: an array of label numbers, ascending, or a list of names where labels
have names. A set may be empty, and it may hold every label. sets.mask has all of them as one
boolean array, inputs x labels, which is also what numpy.asarray(sets) gives.)")
      .def_property_readonly(
          "mask", [](const PredictionSets& sets) { return looked_at(sets.mask); },
          "Boolean array, inputs x labels: whether the set of an input holds a label.")
      .def_property_readonly("sizes", &PredictionSets::sizes, "How many labels each set holds.")
      .def_property_readonly(
          "alpha", [](const PredictionSets& sets) { return sets.alpha.value(); },
          "The accepted miscoverage.")
      .def_property_readonly(
          "method",
          [](const PredictionSets& sets) { return std::string(method_name(sets.method)); },
          "caos, full-caos, split-caos, full-kernel or full-ratio.")
      .def_property_readonly(
          "guarantee", [](const PredictionSets& sets) { return sets.guarantee.text(); },
          "What holds for these sets: marginal, group-conditional, simultaneous, or none (and why).")
      .def_property_readonly(
          "assumption", [](const PredictionSets& sets) { return assumption_of(sets.guarantee); },
          "The assumptions of the guarantee.")
      .def_readonly("feasible", &PredictionSets::feasible,
                    "Whether there are labeled examples enough for alpha. If not, labels are "
                    "included that nothing speaks against.")
      .def_readonly("label_names", &PredictionSets::label_names,
                    "The names of the labels, a tuple; None where labels are numbers.")
      .def(
          "covers", &PredictionSets::covers, py::arg("labels"),
          "Whether each set holds the label given for it; the mean of this is the coverage.\n\n"
          "labels: one label per set, as a number or, where labels have names, a name. A name that "
          "no label has is in no set.")
      .def(
          "_of_listed_labels",
          [](PredictionSets sets) {
            sets.guarantee.listed_labels_only = true;
            return sets;
          },
          "The same sets, where a label that no labeled example has is in none of them.")
      .def("with_names", &PredictionSets::with_names, py::arg("names"),
           R"(The same sets with names for the labels.

names: one per label, all different; sets[i] is then a list of names, and covers takes names. None
    goes back to numbers.)")
      .def(
          "to_pandas", [](const py::object& self) { return frame_of("of_sets", self); },
          "A pandas.DataFrame with one row for each input: its set, a tuple of labels, and its size. "
          "Its attrs have alpha, method and guarantee.")
      .def("__len__", &PredictionSets::size)
      .def("__getitem__", &PredictionSets::labels, py::arg("i"))
      .def("__iter__",
           [](const py::object& self) {
             return py::reinterpret_steal<py::iterator>(PySeqIter_New(self.ptr()));
           })
      .def(
          "__array__",
          [](const PredictionSets& sets, const py::object& dtype) -> py::object {
            return dtype.is_none() ? looked_at(sets.mask) : sets.mask.attr("astype")(dtype);
          },
          py::arg("dtype") = py::none())
      .def("__repr__", &PredictionSets::text)
      .def(py::pickle(&state_of, &from_state));
}

}  // namespace caos::python
