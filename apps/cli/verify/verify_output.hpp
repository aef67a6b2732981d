#pragma once

#include <string>
#include <vector>

#include "apps/cli/program.hpp"
#include "caos/verify/verification.hpp"

namespace caos::cli {

/// What `caos verify` found.
struct VerifyOutput {
  std::vector<Verification> parts;

  [[nodiscard]] bool contradicts() const;
};

[[nodiscard]] Json to_json(const VerifyOutput& output);
[[nodiscard]] std::string to_text(const VerifyOutput& output);

}  // namespace caos::cli
