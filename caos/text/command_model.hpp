#pragma once

#include <memory>
#include <string>

#include "caos/text/language_model.hpp"

namespace caos::text {

/// A program of the user's that answers JSON Lines on its standard output (docs/formats.md). It is
/// started once, through the shell, and ended with this object.
[[nodiscard]] std::unique_ptr<LanguageModel> make_command_model(const std::string& command,
                                                                Question question);

}  // namespace caos::text
