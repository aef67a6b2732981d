#include "apps/cli/text/text_scores.hpp"

#include <fmt/format.h>

#include "caos/error.hpp"
#include "caos/numerics/check_scores.hpp"

namespace caos::cli {
namespace {

void tell_before_scoring(const CommonOptions& common, const ScoringOptions& options) {
  const std::string destination = text::destination_of(options.model);
  if (!destination.empty()) {
    note(common, fmt::format("texts and labels are sent to {}", destination));
  }
  if (options.store.empty() && options.model != "builtin") {
    note(common, "scores are not kept; --store DIR keeps them, so that the next run is fast");
  }
}

io::ScoreTensorFile open_tensor(const std::string& path, std::size_t inputs, std::size_t labels,
                                std::size_t references) {
  io::ScoreTensorFile file = io::open_tensor(path);
  const ScoreTensor tensor = file.tensor();
  require(tensor.num_inputs() == inputs && tensor.num_labels == labels &&
              tensor.num_references() == references,
          ErrorKind::invalid_input, [&] {
            return fmt::format(
                "{}: has the shape [{}, {}, {}]; {} texts, {} labels and {} references need "
                "[{}, {}, {}]",
                path, tensor.num_inputs(), tensor.num_labels, tensor.num_references(), inputs,
                labels, references, inputs, labels, references);
          });
  return file;
}

void add_embeddings(Json& json, const EmbeddingTally& tally, const std::string& store) {
  json["store"] = store.empty() ? Json(nullptr) : Json(store);
  json["texts_embedded"] = tally.texts - tally.from_store;
  json["texts_from_store"] = tally.from_store;
  json["truncated"] = tally.truncated;
}

std::string embeddings_text(const EmbeddingTally& tally, const std::string& store) {
  std::string text = fmt::format("{} texts and labels", tally.texts);
  if (!store.empty())
    text += fmt::format(", {} of them from the store {}", tally.from_store, store);
  if (tally.truncated > 0) {
    text += fmt::format("; {} were too long for the encoder, which left out their ends",
                        tally.truncated);
  }
  return text + "\n";
}

}  // namespace

std::vector<std::string> files_of(const TrainOptions& train, const ScoringOptions& scoring) {
  std::vector<std::string> files = files_of(train);
  for (std::string& file : files_of(scoring)) files.push_back(std::move(file));
  return files;
}

void add_to(Json& json, const ScoringReport& report) {
  json["model"] = report.model;
  if (report.description.empty()) return;
  json["model_description"] = report.description;
  json["model_identity"] = report.identity;
  if (report.embeddings) return add_embeddings(json, *report.embeddings, report.store);
  json["template"] = report.prompt;
  json["normalization"] = report.normalization;
  json["store"] = report.store.empty() ? Json(nullptr) : Json(report.store);
  json["pairs"] = report.tally.pairs;
  json["pairs_from_store"] = report.tally.pairs_from_store;
  json["pairs_computed"] = report.tally.pairs - report.tally.pairs_from_store;
  json["tokens"] = report.tally.tokens;
  json["shortened"] = report.tally.shortened;
}

std::string to_text(const ScoringReport& report) {
  if (report.description.empty()) return fmt::format("scores from {}\n", score_file(report.model));
  if (report.embeddings) {
    return fmt::format("model {}\n{}", report.description,
                       embeddings_text(*report.embeddings, report.store));
  }
  std::string text =
      fmt::format("model {}, normalization {}{}\n", report.description, report.normalization,
                  report.prompt == "paper" ? "" : ", template " + report.prompt);
  text += fmt::format("{} pairs of a reference and a text", report.tally.pairs);
  if (!report.store.empty()) {
    text +=
        fmt::format(", {} of them from the store {}", report.tally.pairs_from_store, report.store);
  }
  if (report.tally.shortened > 0) {
    text +=
        fmt::format("; {} did not fit the context, so that texts were cut", report.tally.shortened);
  }
  return text + "\n";
}

void add_to(Manifest& manifest, const LabeledTable& table, const ScoringOptions& scoring,
            const ScoringReport& report) {
  if (table.labels_from.ends_with(".json")) manifest.add_inputs({table.labels_from});
  manifest.add_inputs(model_files_of(scoring));
  manifest.set_language_model(report.model, report.identity);
}

ScoreFiles open_scores(const std::string& model, const std::string& reverse, std::size_t inputs,
                       std::size_t labels, std::size_t references) {
  ScoreFiles files{open_tensor(score_file(model), inputs, labels, references)};
  if (!reverse.empty()) files.reverse = open_tensor(reverse, inputs, labels, references);
  return files;
}

Matrix<Score> ScoreFiles::reverse_of(std::span<const Candidate> candidates,
                                     const Indices& examples) const {
  const ScoreTensor tensor = reverse->tensor();
  Matrix<Score> found(candidates.size(), examples.size());
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const std::size_t row = candidates[c].text * tensor.num_labels + candidates[c].label;
    tensor.rows.gather_row(row, examples, found.row(c));
    check_scores(found.row(c), tensor.name);
  }
  return found;
}

TextScoreRecord ScoreSource::record() const {
  if (session) return session->record();
  return {.model = options.model};
}

ScoringReport ScoreSource::report() const {
  if (!session) return {.model = options.model};
  bar->clear();
  const TextSessionOptions& how = session->options();
  const bool paper = how.question.prompt.source() == text::PromptTemplate::paper().source();
  return {.model = how.model,
          .description = session->model().description(),
          .identity = session->model().identity(),
          .prompt = paper ? "paper" : options.template_file,
          .normalization = std::string(normalization_name(how.normalization)),
          .store = session->store().path(),
          .tally = session->tally()};
}

ScoreSource source_of(const CommonOptions& common, const ScoringOptions& options,
                      const TextSession& opened, std::uint64_t expected_pairs) {
  tell_before_scoring(common, options);
  ScoreSource source{.options = options,
                     .bar = std::make_unique<ProgressBar>(common, "scoring pairs")};
  const auto show = [&bar = *source.bar](const TextScoringTally& done, std::uint64_t total) {
    bar.show(done.pairs, total, {.at_no_cost = done.pairs_from_store, .tokens = done.tokens});
  };
  source.session = opened.with_progress(show, expected_pairs);
  return source;
}

TableScores::TableScores(const CommonOptions& common, const ScoringOptions& options,
                         const std::string& reverse_file, const LabeledTable& table)
    : table_(table) {
  const std::size_t n = table.size();
  const std::size_t num_labels = table.labels.size();
  if (is_score_file(options.model)) {
    source_ = {.options = options,
               .files = open_scores(options.model, reverse_file, n, num_labels, n)};
    tensor_ = source_.files->scores.tensor();
    return;
  }
  source_ = source_of(common, options, TextSession(session_options(options, table.labels)));
  matrix_ = source_.session->score_labeled(table.examples);
  tensor_ = {.rows = ScoreRows(std::as_const(matrix_).view()),
             .num_labels = num_labels,
             .name = options.model};
}

ReverseScorer TableScores::reverse() {
  if (source_.session) return reverse_by(*source_.session, table_.examples);
  if (!source_.files->reverse) return {};
  return [this](std::span<const Candidate> candidates, const Indices& labeled) {
    return source_.files->reverse_of(candidates, labeled);
  };
}

}  // namespace caos::cli
