#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/reference/command_facts.hpp"
#include "apps/cli/reference/completions.hpp"
#include "apps/cli/reference/manual.hpp"
#include "apps/cli/reference/reference_json.hpp"
#include "caos/error.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/write_whole.hpp"

namespace caos::cli {
namespace {

// caos man

struct ManCommandOptions {
  CommonOptions common;
  std::vector<std::string> words;
  std::string out;
};

/// The command that the words name, or the program if there are none.
const Command& named_by(const std::vector<std::string>& words, const Command& program) {
  std::string name = program.get_name();
  for (const std::string& word : words) name += " " + word;
  for (const Command* command : with_all_below(program)) {
    if (command->typed_name() == name) return *command;
  }
  throw Error(ErrorKind::invalid_input,
              fmt::format("man: unknown command '{}'; 'caos -h' lists all commands", name));
}

void write_pages(const std::string& folder, const Command& program) {
  io::make_folder(folder);
  for (const auto& [name, text] : manual_pages(program)) {
    io::write_whole((std::filesystem::path(folder) / name).string(),
                    [&](io::Sink& sink) { sink.write(text); });
  }
}

void run_man(const ManCommandOptions& options, const Command& program) {
  if (!options.out.empty()) return write_pages(options.out, program);
  const Command& command = named_by(options.words, program);
  print(options.common.json ? json_text(reference_json(program), 2) + "\n" : manual_page(command));
}

// caos completions

std::string completion(const std::string& shell, const Command& program) {
  if (shell == "bash") return bash_completion(program);
  if (shell == "zsh") return zsh_completion(program);
  if (shell == "fish") return fish_completion(program);
  throw Error(ErrorKind::invalid_input,
              fmt::format("completions: unknown shell '{}'; give bash, zsh or fish", shell));
}

}  // namespace

void add_man(Command& app) {
  Command& command =
      app.add_subcommand("man", "Print the manual page of a command, or of the program");
  const auto options = std::make_shared<ManCommandOptions>();
  command.add_option("command", options->words, "The command, such as landmarks predict");
  add_path(command, "-o,--output", options->out, "Write the pages of all commands into DIR")
      ->type_name("DIR");
  add_common_options(command, options->common);
  command.footer(
      "With --json all commands and options are printed as one JSON object.\n\n"
      "Example:\n  caos man landmarks predict > caos-landmarks-predict.1");
  command.callback([options, &app] { run_man(*options, app); });
}

void add_completions(Command& app) {
  Command& command =
      app.add_subcommand("completions", "Print a script that completes commands in a shell");
  const auto shell = std::make_shared<std::string>();
  command.add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->offers({"bash", "zsh", "fish"});
  command.footer("Example:\n  caos completions bash > caos.bash");
  command.callback([shell, &app] { print(completion(*shell, app)); });
}

/// The former name of `caos man --json`.
void add_reference(Command& app) {
  Command& command = app.add_subcommand("reference", "Print all commands and options as JSON");
  command.hidden();
  command.callback([&app] { print(json_text(reference_json(app), 2) + "\n"); });
}

}  // namespace caos::cli
