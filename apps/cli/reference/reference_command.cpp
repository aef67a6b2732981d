#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/reference/documents.hpp"
#include "caos/error.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/write_whole.hpp"

namespace caos::cli {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string joined_name(const CommandEntry& command, const std::string& by) {
  return replaced(command.name, " ", by);
}

std::string last_word(const CommandEntry& command) {
  return command.name.substr(command.name.rfind(' ') + 1);
}

namespace {

template <Document (*completion)(const CommandEntry&)>
std::vector<Document> alone(const CommandEntry& program) {
  return {completion(program)};
}

struct Kind {
  std::string_view name;
  std::vector<Document> (*documents)(const CommandEntry& program);
};

constexpr std::array<Kind, 5> kinds = {{
    {"man", manual_pages},
    {"markdown", reference_pages},
    {"bash", alone<bash_completion>},
    {"zsh", alone<zsh_completion>},
    {"fish", alone<fish_completion>},
}};

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds) names.emplace_back(kind.name);
  return names;
}

struct Options {
  CommonOptions common;
  std::string kind;
  std::string out;
};

std::vector<Document> documents_of(const std::string& kind, const CommandEntry& program) {
  const auto* const found = std::ranges::find(kinds, kind, &Kind::name);
  require(found != kinds.end(), ErrorKind::invalid_input,
          [&] { return fmt::format("'{}' is none of {}", kind, fmt::join(kind_names(), ", ")); });
  return found->documents(program);
}

void write_documents(const std::string& folder, const std::vector<Document>& documents) {
  io::make_folder(folder);
  for (const Document& document : documents) {
    io::write_whole((std::filesystem::path(folder) / document.name).string(),
                    [&](io::Sink& sink) { sink.write(document.text); });
  }
}

Json names_json(const std::string& folder, const std::vector<Document>& documents) {
  Json names = Json::array();
  for (const Document& document : documents) names.push_back(document.name);
  return {{"folder", folder}, {"files", names}};
}

Json texts_json(const std::vector<Document>& documents) {
  Json texts = Json::object();
  for (const Document& document : documents) texts[document.name] = document.text;
  return texts;
}

std::string texts(const std::vector<Document>& documents) {
  std::string text;
  for (const Document& document : documents) text += document.text;
  return text;
}

void run(const Options& options, const Command& app) {
  const std::vector<Document> documents = documents_of(options.kind, read_option_table(app));
  if (options.out.empty()) {
    print_result(
        options.common, [&] { return texts_json(documents); }, [&] { return texts(documents); });
    return;
  }
  write_documents(options.out, documents);
  print_result(
      options.common, [&] { return names_json(options.out, documents); },
      [&] { return fmt::format("{}: {} files\n", options.out, documents.size()); });
}

}  // namespace

void add_reference(Command& app) {
  Command& command =
      app.add_subcommand("reference", "Manual pages, reference pages, and completions for a shell");
  const auto options = std::make_shared<Options>();
  const std::vector<std::string> names = kind_names();
  command
      .add_option(
          "kind", options->kind,
          fmt::format("{} or {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back()))
      ->offers(names)
      ->required()
      ->type_name("");
  add_path(command, "--out", options->out,
           "Write them as files into this folder; by default print them")
      ->type_name("DIR");
  add_common_options(command, options->common);
  command.footer(
      "All of them are made from the same table as --help.\n\n"
      "Example:\n  caos reference bash --out ~/.local/share/bash-completion/completions");
  command.callback([options, &app] { run(*options, app); });
}

}  // namespace caos::cli
