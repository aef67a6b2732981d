#include "bindings/python/arguments/new_inputs.hpp"

#include <fmt/format.h>

#include "caos/error.hpp"

namespace caos::python {

NewInputs::NewInputs(pybind11::handle test, pybind11::handle reverse, bool symmetric,
                     pybind11::handle groups, const char* groups_name)
    : test_(test, "test"), inputs_{.test = test_.tensor()} {
  require(!symmetric || reverse.is_none(), ErrorKind::invalid_input,
          "give either reverse or symmetric=True: symmetric scores are their own reverse scores");
  inputs_.symmetric = symmetric;
  if (!reverse.is_none()) {
    reverse_.emplace(reverse, "reverse");
    inputs_.reverse = reverse_->tensor();
  }
  if (groups.is_none()) return;
  inputs_.groups = integers_of(groups, groups_name);
  require(inputs_.groups.size() == inputs_.size(), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: there are {}; expected {}, one per input", groups_name,
                       inputs_.groups.size(), inputs_.size());
  });
}

}  // namespace caos::python
