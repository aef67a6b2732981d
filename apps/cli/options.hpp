#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/command.hpp"
#include "caos/method.hpp"
#include "caos/miscoverage.hpp"

namespace caos::cli {

/// Options that every command has.
struct CommonOptions {
  bool json = false;
  bool quiet = false;
  // Of commands with a result.
  const Command* command = nullptr;  ///< whose options a manifest lists
  std::string manifest{};            ///< file; empty: no manifest, but for experiments
  bool no_manifest = false;          ///< without effect
};

void add_common_options(Command& command, CommonOptions& options);

/// The same for commands that have a result, with the options of its manifest.
void add_result_options(Command& command, CommonOptions& options);

/// Adds an option for a whole number of at least `least`. Anything else, a sign or a number too
/// large included, is misuse.
Option* add_whole_number(Command& command, const std::string& names, std::size_t& value,
                         const std::string& description, std::size_t least = 1);

/// Adds an option for a decimal from `least` to `most`. Anything else is misuse.
Option* add_number(Command& command, const std::string& name, std::optional<double>& value,
                   const std::string& description, double least, double most);

/// The names in "a, b,c", without the spaces around them.
[[nodiscard]] std::vector<std::string> listed_names(const std::string& list);

/// Adds an option for the name of a file or folder, which may not be empty.
Option* add_path(Command& command, const std::string& names, std::string& value,
                 const std::string& description);

/// Adds -o, --output: the file or folder that the command writes.
Option* add_output(Command& command, std::string& value, const std::string& description);

/// The names of all methods, for `Option::offers`.
[[nodiscard]] std::vector<std::string> method_names();

Option* add_threads(Command& command, std::size_t& threads);
inline constexpr const char* default_alpha = "0.1";
/// Adds --alpha, one or more decimals; by default `default_alpha`.
Option* add_alphas(Command& command, std::vector<std::string>& alphas);
/// Adds --alpha, one decimal; its value is the default.
Option* add_alpha(Command& command, std::string& alpha);
Option* add_k(Command& command, std::size_t& k);
Option* add_clip_rank(Command& command, bool& clip_rank);
/// Adds --confidence, a decimal; its value is the default.
Option* add_confidence(Command& command, std::string& confidence);

/// Throws `invalid_input` if an output would replace an input or another output, and `not_found` if
/// its folder is missing. Empty names are options that were not given.
void check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

/// Throws `invalid_input` if more than one input is standard input, "-".
void check_standard_input(const std::vector<std::string>& inputs);

/// The alphas, each once. Throws `invalid_input`.
[[nodiscard]] std::vector<Miscoverage> parse_alphas(const std::vector<std::string>& texts);

/// The methods, each once. Throws `invalid_input`.
[[nodiscard]] std::vector<Method> parse_methods(const std::vector<std::string>& names);

}  // namespace caos::cli
