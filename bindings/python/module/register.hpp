#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <utility>

/// What each topic adds to the module `caos._core`. Classes say that they live where users find
/// them, in `caos` and its modules.
namespace caos::python {

void register_acceptance(pybind11::module_& module);
void register_advise(pybind11::module_& module);
void register_audit(pybind11::module_& module);
void register_calibration(pybind11::module_& module);
void register_classification(pybind11::module_& module);
void register_distance(pybind11::module_& module);
void register_embedding(pybind11::module_& module);
void register_evaluate(pybind11::module_& module);
void register_landmark_files(pybind11::module_& module);
void register_method_results(pybind11::module_& module);
void register_patch_evaluation(pybind11::module_& module);
void register_patch_results(pybind11::module_& module);
void register_point_errors(pybind11::module_& module);
void register_patches(pybind11::module_& module);
void register_patches_calibrate(pybind11::module_& module);
void register_prediction_sets(pybind11::module_& module);
void register_regions(pybind11::module_& module);
void register_scorers(pybind11::module_& module);
void register_selection(pybind11::module_& module);
void register_text_calibration(pybind11::module_& module);
void register_text_evaluate(pybind11::module_& module);
void register_text_scorer(pybind11::module_& module);
void register_text_tables(pybind11::module_& module);

/// What gives the objects of a class without a constructor, such as "caos.load reads one".
struct MadeBy {
  std::string text;
};

/// Declares a class that users find in `home`, so that signatures in `help` name it so. Calling it
/// says what to call instead; a constructor that is defined later takes the place of that.
template <typename T, typename... Extra>
pybind11::class_<T> public_class(pybind11::module_& module, const char* name, const char* home,
                                 const MadeBy& made_by, const Extra&... extra) {
  pybind11::class_<T> made(module, name, extra...);
  made.attr("__module__") = home;
  const std::string message =
      std::string(home) + "." + name + " is not made by calling it; " + made_by.text;
  // Under a name of its own: pybind11 takes a function named __init__ for a constructor.
  made.attr("__init__") = pybind11::cpp_function(
      [message](const pybind11::args&, const pybind11::kwargs&) {
        throw pybind11::type_error(message);
      },
      pybind11::name("no_constructor"), message.c_str());
  return made;
}

/// The same where `home` says well enough what gives it.
template <typename T, typename... Extra>
pybind11::class_<T> public_class(pybind11::module_& module, const char* name, const char* home,
                                 const Extra&... extra) {
  const MadeBy made_by{std::string("functions of ") + home + " give it"};
  return public_class<T>(module, name, home, made_by, extra...);
}

/// Declares a function that users find in `home` under `name`, where another module of the package
/// has a function of that name: here it is `text_calibrate`, in `help` it is `calibrate`.
template <typename F, typename... Extra>
void public_function(pybind11::module_& module, const char* name_here, const char* name,
                     const char* home, F&& f, const Extra&... extra) {
  pybind11::cpp_function made(std::forward<F>(f), pybind11::name(name), pybind11::scope(module),
                              extra...);
  made.attr("__module__") = home;
  module.attr(name_here) = made;
}

}  // namespace caos::python
