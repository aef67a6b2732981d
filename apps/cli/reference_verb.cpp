#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "caos/core/error.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/write_whole.hpp"
#include "documents.hpp"
#include "options.hpp"
#include "program.hpp"

namespace caos::cli {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string joined_name(const VerbEntry& verb, const std::string& by) {
  return replaced(verb.name, " ", by);
}

namespace {

const std::vector<std::string> kinds = {"man", "markdown", "bash", "zsh", "fish"};

struct Options {
  CommonOptions common;
  std::string kind;
  std::string out;
};

std::vector<Document> documents_of(const std::string& kind, const VerbEntry& program) {
  if (kind == "man") return manual_pages(program);
  if (kind == "markdown") return reference_pages(program);
  if (kind == "bash") return {bash_completion(program)};
  if (kind == "zsh") return {zsh_completion(program)};
  require(kind == "fish", ErrorKind::invalid_input,
          [&] { return fmt::format("'{}' is none of man, markdown, bash, zsh, fish", kind); });
  return {fish_completion(program)};
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

void run(const Options& options, CLI::App& app) {
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

void add_reference(CLI::App& app) {
  CLI::App& verb = *app.add_subcommand(
      "reference", "Manual pages, reference pages, and completions for a shell");
  const auto options = std::make_shared<Options>();
  offer(verb.add_option("kind", options->kind, "man, markdown, bash, zsh or fish"), kinds)
      ->required()
      ->type_name("");
  add_path(verb, "--out", options->out,
           "Write them as files into this folder; by default print them")
      ->type_name("DIR");
  add_common_options(verb, options->common);
  verb.footer(
      "All of them are made from the same table as --help.\n\n"
      "Example:\n  caos reference bash --out ~/.local/share/bash-completion/completions");
  verb.callback([options, &app] { run(*options, app); });
}

}  // namespace caos::cli
