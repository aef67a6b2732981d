#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <span>

#include "apps/cli/label_sets/set_output.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "apps/cli/text/text_encoding.hpp"
#include "apps/cli/text/text_inputs.hpp"
#include "apps/cli/text/text_prediction_output.hpp"
#include "apps/cli/text/text_scores.hpp"
#include "caos/error.hpp"
#include "caos/numerics/check_scores.hpp"
#include "caos/predict.hpp"
#include "caos/text/encoded/encoded_prediction.hpp"
#include "caos/text/text_model.hpp"

namespace caos::cli {
namespace {

struct TextPredictCommandOptions {
  CommonOptions common;
  std::string model;
  std::string texts;
  std::vector<std::string> text_columns;
  std::string id_column;
  std::vector<std::string> alphas = {default_alpha};
  std::string method;  ///< empty: caos, and with an encoder full-kernel
  bool clip_rank = false;
  bool explain = false;
  ScoringOptions scoring;
  std::string reverse;
  std::string out = "-";
  std::string format;
};

// What is asked for.

/// Throws `invalid_input` for a method that predicts no texts.
Method method_of(const TextPredictCommandOptions& options) {
  if (options.method.empty()) return Method::caos;
  const Method method = parse_encoder_method(options.method);
  if (method != Method::full_kernel) check_predicts(method);
  return method;
}

TextPredictOptions predict_options(const TextPredictCommandOptions& options,
                                   const TextModel& model) {
  TextPredictOptions what{.alphas = parse_alphas(options.alphas), .method = method_of(options)};
  what.rule = options.clip_rank ? RankRule::clip : RankRule::every_label;
  if (model.vectors && options.method.empty()) what.method = Method::full_kernel;
  require(model.vectors || what.method != Method::full_kernel, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "--method full-kernel needs vectors, and {} was calibrated with {}; calibrate with --model "
        "encoder:DIR, or use caos",
        options.model, model.scoring.model);
  });
  require(model.vectors || !options.explain, ErrorKind::invalid_input, [&] {
    return fmt::format(
        "--explain compares vectors, and {} was calibrated with {}; its rows have the supporting "
        "references",
        options.model, model.scoring.model);
  });
  return what;
}

/// Everything that can be found wrong before a file is opened.
void check(const TextPredictCommandOptions& options) {
  static_cast<void>(parse_alphas(options.alphas));
  static_cast<void>(method_of(options));
  static_cast<void>(row_format_of(options.out, options.format));
  require(options.out != "-" || !options.common.json, ErrorKind::invalid_input,
          "--json is for the summary, and standard output has the sets; give --output FILE");
  if (!options.scoring.model.empty()) check(options.scoring, options.reverse);
  std::vector<std::string> inputs = {options.model, options.texts, options.reverse};
  for (const std::string& file : files_of(options.scoring)) inputs.push_back(file);
  check_standard_input(inputs);
  if (options.out != "-") check_outputs({options.out}, inputs);
}

// The scores of new texts.

text::TextTable read_new_texts(const TextPredictCommandOptions& options, const TextModel& model) {
  return text::read_text_table(
      options.texts,
      {.text = options.text_columns.empty() ? model.text_columns : options.text_columns,
       .id = options.id_column});
}

/// Scores of another kind are not comparable. A file of scores was that of the labeled texts: using
/// it again would give answers about them.
void check_same_kind(const TextScoreRecord& record, const std::string& given,
                     const std::string& file) {
  require(given.empty() || text::is_encoder(given) == text::is_encoder(record.model),
          ErrorKind::invalid_input, [&] {
            return fmt::format("{}: was calibrated with {}, and {} is not of its kind", file,
                               record.model, given);
          });
  const bool from_file = is_score_file(record.model);
  require(!from_file || is_score_file(given), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{}: was calibrated with {}; give --model scores:FILE.npy with those of the new texts",
        file, record.model);
  });
  require(from_file || !is_score_file(given), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: was calibrated with the model {}; {} would be other scores", file,
                       record.model, given);
  });
}

/// The options in effect: those of the labeled texts.
ScoringOptions scoring_of(const TextPredictCommandOptions& options, const TextModel& model) {
  check_same_kind(model.scoring, options.scoring.model, options.model);
  if (options.scoring.model.empty()) check_consent(model.scoring, options.model, "--model ");
  const ScoringOptions scoring = options_like(model.scoring, options.scoring);
  check(scoring, options.reverse);
  const bool full = method_of(options) == Method::full_caos;
  check_reverse(scoring, options.reverse, full);
  return scoring;
}

