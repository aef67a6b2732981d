#pragma once

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <cstdint>

namespace caos::kernels {

/// While it lives, kernels run as on a machine with this instruction set.
class PretendTarget {
 public:
  explicit PretendTarget(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  ~PretendTarget() {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
  }
  PretendTarget(const PretendTarget&) = delete;
  PretendTarget& operator=(const PretendTarget&) = delete;
};

/// Calls `body` under each instruction set that this machine has, the scalar one included.
template <typename Body>
void on_every_target(const Body& body) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    const PretendTarget pretend(target);
    body();
  }
}

}  // namespace caos::kernels
