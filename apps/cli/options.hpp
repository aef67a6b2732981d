#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "caos/conformal/method.hpp"
#include "caos/numerics/miscoverage.hpp"

namespace caos::cli {

/// Help in columns that fit a page, without the machinery of the parser.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();

  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
};

/// Options that every verb has.
struct CommonOptions {
  bool json = false;
  bool quiet = false;
  // Of verbs with a result.
  const CLI::App* verb = nullptr;  ///< whose options a manifest lists
  std::string manifest{};          ///< file; empty: beside the files that hold the result
  bool no_manifest = false;
};

void add_common_options(CLI::App& verb, CommonOptions& options);

/// The same for verbs that have a result, with the options of its manifest.
void add_result_options(CLI::App& verb, CommonOptions& options);

/// Adds an option for a whole number of at least `least`. Anything else, a sign or a number too
/// large included, is misuse.
CLI::Option* add_whole_number(CLI::App& verb, const std::string& name, std::size_t& value,
                              const std::string& description, std::size_t least = 1);

/// Adds an option for the name of a file or folder, which may not be empty.
CLI::Option* add_path(CLI::App& verb, const std::string& name, std::string& value,
                      const std::string& description);

/// Whether `add_path` made the option.
[[nodiscard]] bool is_path(CLI::Option& option);

/// Names the words that a shell may offer as the option's value. They are not checked: that is for
/// the verb, which says more.
CLI::Option* offer(CLI::Option* option, const std::vector<std::string>& words);

/// What `offer` was given, or nothing.
[[nodiscard]] std::vector<std::string> offered_words(CLI::Option& option);

/// The names of all methods, for `offer`.
[[nodiscard]] std::vector<std::string> method_names();

CLI::Option* add_threads(CLI::App& verb, std::size_t& threads);
/// Adds --alpha, one or more decimals.
CLI::Option* add_alphas(CLI::App& verb, std::vector<std::string>& alphas);
CLI::Option* add_k(CLI::App& verb, std::size_t& k);
CLI::Option* add_clip_rank(CLI::App& verb, bool& clip_rank);
/// Adds --confidence, a decimal; its value is the default.
CLI::Option* add_confidence(CLI::App& verb, std::string& confidence);

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
