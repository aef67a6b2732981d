#pragma once

#include <memory>
#include <string>

#include "caos/text/models/language_model.hpp"

namespace caos::text {

/// A program of the user's that answers JSON Lines on its standard output
/// (docs/reference/formats.md). It is started once, through the shell, and ended with this object.
/// Each answer may take so many seconds, the first one too, before which it may have to load a
/// model.
[[nodiscard]] std::unique_ptr<LanguageModel> make_command_model(const std::string& command,
                                                                Question question,
                                                                double patience_seconds = 600);

}  // namespace caos::text
