#include "text_scores.hpp"

#include <fmt/format.h>

#include "caos/core/error.hpp"
#include "caos/engine/shared_text_scoring.hpp"
#include "caos/numerics/check_scores.hpp"

namespace caos::cli {
namespace {

using Clock = std::chrono::steady_clock;

text::ScoreStore store_of(const ScoringOptions& options, const text::LanguageModel& model,
                          const text::Question& question) {
  return options.store.empty() ? text::ScoreStore::in_memory(model, question)
                               : text::ScoreStore::open(options.store, model, question);
}

std::unique_ptr<text::LanguageModel> model_of(
    const ScoringOptions& options, const text::Question& question,
    const std::function<void(const text::LanguageModel&)>& accept) {
  auto model = text::open_language_model(options.model, question, language_model_options(options));
  if (accept) accept(*model);
  return model;
}

void tell_before_scoring(const CommonOptions& common, const ScoringOptions& options) {
  const std::string destination = destination_of(options.model);
  if (!destination.empty()) {
    note(common, fmt::format("texts and labels are sent to {}", destination));
  }
  if (options.store.empty() && options.model != "builtin") {
    note(common, "scores are not kept; --store DIR keeps them, so that the next run is fast");
  }
}

}  // namespace

std::vector<std::string> files_of(const TrainOptions& train, const ScoringOptions& scoring) {
  std::vector<std::string> files = files_of(train);
  for (std::string& file : files_of(scoring)) files.push_back(std::move(file));
  return files;
}

ScoringSession::ScoringSession(const CommonOptions& common, const ScoringOptions& options,
                               text::Question question,
                               const std::function<void(const text::LanguageModel&)>& accept)
    : options_(options),
      question_(std::move(question)),
      model_(model_of(options, question_, accept)),
      store_(store_of(options, *model_, question_)),
      bar_(common, "scoring pairs"),
      start_(Clock::now()) {
  tell_before_scoring(common, options);
  scorer_.emplace(*model_, question_, store_, scoring_options());
}

TextScoringOptions ScoringSession::scoring_options() {
  return {.normalization = parse_normalization(options_.normalization),
          .threads = options_.threads,
          .progress = [this](const TextScoringProgress& progress) { show(progress); }};
}

void ScoringSession::fill_store(dist::Communicator& ranks,
                                std::span<const text::LabeledText> examples) {
  shared_tally_ =
      fill_store_on_ranks(ranks, *model_, question_, store_, examples, scoring_options());
}

void ScoringSession::show(const TextScoringProgress& progress) {
  const std::size_t pairs = finished_.pairs + progress.pairs;
  const std::size_t from_store = finished_.pairs_from_store + progress.pairs_from_store;
  const std::size_t tokens = finished_.tokens + progress.tokens;
  bar_.show(pairs, std::max(expected_, finished_.pairs + progress.total_pairs),
            {.at_no_cost = from_store, .tokens = tokens});
  if (progress.pairs == progress.total_pairs) {
    finished_ = {.pairs = pairs, .pairs_from_store = from_store, .tokens = tokens};
  }
}

TextScoreRecord ScoringSession::record() const {
  return {.model = options_.model,
          .identity = model_->identity(),
          .context = options_.context,
          .chat = options_.chat,
          .server_model = options_.server_model,
          .prompt = question_.prompt.source(),
          .normalization = parse_normalization(options_.normalization)};
}

ScoringReport ScoringSession::report() {
  bar_.clear();
  const bool paper = question_.prompt.source() == text::PromptTemplate::paper().source();
  return {.model = options_.model,
          .description = model_->description(),
          .identity = model_->identity(),
          .prompt = paper ? "paper" : options_.template_file,
          .normalization = options_.normalization,
          .store = store_.path(),
          .tally = shared_tally_ ? *shared_tally_ : scorer_->tally(),
          .seconds = std::chrono::duration<double>(Clock::now() - start_).count()};
}

void add_to(Json& json, const ScoringReport& report) {
  json["model"] = report.model;
  if (report.description.empty()) return;
  json["model_description"] = report.description;
  json["model_identity"] = report.identity;
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

io::ScoreTensorFile open_scores(const std::string& path, std::size_t inputs, std::size_t labels,
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

TableScores::TableScores(const CommonOptions& common, const ScoringOptions& options,
                         const std::string& reverse_file, const LabeledTable& table)
    : options_(options), table_(table) {
  const std::size_t n = table.size();
  const std::size_t num_labels = table.labels.size();
  if (const std::string path = score_file(options.model); !path.empty()) {
    file_ = open_scores(path, n, num_labels, n);
    if (!reverse_file.empty()) reverse_ = open_scores(reverse_file, n, num_labels, n);
    tensor_ = file_->tensor();
    return;
  }
  session_ = std::make_unique<ScoringSession>(common, options, question_of(options, table.labels));
  matrix_ = session_->scorer().score_labeled(table.examples);
  tensor_ = {.rows = ScoreRows(std::as_const(matrix_).view()),
             .num_labels = num_labels,
             .name = options.model};
}

ReverseScorer TableScores::reverse() {
  if (session_) {
    return [this](std::span<const Candidate> candidates, const Indices& labeled) {
      return reverse_from_model(candidates, labeled);
    };
  }
  if (!reverse_) return {};
  return [this](std::span<const Candidate> candidates, const Indices& labeled) {
    return reverse_from_file(candidates, labeled);
  };
}

Matrix<Score> TableScores::reverse_from_model(std::span<const Candidate> candidates,
                                              const Indices& labeled) {
  std::vector<text::LabeledText> references;
  for (const Candidate& candidate : candidates) {
    references.push_back({table_.examples[candidate.text].text, candidate.label});
  }
  std::vector<text::LabeledText> examples;
  for (const std::size_t i : labeled) examples.push_back(table_.examples[i]);
  return session_->scorer().score_own(references, examples);
}

Matrix<Score> TableScores::reverse_from_file(std::span<const Candidate> candidates,
                                             const Indices& labeled) const {
  const ScoreTensor tensor = reverse_->tensor();
  Matrix<Score> scores(candidates.size(), labeled.size());
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const std::size_t row = candidates[c].text * tensor.num_labels + candidates[c].label;
    tensor.rows.gather_row(row, labeled, scores.row(c));
    check_scores(scores.row(c), tensor.name);
  }
  return scores;
}

TextScoreRecord TableScores::record() const {
  if (session_) return session_->record();
  return {.model = options_.model};
}

ScoringReport TableScores::report() {
  if (session_) return session_->report();
  return {.model = options_.model};
}

}  // namespace caos::cli