ScoreFiles open_files(const std::string& scores, const std::string& reverse, const TextModel& model,
                      std::size_t num_texts) {
  ScoreFiles files =
      open_scores(scores, reverse, num_texts, model.labels.size(), model.examples.size());
  for (std::size_t t = 0; t < num_texts; ++t) check_input(files.scores.tensor(), t);
  if (!files.reverse) return files;
  for (std::size_t t = 0; t < num_texts; ++t) check_input(files.reverse->tensor(), t);
  return files;
}

ScoreSource open_source(const TextPredictCommandOptions& options, const TextModel& model,
                        std::size_t num_texts) {
  const ScoringOptions scoring = scoring_of(options, model);
  if (is_score_file(scoring.model)) {
    return {.options = scoring,
            .files = open_files(scoring.model, options.reverse, model, num_texts)};
  }
  return source_of(options.common, scoring,
                   reopen_session(model.scoring, model.labels, options.model, scoring),
                   num_texts * model.examples.size());
}

// Predicting.

/// What is predicted for some texts, and the most similar labeled ones of each, if asked for.
struct PredictedBlock {
  std::vector<TextPrediction> predictions{};
  std::vector<std::vector<SimilarText>> similar{};
};

/// Predicts `count` texts from `first` on.
using PredictBlock = std::function<PredictedBlock(std::size_t first, std::size_t count)>;

/// Predicts texts from the `first` of the files on.
std::vector<TextPrediction> predict_from(const ScoreFiles& files, std::size_t first,
                                         const TextModel& model, std::span<const std::string> texts,
                                         const TextPredictOptions& what) {
  const std::size_t num_labels = model.labels.size();
  Matrix<Score> scores(texts.size() * num_labels, model.examples.size());
  for (std::size_t row = 0; row < scores.rows(); ++row) {
    files.scores.tensor().rows.copy_row(first * num_labels + row, scores.row(row));
  }
  const auto reverse = [&](std::span<const Candidate> candidates) {
    std::vector<Candidate> in_file(candidates.begin(), candidates.end());
    for (Candidate& candidate : in_file) candidate.text += first;
    Indices all(model.examples.size());
    std::iota(all.begin(), all.end(), 0);
    return files.reverse_of(in_file, all);
  };
  return predict_texts(model, texts, std::as_const(scores).view(), what, reverse);
}

PredictBlock predict_by(ScoreSource& source, const TextModel& model, const text::TextTable& table,
                        const TextPredictOptions& what) {
  return [&](std::size_t first, std::size_t count) -> PredictedBlock {
    const auto texts = std::span(table.texts).subspan(first, count);
    return {.predictions = source.session ? predict_texts(model, *source.session, texts, what)
                                          : predict_from(*source.files, first, model, texts, what)};
  };
}

/// Predicts texts by an encoder.
class EncoderPrediction {
 public:
  EncoderPrediction(const TextPredictCommandOptions& options, const TextModel& model)
      : explains_(options.explain),
        encoding_(options.common,
                  reopen_encoder(model.scoring, options.model, encoder_options(options.scoring))),
        predictor_(model, options.scoring.threads) {}

  [[nodiscard]] PredictedBlock operator()(std::span<const std::string> texts,
                                          const TextPredictOptions& what) {
    const Matrix<float> vectors = encoding_.session().embed(texts);
    PredictedBlock block{.predictions = predictor_.predict(vectors.view(), what)};
    for (std::size_t t = 0; explains_ && t < texts.size(); ++t) {
      block.similar.push_back(predictor_.most_similar(vectors.row(t), texts_that_explain));
    }
    return block;
  }

  [[nodiscard]] ScoringReport report() const { return encoding_.report(); }

 private:
  static constexpr std::size_t texts_that_explain = 3;

  bool explains_;
  TextEncoding encoding_;
  EncodedPredictor predictor_;
};

// What is said.

void warn_if_infeasible(const TextPredictCommandOptions& options, const TextModel& model,
                        const TextPredictOptions& what) {
  for (const Miscoverage& alpha : what.alphas) {
    if (const auto warning = feasibility_warning(model, what, alpha)) {
      warn(options.common, *warning);
    }
  }
}

/// Predicts block by block; `put` takes text in order.
void put_rows(const text::TextTable& table, const PredictBlock& predict,
              const TextPredictionRows& rows, TextPredictionSummary& summary, const PutText& put) {
  put(rows.header());
  for (std::size_t first = 0; first < table.size(); first += text_block) {
    const std::size_t count = std::min(text_block, table.size() - first);
    const PredictedBlock block = predict(first, count);
    for (std::size_t i = 0; i < count; ++i) {
      summary.add(block.predictions[i]);
      put(block.similar.empty()
              ? rows.rows(table.ids[first + i], block.predictions[i])
              : rows.rows(table.ids[first + i], block.predictions[i], block.similar[i]));
    }
  }
}

