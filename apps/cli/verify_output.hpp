#pragma once

#include <string>
#include <vector>

#include "caos/engine/verification.hpp"
#include "program.hpp"

namespace caos::cli {

/// What `caos verify` found.
struct VerifyOutput {
  std::vector<Verification> parts;

  [[nodiscard]] bool contradicts() const;
};

[[nodiscard]] Json to_json(const VerifyOutput& output);
[[nodiscard]] std::string to_text(const VerifyOutput& output);

}  // namespace caos::cli
