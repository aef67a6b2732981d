#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>

#include "caos/landmarks/landmark_model.hpp"

namespace caos::python {

/// How images are embedded, as properties of a class; `record_of` gives the record of an object.
template <typename T, typename RecordOf>
void define_embedding(pybind11::class_<T>& type, RecordOf record_of) {
  type.def_property_readonly(
          "working_size", [record_of](const T& self) { return record_of(self).working_size; },
          "The size at which images are embedded: '512', '192x224' or 'original'; '' as in version "
          "0.1.0, a longest side of 1024 at 12 megapixels or more.")
      .def_property_readonly(
          "precision",
          [record_of](const T& self) {
            return std::string(precision_name(record_of(self).precision));
          },
          "'float16' or 'float32'.")
      .def_property_readonly(
          "cell", [record_of](const T& self) { return record_of(self).cell; },
          "The side of the cells that are labels; None where patches are.");
}

}  // namespace caos::python
