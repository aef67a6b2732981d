#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/cli/method_choice.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "apps/cli/scores/conditional_options.hpp"
#include "apps/cli/scores/evaluation_output.hpp"
#include "apps/cli/text/text_encoding.hpp"
#include "apps/cli/text/text_inputs.hpp"
#include "apps/cli/text/text_scores.hpp"
#include "caos/error.hpp"
#include "caos/evaluation/evaluation_warnings.hpp"
#include "caos/text/text_evaluation.hpp"

namespace caos::cli {
namespace {

struct TextEvaluateCommandOptions {
  CommonOptions common;
  TrainOptions train;
  ScoringOptions scoring;
  std::string reverse;
  std::vector<std::string> alphas = {default_alpha};
  std::vector<std::string> methods;
  std::size_t k = CalibrationOptions{}.k;
  std::size_t test_size = default_test_size;
  std::uint64_t seed = default_split_seed;
  bool clip_rank = false;
  ConditionalOptions conditional;
};

/// What `text evaluate` found.
struct TextEvaluation {
  EvaluationReport evaluation{};
  ScoringReport scoring{};
  std::string labels_from;
  std::size_t num_unlisted = 0;       ///< test texts whose label is not in the list: always missed
  std::vector<std::string> test_ids;  ///< of the test texts
  std::vector<std::string> reference_ids;  ///< of the references of the split methods
};

Json to_json(const TextEvaluation& output) {
  Json json = cli::to_json(output.evaluation);
  json["labels"] = output.evaluation.label_names;
  json["labels_from"] = output.labels_from;
  if (output.labels_from == "train") {
    json["risk"] = train_labels_risk;
    json["num_test_unlisted"] = output.num_unlisted;
  }
  add_to(json, output.scoring);
  json["test_texts"] = output.test_ids;
  json["references"] = output.reference_ids;
  return json;
}

std::string to_text(const TextEvaluation& output) {
  return to_text(output.scoring) + text_of(output.evaluation);
}

// What is asked for.

bool is_grouped(const TextEvaluateCommandOptions& options) { return !options.train.groups.empty(); }

bool has_encoder(const TextEvaluateCommandOptions& options) {
  return text::is_encoder(options.scoring.model);
}

MethodChoice chosen_methods(const TextEvaluateCommandOptions& options) {
  if (has_encoder(options)) {
    const bool all = options.methods == std::vector<std::string>{"all"};
    std::vector<Method> methods =
        encoder_methods(all ? encoder_method_names() : options.methods, is_grouped(options));
    if (all && is_grouped(options)) std::erase_if(methods, is_scos);
    return {std::move(methods), {}};
  }
  check_needs_no_encoder(options.methods);
  return choose_methods(options.methods, [&](Method method) -> std::optional<std::string> {
    if (is_scos(method) && is_grouped(options)) {
      return fmt::format("{} has no form with groups", method_name(method));
    }
    if (method != Method::full_caos || !options.reverse.empty()) return std::nullopt;
    return "full-caos scores every text under every text with every label; name it in --methods";
  });
}

std::vector<Method> methods_of(const TextEvaluateCommandOptions& options) {
  return chosen_methods(options).methods;
}

/// Everything that can be found wrong before a file is opened.
void check(const TextEvaluateCommandOptions& options) {
  const std::vector<Method> methods = methods_of(options);
  static_cast<void>(parse_alphas(options.alphas));
  check(options.train);
  check(options.conditional, methods);
  check(options.scoring, options.reverse);
  const bool full = std::ranges::find(methods, Method::full_caos) != methods.end();
  check_reverse(options.scoring, options.reverse, full);
  check_text_methods(methods, is_grouped(options));
  std::vector<std::string> inputs = files_of(options.train, options.scoring);
  inputs.push_back(options.reverse);
  check_standard_input(inputs);
}

TextSplit split_of(const TextEvaluateCommandOptions& options, const LabeledTable& table) {
  require(options.test_size < table.size(), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} texts; --test-size {} leaves none to calibrate with", table.name,
                       table.size(), options.test_size);
  });
  check_enough_texts(fmt::format("{} without {} test texts", table.name, options.test_size),
                     table.size() - options.test_size, options.k);
  TextSplit split = draw_text_split(table.size(), options.test_size, options.seed);
  split.labels_from_labeled = table.labels_from_train;
  check_text_methods(methods_of(options), split.partition, options.k);
  return split;
}

