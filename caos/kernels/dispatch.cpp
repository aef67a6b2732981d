#include "caos/kernels/dispatch.hpp"

#include <hwy/highway.h>

namespace caos::kernels {
namespace {

/// The fastest first. Asked once, before a test selects another target.
const std::vector<std::int64_t>& targets_of_machine() {
  static const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  return targets;
}

}  // namespace

std::string_view instruction_set() {
  // The lowest bit is the best target.
  const auto targets = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(targets & -targets);
}

std::vector<std::string_view> instruction_sets() {
  std::vector<std::string_view> names;
  for (const std::int64_t target : targets_of_machine()) {
    names.emplace_back(hwy::TargetName(target));
  }
  return names;
}

bool use_instruction_set(std::string_view name) {
  for (const std::int64_t target : targets_of_machine()) {
    if (name != hwy::TargetName(target)) continue;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return true;
  }
  return false;
}

void use_fastest_instruction_set() {
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();  // the next kernel asks the machine again
}

}  // namespace caos::kernels
