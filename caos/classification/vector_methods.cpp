#include "caos/classification/vector_methods.hpp"

#include <fmt/format.h>

#include <string>

#include "caos/error.hpp"

namespace caos::classification {

std::vector<Method> vector_methods() {
  std::vector<Method> methods = {Method::full_kernel, Method::full_ratio};
  methods.insert(methods.end(), all_methods().begin(), all_methods().end());
  return methods;
}

Method parse_vector_method(std::string_view name) {
  std::string names;
  for (const Method method : vector_methods()) {
    if (method_name(method) == name) return method;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", method_name(method));
  }
  throw Error(ErrorKind::invalid_input,
              fmt::format("unknown method '{}'; choose among {}", name, names));
}

}  // namespace caos::classification
