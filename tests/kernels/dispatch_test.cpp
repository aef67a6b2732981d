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

// NEON is part of every aarch64 processor, so that Highway leaves plain C++ out there.
TEST(InstructionSets, EndInPlainCppOrNeon) {
  EXPECT_EQ(instruction_sets().front(), instruction_set());
  const std::string_view last = instruction_sets().back();
  EXPECT_TRUE(last == "SCALAR" || last == "EMU128" ||
              (HWY_ARCH_ARM_A64 && last.starts_with("NEON")))
      << last;
}

TEST(InstructionSets, CanBeChosenAndGivenBack) {
  const std::string_view fastest = instruction_set();
  for (const std::string_view name : instruction_sets()) {
    EXPECT_TRUE(use_instruction_set(name));
    EXPECT_EQ(instruction_set(), name);
    EXPECT_EQ(instruction_sets().front(), fastest);
  }
  EXPECT_FALSE(use_instruction_set("no such thing"));
  use_fastest_instruction_set();
  EXPECT_EQ(instruction_set(), fastest);
}

}  // namespace
}  // namespace caos::kernels
