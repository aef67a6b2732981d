#include "bindings/python/arguments/grouping_argument.hpp"

#include <fmt/format.h>

#include "bindings/python/arguments/arrays.hpp"
#include "caos/error.hpp"

namespace caos::python {
namespace py = pybind11;

Grouping grouping_of(const py::object& groups, std::span<const Label> labels, std::size_t n,
                     std::size_t num_labels) {
  if (groups.is_none()) return Grouping::none(n);
  if (py::isinstance<py::str>(groups)) {
    const auto text = groups.cast<std::string>();
    require(text == "labels", ErrorKind::invalid_input, [&] {
      return fmt::format("groups: is '{}'; expected 'labels' or an array of whole numbers", text);
    });
    require(!labels.empty(), ErrorKind::invalid_input,
            "groups='labels' needs labels, the label of each labeled example");
    return Grouping::by_label(labels, num_labels);
  }
  const std::vector<GroupId> ids = integers_of(groups, "groups");
  require(ids.size() == n, ErrorKind::invalid_input, [&] {
    return fmt::format("groups: there are {}; expected {}, one per labeled example", ids.size(), n);
  });
  return Grouping::by_input(ids);
}

}  // namespace caos::python
