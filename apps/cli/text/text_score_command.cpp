#include <chrono>
#include <memory>

#include "apps/cli/options.hpp"
#include "apps/cli/processes.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "apps/cli/text/text_encoding.hpp"
#include "apps/cli/text/text_inputs.hpp"
#include "apps/cli/text/text_score_output.hpp"
#include "apps/cli/text/text_scores.hpp"
#include "caos/error.hpp"
#include "caos/text/text_session.hpp"

namespace caos::cli {
namespace {

struct TextScoreCommandOptions {
  CommonOptions common;
  TrainOptions train;
  ScoringOptions scoring;
  bool dry_run = false;
};

/// Everything that can be found wrong before a file is opened.
void check(const TextScoreCommandOptions& options) {
  check(options.train);
  require(!is_score_file(options.scoring.model), ErrorKind::invalid_input,
          "--model scores:FILE holds scores already; there is nothing to compute");
  check(options.scoring, "");
  check_standard_input(files_of(options.train, options.scoring));
}

void run_dry(const TextScoreCommandOptions& options, const LabeledTable& table) {
  TextSessionOptions how = session_options(options.scoring, table.labels);
  how.make_store = false;
  const TextSession session(std::move(how));
  print_result(options.common, TextPlanOutput{.table = table,
                                              .model = options.scoring.model,
                                              .description = session.model().description(),
                                              .normalization = options.scoring.normalization_name,
                                              .forecast = session.forecast(table.examples)});
}

/// Fills the store, and says how.
ScoringReport fill_store(const TextScoreCommandOptions& options, dist::Communicator& processes,
                         const LabeledTable& table) {
  ScoreSource source = source_of(
      options.common, options.scoring,
      TextSession::open_on_all(processes, session_options(options.scoring, table.labels)));
  const auto start = std::chrono::steady_clock::now();
  source.session->fill_store(processes, table.examples);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  ScoringReport report = source.report();
  report.seconds = taken.count();
  return report;
}

/// Encoders are fast: only the first process embeds.
bool has_encoder(const TextScoreCommandOptions& options) {
  return text::is_encoder(options.scoring.model);
}

void run_dry_encoder(const TextScoreCommandOptions& options, const LabeledTable& table) {
  EncoderSessionOptions how = encoder_options(options.scoring);
  how.make_store = false;
  const EncoderSession session(std::move(how));
  const std::vector<std::string> texts = texts_to_embed(table);
  print_result(options.common,
               EncoderPlanOutput{.table = table,
                                 .model = options.scoring.model,
                                 .description = session.encoder().description(),
                                 .to_embed = session.count_missing(texts),
                                 .destination = text::destination_of(options.scoring.model)});
}

ScoringReport fill_embedding_store(const TextScoreCommandOptions& options,
                                   const LabeledTable& table) {
  TextEncoding encoding(options.common, EncoderSession(encoder_options(options.scoring)));
  const auto start = std::chrono::steady_clock::now();
  static_cast<void>(encoding.session().embed(texts_to_embed(table)));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  ScoringReport report = encoding.report();
  report.seconds = taken.count();
  return report;
}

void score(const TextScoreCommandOptions& options, dist::Communicator& processes) {
  check(options);
  const LabeledTable table = read_labeled_table(options.common, options.train);
  if (options.dry_run) {
    return has_encoder(options) ? run_dry_encoder(options, table) : run_dry(options, table);
  }
  Manifest manifest(options.common,
                    {.inputs = {options.train.train}, .folder = options.scoring.store});
  const ScoringReport report = has_encoder(options) ? fill_embedding_store(options, table)
                                                    : fill_store(options, processes, table);
  print_result(options.common, TextScoreOutput{.table = table, .scoring = report});
  add_to(manifest, table, options.scoring, report);
  manifest.add_growing_output(report.store);
  manifest.write();
}

/// What the other processes do: their models score what the first hands out.
void help(const TextScoreCommandOptions& options, dist::Communicator& processes) {
  if (options.dry_run || has_encoder(options)) return;
  ScoringOptions scoring = options.scoring;
  // The first process reads the template and turns likelihoods into scores.
  scoring.template_file.clear();
  scoring.normalization_name = ScoringOptions().normalization_name;
  TextSession::open_on_all(processes, session_options(scoring)).help_to_fill_store(processes);
}

void run(const TextScoreCommandOptions& options) {
  on_all_processes([&](dist::Communicator& processes) {
    processes.is_first() ? score(options, processes) : help(options, processes);
  });
}

}  // namespace

void add_text_score(Command& text) {
  Command& command =
      text.add_subcommand("score", "Score labeled texts under each other and keep the scores");
  const auto options = std::make_shared<TextScoreCommandOptions>();
  add_train_options(command, options->train);
  add_model_options(command, options->scoring,
                    "builtin, encoder:DIR, embed:FILE.gguf, embed-server:URL, llama:FILE.gguf, "
                    "server:URL, chat-server:URL or 'command:PROGRAM "
                    "ARGUMENTS'");
  add_output(
      command, options->scoring.store,
      "Folder of the store, for --store of the other commands; existing scores are not computed "
      "again")
      ->type_name("DIR")
      ->required();
  command.add_flag(
      "--dry-run", options->dry_run,
      "Only print what would be computed, how long it may take, and where texts would be sent");
  add_threads(command, options->scoring.threads);
  add_server_options(command, options->scoring);
  add_result_options(command, options->common);
  command.footer(
      "It may be interrupted at any time; what was finished is kept.\n\n"
      "Example (in a copy of the project):\n"
      "  caos text score --train examples/messages/messages.csv -o scores --dry-run\n"
      "  caos text score --train examples/messages/messages.csv -o scores\n"
      "  caos text evaluate --train examples/messages/messages.csv --store scores");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