Json guarantees_of(const TextModel& model, const TextPredictOptions& what) {
  Json list = Json::array();
  for (const Miscoverage& alpha : what.alphas) {
    list.push_back(
        {{"alpha", alpha.text()}, {"guarantee", guarantee_of(model, what, alpha).text()}});
  }
  return list;
}

void run(const TextPredictCommandOptions& options) {
  check(options);
  Manifest manifest(options.common, {.inputs = {options.model, options.texts, options.reverse},
                                     .outputs = {options.out}});
  const TextModel model = read_text_model(options.model);
  const TextPredictOptions what = predict_options(options, model);
  const text::TextTable table = read_new_texts(options, model);
  std::optional<EncoderPrediction> by_encoder;
  ScoreSource source;
  if (model.vectors) {
    source.options = scoring_of(options, model);
    by_encoder.emplace(options, model);
  } else {
    source = open_source(options, model, table.size());
  }
  const PredictBlock predict = by_encoder ? PredictBlock([&](std::size_t first, std::size_t count) {
    return (*by_encoder)(std::span(table.texts).subspan(first, count), what);
  })
                                          : predict_by(source, model, table, what);
  if (model.labels_from_train) warn(options.common, train_labels_risk);
  warn_if_infeasible(options, model, what);

  TextPredictionSummary summary(options.out, model, what);
  const TextPredictionRows rows(model, what, row_format_of(options.out, options.format),
                                options.explain);
  write_rows(options.out,
             [&](const PutText& put) { put_rows(table, predict, rows, summary, put); });
  summary.scoring = by_encoder ? by_encoder->report() : source.report();
  print_summary(options.common, options.out, to_json(summary), to_text(summary));
  manifest.add_inputs(model_files_of(source.options));
  manifest.set_language_model(summary.scoring.model, summary.scoring.identity);
  manifest.set_guarantee(guarantees_of(model, what));
  manifest.write();
}

// TextPredictCommandOptions.

void add_input_options(Command& command, TextPredictCommandOptions& options) {
  add_path(command, "model", options.model, "A model written by 'caos text calibrate'")
      ->required()
      ->type_name("");
  add_path(command, "texts", options.texts,
           "New texts: CSV with a header, or JSON Lines (.jsonl); '-' is standard input")
      ->required()
      ->type_name("");
  add_text_column_option(command, options.text_columns, "by default as in the training table");
  add_id_column_option(command, options.id_column);
}

void add_method_options(Command& command, TextPredictCommandOptions& options) {
  add_alphas(command, options.alphas);
  command
      .add_option(
          "--method", options.method,
          "caos; full-caos, with a language model at the price of further scoring; or, with "
          "an encoder, full-kernel")
      ->offers({"caos", "full-caos", "full-kernel"})
      ->default_str("caos, and full-kernel with an encoder")
      ->type_name("NAME");
  add_clip_rank(command, options.clip_rank);
}

}  // namespace

void add_text_predict(Command& text) {
  Command& command = text.add_subcommand("predict", "Label sets for new texts");
  const auto options = std::make_shared<TextPredictCommandOptions>();
  options->scoring.model.clear();  // what the labeled texts were scored with, unless it is given
  add_input_options(command, *options);
  add_method_options(command, *options);
  add_set_outputs(command, options->out, options->format);
  command.add_flag("--explain", options->explain,
                   "With an encoder: add the three most similar labeled texts to each row");
  command
      .add_option(
          "--model", options->scoring.model,
          "New location of the language model, or scores:FILE.npy [m, K, n] of these texts; a "
          "server or a program gets texts only if it is named here")
      ->type_name("NAME");
  add_reverse_option(command, options->reverse, "[m, K, n]");
  add_store_option(command, options->scoring);
  add_threads(command, options->scoring.threads);
  add_server_options(command, options->scoring);
  add_result_options(command, options->common);
  command.footer(
      "Each row has a text's set at one alpha, the most likely label and, for each label, a p-value\n"
      "and the labeled texts that speak for it; JSON Lines also have their scores.\n\n"
      "Example (after the example of 'caos text calibrate --help'):\n"
      "  caos text predict messages.caos examples/messages/new.csv --alpha 0.1 -o sets.csv\n"
      "  echo '{\"text\": \"where is my parcel?\"}' | caos text predict messages.caos -");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
