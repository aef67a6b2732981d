#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace caos {

/// Instruction sets of this machine other than the one in use.
[[nodiscard]] std::vector<std::string_view> other_instruction_sets();

/// Kernels run with this instruction set as long as it lives, then with the one before.
/// Requires one that this machine has, and that no kernel runs at either moment.
class ChosenKernels {
 public:
  explicit ChosenKernels(std::string_view instruction_set);
  ~ChosenKernels();
  ChosenKernels(const ChosenKernels&) = delete;
  ChosenKernels& operator=(const ChosenKernels&) = delete;

 private:
  std::string before_;
};

}  // namespace caos
