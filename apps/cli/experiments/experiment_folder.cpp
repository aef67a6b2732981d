#include "apps/cli/experiments/experiment_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "apps/cli/options.hpp"
#include "caos/error.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/write_whole.hpp"

namespace caos::cli {
namespace {

bool needs_quotes(const std::string& word) {
  return word.empty() || word.find_first_of(" \t\"'$`\\*?;&|<>()") != std::string::npos;
}

std::string words_of(const Option& option) {
  if (option.is_flag()) return option.get_name();  // a flag
  const std::string values = fmt::format("{}", fmt::join(option.results(), ","));
  return fmt::format(fmt::runtime(needs_quotes(values) ? "{} '{}'" : "{} {}"), option.get_name(),
                     values);
}

}  // namespace

void check_experiment_folder(const std::string& folder, std::span<const char* const> written,
                             const std::vector<std::string>& inputs) {
  if (io::is_folder(folder)) {
    std::vector<std::string> outputs;
    for (const char* name : written) outputs.push_back(folder + "/" + name);
    check_outputs(outputs, inputs);
    return;
  }
  io::check_target(folder);
  require(!std::filesystem::exists(folder), ErrorKind::invalid_input,
          [&] { return fmt::format("--output: {} is a file; give a folder", folder); });
}

std::string command_text(const Command& command, std::string_view name,
                         const std::vector<std::string>& without) {
  std::string text(name);
  for (const Option* option : command.get_options()) {
    const bool left_out = std::ranges::find(without, option->get_name()) != without.end() ||
                          option->get_name().ends_with("manifest");
    if (option->count() > 0 && !left_out) text += " " + words_of(*option);
  }
  return text;
}

void write_text(const std::string& path, const std::string& text) {
  io::write_whole(path, [&](io::Sink& sink) { sink.write(text); });
}

}  // namespace caos::cli
