#pragma once

#include <string>
#include <vector>

#include "apps/cli/reference/option_table.hpp"

namespace caos::cli {

/// A file that is made from the option table.
struct Document {
  std::string name;
  std::string text;
};

/// `caos.1`, and a page for each command that does something: `caos-landmarks-predict.1`.
[[nodiscard]] std::vector<Document> manual_pages(const CommandEntry& program);

/// `README.md`, and a page for each command that does something: `landmarks-predict.md`.
[[nodiscard]] std::vector<Document> reference_pages(const CommandEntry& program);

/// What a shell sources to complete the program's command lines.
[[nodiscard]] Document bash_completion(const CommandEntry& program);
[[nodiscard]] Document zsh_completion(const CommandEntry& program);
[[nodiscard]] Document fish_completion(const CommandEntry& program);

/// `text` with each `from` become `to`.
[[nodiscard]] std::string replaced(std::string text, const std::string& from,
                                   const std::string& to);

/// `caos landmarks predict` as a word of a file's or function's name: `caos-landmarks-predict`.
[[nodiscard]] std::string joined_name(const CommandEntry& command, const std::string& by);

/// `caos landmarks predict` as a word of its group: `predict`.
[[nodiscard]] std::string last_word(const CommandEntry& command);

}  // namespace caos::cli