EvaluateOptions engine_options(const TextEvaluateCommandOptions& options, const LabeledTable& table,
                               std::size_t num_labeled) {
  return {.methods = methods_of(options),
          .alphas = parse_alphas(options.alphas),
          .k = options.k,
          .grouping = grouping_of(options.train, table.example_labels(), table.labels.size()),
          .partition = {},
          .rule = options.clip_rank ? RankRule::clip : RankRule::every_label,
          .conditional = conditional_of(options.conditional, num_labeled),
          .threads = options.scoring.threads};
}

/// The names at `positions` of `among`.
std::vector<std::string> names_at(const Indices& positions, const std::vector<std::string>& among) {
  std::vector<std::string> names;
  for (const std::size_t i : positions) names.push_back(among[i]);
  return names;
}

/// Test texts whose label is not in the list.
std::size_t count_unlisted(const TextSplit& split, const LabeledTable& table,
                           const std::vector<std::string>& listed) {
  return static_cast<std::size_t>(std::ranges::count_if(split.test, [&](std::size_t i) {
    return std::ranges::find(listed, table.labels[table.examples[i].label]) == listed.end();
  }));
}

void evaluate_by_scores(const TextEvaluateCommandOptions& options, const LabeledTable& table,
                        const TextSplit& split, const EvaluateOptions& what,
                        TextEvaluation& output) {
  TableScores scores(options.common, options.scoring, options.reverse, table);
  output.evaluation = evaluate_texts(table, scores.tensor(), split, what, scores.reverse());
  output.scoring = scores.report();
}

void evaluate_by_encoder(const TextEvaluateCommandOptions& options, const LabeledTable& table,
                         const TextSplit& split, const EvaluateOptions& what,
                         TextEvaluation& output) {
  TextEncoding encoding(options.common, EncoderSession(encoder_options(options.scoring)));
  output.evaluation = evaluate_embedded(embed_texts(table, encoding.session()), split, what);
  output.scoring = encoding.report();
}

void run(const TextEvaluateCommandOptions& options) {
  check(options);
  Manifest manifest(options.common, {.inputs = {options.train.train, options.reverse}});
  const LabeledTable table = read_labeled_table(options.common, options.train);
  const TextSplit split = split_of(options, table);
  const EvaluateOptions what = engine_options(options, table, split.labeled.size());
  TextEvaluation output{
      .labels_from = table.labels_from,
      .test_ids = names_at(split.test, table.ids),
      .reference_ids = names_at(split.partition.references, names_at(split.labeled, table.ids))};
  has_encoder(options) ? evaluate_by_encoder(options, table, split, what, output)
                       : evaluate_by_scores(options, table, split, what, output);
  for (const std::string& text : chosen_methods(options).left_out) note(options.common, text);
  output.num_unlisted = count_unlisted(split, table, output.evaluation.label_names);
  for (const std::string& text :
       infeasibility_warnings(output.evaluation.results, split.partition, what.rule)) {
    warn(options.common, text);
  }
  print_result(options.common, output);
  add_to(manifest, table, options.scoring, output.scoring);
  manifest.set_guarantee(guarantees_of(output.evaluation.results));
  manifest.write();
}

// TextEvaluateCommandOptions.

void add_method_options(Command& command, TextEvaluateCommandOptions& options) {
  add_whole_number(command, "--test-size", options.test_size, "Number of held-out test texts");
  add_whole_number(command, "--seed", options.seed,
                   "Seed of the test texts, and of the random halving for the split methods", 0);
  add_alphas(command, options.alphas);
  add_k(command, options.k);
  std::vector<std::string> offered = encoder_method_names();
  offered.emplace_back("all");
  add_methods(command, options.methods)
      ->offers(offered)
      ->default_str(
          "caos,full-caos,scos; with an encoder full-kernel,caos,scos,scos-best,scos-oracle");
  add_label_groups_option(command, options.train);
  add_clip_rank(command, options.clip_rank);
  add_conditional_options(command, options.conditional);
}

}  // namespace

void add_text_evaluate(Command& text) {
  Command& command =
      text.add_subcommand("evaluate", "Coverage and set sizes on held-out labeled texts");
  const auto options = std::make_shared<TextEvaluateCommandOptions>();
  add_train_options(command, options->train);
  add_model_options(command, options->scoring, model_choices("[N, K, N]"));
  add_reverse_option(command, options->reverse, "[N, K, N]");
  add_method_options(command, *options);
  add_store_option(command, options->scoring);
  add_threads(command, options->scoring.threads);
  add_server_options(command, options->scoring);
  add_result_options(command, options->common);
  command.footer(
      "Example (in a copy of the project):\n"
      "  caos text evaluate --train examples/messages/messages.csv --test-size 30 --alpha 0.1");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
