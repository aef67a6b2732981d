#include "caos/verify/chosen_kernels.hpp"

#include <fmt/format.h>

#include "caos/error.hpp"
#include "caos/kernels/dispatch.hpp"

namespace caos {

std::vector<std::string_view> other_instruction_sets() {
  std::vector<std::string_view> others = kernels::instruction_sets();
  std::erase(others, kernels::instruction_set());
  return others;
}

ChosenKernels::ChosenKernels(std::string_view instruction_set)
    : before_(kernels::instruction_set()) {
  require(kernels::use_instruction_set(instruction_set), ErrorKind::invalid_input,
          [&] { return fmt::format("this machine has no {}", instruction_set); });
}

ChosenKernels::~ChosenKernels() {
  if (!kernels::use_instruction_set(before_)) kernels::use_fastest_instruction_set();
}

}  // namespace caos
