#pragma once

#include <string>
#include <vector>

#include "apps/cli/command.hpp"

/// What manual pages and completions say of commands.
namespace caos::cli {

/// This command and all below it, each before those below it, but for hidden ones.
[[nodiscard]] std::vector<const Command*> with_all_below(const Command& command);

/// The commands that do something: those without commands below them.
[[nodiscard]] std::vector<const Command*> leaves_of(const Command& program);

/// `caos-landmarks-predict`
[[nodiscard]] std::string joined_name(const Command& command, char by);

/// The options that are not hidden, in the order of the help.
[[nodiscard]] std::vector<const Option*> shown_options(const Command& command);

/// Words worth offering as the value: those that the option offers, or the lower-case words of a
/// value name such as `labels|FILE`, which are literal.
[[nodiscard]] std::vector<std::string> choices_of(const Option& option);

/// What a shell may complete a value to.
enum class ValueKind { nothing, text, file, folder };
[[nodiscard]] ValueKind value_kind(const Option& option);

/// The text with every `from` replaced.
[[nodiscard]] std::string replaced(std::string text, const std::string& from,
                                   const std::string& to);

}  // namespace caos::cli
