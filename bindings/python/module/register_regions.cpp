#include <pybind11/stl.h>

#include "bindings/python/module/frames.hpp"
#include "bindings/python/module/register.hpp"
#include "bindings/python/objects/regions.hpp"
#include "caos/conformal/subject_weights.hpp"

namespace caos::python {
namespace py = pybind11;
namespace {

constexpr const char* image_text =
    R"(Where the landmarks of one image may be: regions[i] of Regions.

regions[i]['nose'], or regions[i][3], is the set of one landmark: an array of patches, ascending. A
set may be empty, and it may be every patch.)";

constexpr const char* regions_text =
    R"(Where the landmarks of some images may be, at one alpha.

regions[i] has the regions of image i; regions.mask has all of them as one boolean array, images x
landmarks x patches. A landmark that is present in a new image is in its region with probability at
least 1 - alpha.)";

/// What holds for all images of a prediction, and is told by all of them.
template <typename T>
void define_head(py::class_<T>& regions) {
  const auto add = [&](const char* name, auto get, const char* doc) {
    regions.def_property_readonly(
        name, [get](const T& self) { return get(*self.head); }, doc);
  };
  using Head = RegionsHead;
  add(
      "alpha", [](const Head& head) { return head.alpha.value(); }, "The accepted miscoverage.");
  add(
      "method", [](const Head& head) { return std::string(method_name(head.method)); },
      "caos, full-caos or split-caos.");
  regions.def_property_readonly(
      "guarantee", [](const T& self) { return self.guarantee().text(); },
      "What holds for every landmark: marginal, simultaneous, or none (and why).");
  add(
      "guarantee_is_for", [](const Head& head) { return head.guarantee_is_for; },
      "For whom the guarantee is.");
  add(
      "target", [](const Head& head) { return std::string(target_text(head.target)); },
      "Which new image the guarantee is for, in words.");
  add(
      "assumption", [](const Head& head) { return head.assumption; },
      "The assumptions of the guarantee.");
  add(
      "landmarks", [](const Head& head) { return head.landmarks; }, "The names of the landmarks.");
  regions.def_property_readonly(
      "feasible", [](const T& self) { return array_of_truths(self.feasible()); },
      "Of each landmark, whether enough images calibrate it for alpha. If not, its regions are the "
      "whole image.");
  regions.def(
      "__array__",
      [](const T& self, const py::object& dtype) -> py::object {
        const py::object mask = self.mask();
        return dtype.is_none() ? mask : mask.attr("astype")(dtype);
      },
      py::arg("dtype") = py::none());
  regions.def("__repr__", &T::text);
}

void register_image(py::module_& module) {
  auto image = public_class<ImageRegions>(module, "ImageRegions", "caos.patches", image_text);
  define_head(image);
  image
      .def_property_readonly("mask", &ImageRegions::mask,
                             "Boolean array, landmarks x patches: whether a set holds a patch.")
      .def_property_readonly("sets", &ImageRegions::sets,
                             "The patches of each landmark's set: a list of arrays, ascending.")
      .def_property_readonly("p_values", &ImageRegions::p_values,
                             "The p-values of the patches in sets: a list of arrays.")
      .def_property_readonly("sizes", &ImageRegions::sizes, "How many patches each set holds, [L].")
      .def_property_readonly("proposals", &ImageRegions::proposals,
                             "The most conforming patch of each landmark, in its set or not, [L].")
      .def_property_readonly("proposal_p_values", &ImageRegions::proposal_p_values,
                             "The p-value of plain CAOS of each proposal, [L].")
      .def_property_readonly(
          "scores_over_threshold", &ImageRegions::scores_over_threshold,
          "The score of each proposal over the threshold of plain CAOS, [L]; over the largest "
          "calibration score where alpha is infeasible. Above 1: no location conforms.")
      .def_property_readonly(
          "review_order", &ImageRegions::review_order,
          "Positions of landmarks, least conforming first, [L]: empty sets, then small p-values of "
          "proposals, then large scores over the threshold, then large sets. A heuristic.")
      .def_property_readonly(
          "offsets", &ImageRegions::offsets,
          "Where in its proposal each landmark is proposed to be, [L, 2], from (0, 0), the upper left "
          "corner, to (1, 1): the mean of where the supporting images have it. The middle, if the "
          "calibration knows no offsets.")
      .def_property_readonly(
          "points", &ImageRegions::points,
          "Where each landmark is proposed to be, (x, y) in pixels of the image, [L, 2]. Only where "
          "embeddings came from caos.patches.embed.")
      .def_property_readonly(
          "supporting_references", &ImageRegions::supporting_references,
          "The k labeled images whose scores each proposal adds, the most similar "
          "first, [L, k].")
      .def_property_readonly("supporters", &ImageRegions::supporting_references,
                             "The old name of supporting_references, for one version.")
      .def_property_readonly(
          "grid", [](const ImageRegions& regions) { return regions.image->grid; },
          "How patches lie in the image, a Grid; None where embeddings were plain arrays.")
      .def("__len__", [](const ImageRegions& regions) { return regions.head->size(); })
      .def("__getitem__", &ImageRegions::set_of, py::arg("landmark"))
      .def("select", &ImageRegions::select, py::arg("landmarks"),
           "The regions of some landmarks, with all that holds for them.\n\n"
           "landmarks: their names or numbers.")
      .def(
          py::pickle([](const ImageRegions& self) { return state_of(self); }, &image_regions_from));
}

}  // namespace

void register_regions(py::module_& module) {
  register_image(module);
  auto regions = public_class<Regions>(module, "Regions", "caos.patches", regions_text);
  define_head(regions);
  regions
      .def_property_readonly("mask", &Regions::mask,
                             "Boolean array, images x landmarks x patches: whether a set holds a "
                             "patch. A ValueError where images differ in size.")
      .def_property_readonly("sizes", &Regions::sizes, "How many patches each set holds, [m, L].")
      .def_property_readonly("proposals", &Regions::proposals,
                             "The most conforming patch of each landmark, [m, L].")
      .def_property_readonly("points", &Regions::points,
                             "Where each landmark is proposed to be, (x, y) in pixels, [m, L, 2]. "
                             "Only where embeddings came from caos.patches.embed.")
      .def_property_readonly(
          "review_order", &Regions::review_order,
          "Positions of images, least conforming first, [m]: by the scores over the threshold of their "
          "proposals and by the shape these form. An order to check them in, without a guarantee.")
      .def_property_readonly(
          "mean_region_share", &Regions::mean_region_share,
          "How much of its image a region covers on average, from 0 to 1: by area where embeddings "
          "came from caos.patches.embed, else by number of patches.")
      .def_property_readonly(
          "large_regions", &Regions::large_regions,
          "What to try where regions cover more than 5 % of the image on average; None where they "
          "do not.")
      .def(
          "covers", &Regions::covers, py::arg("labels"),
          "Whether each set holds what labels, [m, L], have for it, float64 [m, L]: 1, 0, or NaN where "
          "the label is missing (-1). numpy.nanmean of this is the coverage.")
      .def(
          "to_pandas", [](const py::object& self) { return frame_of("of_regions", self); },
          "A pandas.DataFrame with one row for each image and landmark: its set, a tuple of patches, "
          "its size, the proposal and its p-value, and x and y of the proposed point where "
          "embeddings came from caos.patches.embed. Its attrs have alpha, method and guarantee.")
      .def("__len__", &Regions::size)
      .def("__getitem__", &Regions::at, py::arg("i"))
      .def(py::pickle([](const Regions& self) { return state_of(self); }, &regions_from));
}

}  // namespace caos::python
