#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "caos/guarantee.hpp"
#include "caos/miscoverage.hpp"

/// Sets of named labels as rows and as a summary, for texts and for vectors.
namespace caos::cli {

enum class RowFormat { csv, jsonl };

/// Adds --output and --format.
void add_set_outputs(Command& command, std::string& out, std::string& format);

/// What --format says, or the ending of --output. Throws `invalid_input` for others.
[[nodiscard]] RowFormat row_format_of(const std::string& out, const std::string& format);

/// Names with bars between them; a bar or backslash of a name's own has a backslash before it.
[[nodiscard]] std::string joined_names(const std::vector<std::string>& names);

using PutText = std::function<void(const std::string& text)>;

/// Calls `rows` with what takes text in order: to a file whole or not at all; to standard output,
/// "-", as it comes.
void write_rows(const std::string& out, const std::function<void(const PutText& put)>& rows);

/// The sets at one alpha, as sums, so that they do not grow with the inputs.
struct SetLevel {
  std::string alpha{};
  double alpha_value = 0;
  std::string guarantee{};
  bool feasible = true;
  std::size_t total_size = 0;
  std::size_t singletons = 0;
  std::size_t empty = 0;

  SetLevel(const Miscoverage& at, const Guarantee& what, bool is_feasible);
  void add(std::size_t set_size);
};

/// Of the sets of `count` inputs.
[[nodiscard]] Json to_json(const std::vector<SetLevel>& levels, std::size_t count);
/// One line per alpha.
[[nodiscard]] std::string to_text(const std::vector<SetLevel>& levels, std::size_t count);

/// Prints the summary if the sets are in a file; else notes it beside them.
void print_summary(const CommonOptions& common, const std::string& out, const Json& json,
                   std::string text);

}  // namespace caos::cli
