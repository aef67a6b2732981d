#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/command.hpp"
#include "apps/cli/program.hpp"

namespace caos::cli {

/// Throws unless the folder of an experiment can be made, or is there and none of the files that
/// will be written there is an input.
void check_experiment_folder(const std::string& folder, std::span<const char* const> written,
                             const std::vector<std::string>& inputs);

/// What was asked for as one would type it, without some options: those that change no result, so
/// that the same results come with the same text.
[[nodiscard]] std::string command_text(const Command& command, std::string_view name,
                                       const std::vector<std::string>& without);

/// Writes a file whole or not at all.
void write_text(const std::string& path, const std::string& text);

/// The results as JSON, or as text with the place of the page.
template <typename Results>
void print_experiment(const CommonOptions& common, const Results& results,
                      const std::string& folder) {
  print_result(
      common, [&] { return to_json(results); },
      [&] { return to_text(results) + "\nReport: " + folder + "/report.html\n"; });
}

}  // namespace caos::cli
