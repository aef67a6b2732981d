#include "caos/kernels/dispatch.hpp"

#include <gtest/gtest.h>

#include "tests/kernels/every_target.hpp"

namespace caos::kernels {
namespace {

TEST(InstructionSet, IsTheBestThatTheMachineHas) {
  EXPECT_EQ(instruction_set(), hwy::TargetName(hwy::SupportedAndGeneratedTargets().front()));
  const PretendTarget pretend(HWY_STATIC_TARGET);
  EXPECT_EQ(instruction_set(), hwy::TargetName(HWY_STATIC_TARGET));
}

}  // namespace
}  // namespace caos::kernels
