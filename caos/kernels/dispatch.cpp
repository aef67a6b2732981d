#include "caos/kernels/dispatch.hpp"

#include <hwy/highway.h>

namespace caos::kernels {

std::string_view instruction_set() {
  // The lowest bit is the best target.
  const auto targets = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(targets & -targets);
}

}  // namespace caos::kernels
