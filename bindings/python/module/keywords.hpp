#pragma once

#include <pybind11/pybind11.h>

namespace caos::python {

/// Lets every function of the module, and of its classes, take scikit-learn's names for some
/// arguments (n_jobs for threads), and say what is wrong with a call where pybind11 says only that
/// arguments are incompatible. See caos/_keywords.py. Called once, when all is registered.
void register_keywords(pybind11::module_& module);

}  // namespace caos::python
