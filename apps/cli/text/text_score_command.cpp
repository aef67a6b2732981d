#include <fmt/format.h>

#include <memory>
#include <optional>

#include "apps/cli/options.hpp"
#include "apps/cli/processes.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "apps/cli/text/text_inputs.hpp"
#include "apps/cli/text/text_score_output.hpp"
#include "apps/cli/text/text_scores.hpp"
#include "caos/error.hpp"
#include "caos/text/shared_text_scoring.hpp"

namespace caos::cli {
namespace {

struct Options {
  CommonOptions common;
  TrainOptions train;
  ScoringOptions scoring;
  bool dry_run = false;
};

/// Everything that can be found wrong before a file is opened.
void check(const Options& options) {
  check(options.train);
  require(!is_score_file(options.scoring.model), ErrorKind::invalid_input,
          "--model scores:FILE holds scores already; there is nothing to compute");
  check(options.scoring, "");
  check_standard_input(files_of(options.train, options.scoring));
}

ScoredTable described(const LabeledTable& table) {
  return {.name = table.name,
          .num_texts = table.size(),
          .num_labels = table.labels.size(),
          .labels_from = table.labels_from};
}

void run_dry(const Options& options, const LabeledTable& table) {
  TextSessionOptions how = session_options(options.scoring);
  how.make_store = false;
  TextSession session(std::move(how), question_of(options.scoring, table.labels));
  print_result(options.common,
               TextPlanOutput{.table = described(table),
                              .model = options.scoring.model,
                              .description = session.model().description(),
                              .normalization = options.scoring.normalization,
                              .forecast = forecast_scoring(session, table.examples)});
}

// Several ranks.

dist::Bytes message_of(const text::Question& question) {
  return dist::Packer()
      .put_text(question.prompt.source())
      .put_texts(question.labels.names())
      .take();
}

text::Question question_in(const dist::Bytes& message) {
  dist::Unpacker unpacker(message);
  const std::string prompt = unpacker.get_text();
  return {.prompt = text::PromptTemplate::parse(prompt, "the first rank's template"),
          .labels = text::LabelSpace(unpacker.get_texts())};
}

/// What another rank does: its model scores what the first hands it.
void help(const Options& options, dist::Communicator& ranks) {
  if (options.dry_run) return;
  const dist::Bytes message = from_first(ranks, {});
  std::unique_ptr<text::LanguageModel> model;
  together(ranks, [&] {
    model = text::open_language_model(options.scoring.model, question_in(message),
                                      session_options(options.scoring).model_options);
  });
  const dist::Bytes expected = from_first(ranks, {});
  together(ranks, [&] {
    const std::string identity = dist::Unpacker(expected).get_text();
    require(model->identity() == identity, ErrorKind::invalid_input, [&] {
      return fmt::format("--model {} is '{}' here, and '{}' for the first rank",
                         options.scoring.model, model->identity(), identity);
    });
  });
  help_to_fill_store(ranks, *model, options.scoring.threads);
}

void fill_store(dist::Communicator& ranks, std::optional<ScoringSession>& session,
                const Options& options, const LabeledTable& table) {
  const text::Question question = question_of(options.scoring, table.labels);
  static_cast<void>(from_first(ranks, [&] { return message_of(question); }));
  together(ranks, [&] { session.emplace(options.common, options.scoring, question); });
  static_cast<void>(from_first(
      ranks, [&] { return dist::Packer().put_text(session->record().identity).take(); }));
  together(ranks, [] {});  // their models are the same
  session->fill_store(ranks, table.examples);
}

void score(const Options& options, dist::Communicator& ranks) {
  check(options);
  const LabeledTable table = read_labeled_table(options.common, options.train);
  if (options.dry_run) return run_dry(options, table);
  Manifest manifest(options.common,
                    {.inputs = {options.train.train}, .folder = options.scoring.store});
  std::optional<ScoringSession> session;
  if (ranks.size() > 1) {
    fill_store(ranks, session, options, table);
  } else {
    session.emplace(options.common, options.scoring, question_of(options.scoring, table.labels));
    static_cast<void>(session->scorer().score_labeled(table.examples));
  }
  const ScoringReport report = session->report();
  print_result(options.common, TextScoreOutput{.table = described(table), .scoring = report});
  add_to(manifest, table, options.scoring, report);
  manifest.add_growing_output(report.store);
  manifest.write();
}

void run(const Options& options) {
  on_all_ranks([&](dist::Communicator& ranks) {
    ranks.is_first() ? score(options, ranks) : help(options, ranks);
  });
}

}  // namespace

void add_text_score(Command& text) {
  Command& command = text.add_subcommand(
      "score", "Score labeled texts under each other, keep the scores, and stop");
  const auto options = std::make_shared<Options>();
  add_train_options(command, options->train);
  add_model_options(command, options->scoring,
                    "builtin, llama:FILE.gguf, server:URL or 'command:PROGRAM ARGUMENTS'");
  add_path(
      command, "--out", options->scoring.store,
      "Folder of the store, for --store of the other commands; what it has is not computed again")
      ->type_name("DIR")
      ->required();
  command.add_flag("--dry-run", options->dry_run,
                   "Only say what there is to do, how long it may take, and where texts would go");
  add_threads(command, options->scoring.threads);
  add_server_options(command, options->scoring);
  add_result_options(command, options->common);
  command.footer(
      "It may be interrupted at any time; what was finished is kept.\n\n"
      "Example (in a copy of the project):\n"
      "  caos text score --train examples/messages/messages.csv --out scores --dry-run\n"
      "  caos text score --train examples/messages/messages.csv --out scores\n"
      "  caos text evaluate --train examples/messages/messages.csv --store scores");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
