#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>
#include <numeric>
#include <span>

#include "apps/cli/experiments/experiment_folder.hpp"
#include "apps/cli/experiments/raft_results.hpp"
#include "apps/cli/experiments/raft_tasks.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "apps/cli/text/text_encoding.hpp"
#include "apps/cli/text/text_scores.hpp"
#include "caos/error.hpp"
#include "caos/io/checksum.hpp"
#include "caos/io/folder.hpp"

namespace caos::cli {
namespace {

struct ExperimentRaftCommandOptions {
  CommonOptions common;
  std::string data;
  std::vector<std::string> tasks;
  ScoringOptions scoring;
  std::size_t seeds = 5;
  std::size_t seed = 0;
  std::size_t test_size = TextExperimentOptions{}.test_size;
  std::vector<std::string> alphas = {default_alpha};
  std::size_t k = TextExperimentOptions{}.k;
  std::vector<std::string> methods;
  bool clip_rank = false;
  std::string out;
};

/// The files that a run writes, besides the scores.
constexpr std::array<const char*, 3> raft_files = {"report.html", "results.json", "results.csv"};

/// Everything that can be found wrong before a file is opened.
void check(const ExperimentRaftCommandOptions& options) {
  check(options.scoring, "");
  require(score_file(options.scoring.model).empty(), ErrorKind::invalid_input,
          "--model scores:FILE holds the scores of one table, not of several tasks; for one table "
          "use 'caos text evaluate'");
  check_experiment_folder(options.out, raft_files, files_of(options.scoring));
}

std::vector<Method> methods_of(const ExperimentRaftCommandOptions& options) {
  if (text::is_encoder(options.scoring.model)) return encoder_methods(options.methods, false);
  check_needs_no_encoder(options.methods);
  return options.methods.empty() ? default_text_methods(false) : parse_methods(options.methods);
}

TextExperimentOptions engine_options(const ExperimentRaftCommandOptions& options) {
  TextExperimentOptions what;
  what.methods = methods_of(options);
  what.alphas = parse_alphas(options.alphas);
  what.k = options.k;
  what.test_size = options.test_size;
  what.seeds.resize(options.seeds);
  std::iota(what.seeds.begin(), what.seeds.end(), options.seed);
  what.rule = options.clip_rank ? RankRule::clip : RankRule::every_label;
  what.threads = options.scoring.threads;
  return what;
}

void check_size(const ExperimentRaftCommandOptions& options, const TaskFolder& task) {
  const std::size_t size = task.table.size();
  require(options.test_size < size, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} texts; --test-size {} leaves none to calibrate with",
                       task.table.name, size, options.test_size);
  });
  check_enough_texts(fmt::format("{} without {} test texts", task.table.name, options.test_size),
                     size - options.test_size, options.k);
}

/// What was asked for, without what changes no result.
std::string raft_command_text(const Command& command) {
  return command_text(command, "caos experiment raft",
                      {"--output", "--store", "--threads", "--json", "--quiet", "--key-variable",
                       "--key-file", "--timeout", "--retries", "--concurrency"});
}

/// By default the scores stay with the results: a second run computes none.
ScoringOptions scoring_of(const ExperimentRaftCommandOptions& options) {
  ScoringOptions scoring = options.scoring;
  if (scoring.store.empty()) scoring.store = options.out + "/scores";
  return scoring;
}

RaftTask run_encoder_task(const ExperimentRaftCommandOptions& options, const TaskFolder& task,
                          const TextExperimentOptions& what) {
  TextEncoding encoding(options.common, EncoderSession(encoder_options(scoring_of(options))));
  const EmbeddedTexts texts = embed_texts(task.table, encoding.session());
  RaftTask result{.text_columns = task.table.text_columns, .scoring = encoding.report()};
  result.experiment = run_text_experiment(
      task.name, task.table.size(), task.table.labels.size(), what, [&](const TextSplit& split) {
        return evaluate_embedded(texts, split, evaluate_options(what)).results;
      });
  return result;
}

RaftTask run_task(const ExperimentRaftCommandOptions& options, const TaskFolder& task,
                  const TextExperimentOptions& what) {
  if (text::is_encoder(options.scoring.model)) return run_encoder_task(options, task, what);
  TableScores scores(options.common, scoring_of(options), "", task.table);
  RaftTask result{.text_columns = task.table.text_columns, .scoring = scores.report()};
  result.experiment = run_text_experiment(task.name, scores.tensor(), task.table.example_labels(),
                                          what, scores.reverse());
  return result;
}

