#include <pybind11/pybind11.h>

#include "bindings/python/arguments/alphas.hpp"
#include "bindings/python/module/errors.hpp"
#include "bindings/python/module/keywords.hpp"
#include "bindings/python/module/register.hpp"
#include "caos/guarantee.hpp"
#include "caos/version.hpp"

// The order is that of need: a class is registered before what returns it.
PYBIND11_MODULE(_core, module) {
  module.doc() = "What caos for Python is made of; users import caos.";
  module.attr("__version__") = caos::version();
  module.attr("assumption") = caos::assumption;
  module.attr("default_alphas") = caos::python::usual_alphas();
  caos::python::register_errors(module);
  caos::python::register_prediction_sets(module);
  caos::python::register_calibration(module);
  caos::python::register_method_results(module);
  caos::python::register_classification(module);
  caos::python::register_distance(module);
  caos::python::register_scorers(module);
  caos::python::register_evaluate(module);
  caos::python::register_advise(module);
  caos::python::register_selection(module);
  caos::python::register_audit(module);
  caos::python::register_embedding(module);
  caos::python::register_landmark_files(module);
  caos::python::register_regions(module);
  caos::python::register_patches(module);
  caos::python::register_patches_calibrate(module);
  caos::python::register_point_errors(module);
  caos::python::register_patch_results(module);
  caos::python::register_patch_evaluation(module);
  caos::python::register_acceptance(module);
  caos::python::register_text_scorer(module);
  caos::python::register_text_calibration(module);
  caos::python::register_text_evaluate(module);
  caos::python::register_text_tables(module);
  caos::python::register_keywords(module);  // the last, as it goes through all functions
}