std::string hash_of(const std::string& text) {
  return io::checksum({std::as_bytes(std::span(text))});
}

RaftResults experiment(const ExperimentRaftCommandOptions& options, const std::string& command) {
  RaftResults results{.command = command, .options = engine_options(options)};
  // All tables first: a bad one is found before hours of scoring.
  const std::vector<TaskFolder> tasks = read_tasks(options.common, options.data, options.tasks);
  for (const TaskFolder& task : tasks) check_size(options, task);
  results.template_hash = hash_of(session_options(options.scoring).question.prompt.source());
  io::make_folder(options.out);
  for (const TaskFolder& task : tasks) {
    note(options.common,
         fmt::format("task {} of {}: {}, {} texts, {} labels", results.tasks.size() + 1,
                     tasks.size(), task.name, task.table.size(), task.table.labels.size()));
    results.tasks.push_back(run_task(options, task, results.options));
  }
  return results;
}

void write_folder(const std::string& folder, const RaftResults& results) {
  write_text(folder + "/results.csv", raft_csv(results));
  write_text(folder + "/results.json", json_text(to_json(results), 2) + "\n");
  write_text(folder + "/report.html", raft_page(results));
}

void run(const ExperimentRaftCommandOptions& options, const Command& command) {
  check(options);
  Manifest manifest(options.common, {.inputs = model_files_of(options.scoring),
                                     .folder = options.out,
                                     .manifest = options.out + "/manifest.json"});
  const RaftResults results = experiment(options, raft_command_text(command));
  write_folder(options.out, results);
  print_experiment(options.common, results, options.out);
  for (const RaftTask& task : results.tasks) {
    const std::string folder =
        (std::filesystem::path(options.data) / task.experiment.task).string();
    manifest.add_inputs({folder + "/train.csv", folder + "/task.json"});
    manifest.set_language_model(task.scoring.model, task.scoring.identity);
  }
  for (const char* name : raft_files) manifest.add_outputs({options.out + "/" + name});
  manifest.set_guarantee("that of each method, beside its figures in results.json");
  manifest.write();
}

void add_split_options(Command& command, ExperimentRaftCommandOptions& options) {
  add_whole_number(command, "--seeds", options.seeds, "Number of random splits of each task");
  add_whole_number(command, "--seed", options.seed, "Seed of the first split", 0);
  add_whole_number(command, "--test-size", options.test_size,
                   "Test texts of a split; the others are labeled");
}

void add_method_options(Command& command, ExperimentRaftCommandOptions& options) {
  add_alphas(command, options.alphas);
  add_k(command, options.k);
  command
      .add_option("--methods", options.methods,
                  "Among caos, full-caos, scos, scos-best, scos-oracle, split-caos, "
                  "split-caos-cal, split-caos-ref, and with encoder:DIR full-kernel; with a "
                  "language model full-caos costs further scoring")
      ->offers(encoder_method_names())
      ->delimiter(',')
      ->type_name("NAME,...")
      ->default_str("caos,scos,scos-best,scos-oracle; with encoder:DIR full-kernel before them");
  add_clip_rank(command, options.clip_rank);
}

}  // namespace

void add_experiment_raft(Command& experiment) {
  Command& command = experiment.add_subcommand(
      "raft", "CAOS and the split methods on tasks of labeled texts, as a report");
  const auto options = std::make_shared<ExperimentRaftCommandOptions>();
  add_path(command, "--data", options->data,
           "Folder with one folder per task, which holds train.csv and task.json")
      ->required()
      ->type_name("DIR");
  command.add_option("--tasks", options->tasks, "Tasks to run; by default all")
      ->delimiter(',')
      ->type_name("NAME,...");
  add_model_options(command, options->scoring,
                    "builtin, encoder:DIR, embed:FILE.gguf, embed-server:URL, llama:FILE.gguf, "
                    "server:URL, chat-server:URL or 'command:PROGRAM "
                    "ARGUMENTS'");
  add_split_options(command, *options);
  add_method_options(command, *options);
  add_store_option(command, options->scoring);
  add_output(command, options->out,
             "Folder for report.html, results.json, results.csv and, without --store, scores")
      ->required()
      ->type_name("DIR");
  add_threads(command, options->scoring.threads);
  add_server_options(command, options->scoring);
  add_result_options(command, options->common);
  command.footer(
      "Example (with the RAFT tasks in the folder raft):\n"
      "  caos experiment raft --data raft --seeds 20 -o report");
  command.callback([options, &command] { run(*options, command); });
}

}  // namespace caos::cli
