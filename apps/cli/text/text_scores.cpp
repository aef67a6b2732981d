#include "apps/cli/text/text_scores.hpp"

#include <fmt/format.h>

#include "caos/error.hpp"
#include "caos/numerics/check_scores.hpp"
#include "caos/text/shared_text_scoring.hpp"

namespace caos::cli {
namespace {

using Clock = std::chrono::steady_clock;

void tell_before_scoring(const CommonOptions& common, const ScoringOptions& options) {
  const std::string destination = text::destination_of(options.model);
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
    : template_file_(options.template_file),
      session_(session_options(options), std::move(question), accept),
      bar_(common, "scoring pairs"),
      start_(Clock::now()),
      scorer_(session_.scorer(shown())) {
  tell_before_scoring(common, options);
}

std::function<void(const TextScoringProgress&)> ScoringSession::shown() {
  return [this](const TextScoringProgress& call) {
    const TextScoringProgress all = progress_.with(call);
    bar_.show(all.pairs, all.total_pairs,
              {.at_no_cost = all.pairs_from_store, .tokens = all.tokens});
  };
}

void ScoringSession::fill_store(dist::Communicator& ranks,
                                std::span<const text::LabeledText> examples) {
  shared_tally_ =
      fill_store_on_ranks(ranks, session_.model(), session_.question(), session_.store(), examples,
                          session_.scoring_options(shown()));
}

ScoringReport ScoringSession::report() {
  bar_.clear();
  const bool paper = session_.question().prompt.source() == text::PromptTemplate::paper().source();
  return {.model = session_.options().model,
          .description = session_.model().description(),
          .identity = session_.model().identity(),
          .prompt = paper ? "paper" : template_file_,
          .normalization = std::string(normalization_name(session_.options().normalization)),
          .store = session_.store().path(),
          .tally = shared_tally_ ? *shared_tally_ : scorer_.tally(),
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

void add_to(Manifest& manifest, const LabeledTable& table, const ScoringOptions& scoring,
            const ScoringReport& report) {
  if (table.labels_from.ends_with(".json")) manifest.add_inputs({table.labels_from});
  manifest.add_inputs(model_files_of(scoring));
  manifest.set_language_model(report.model, report.identity);
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
  if (session_) return reverse_by(session_->scorer(), table_.examples);
  if (!reverse_) return {};
  return [this](std::span<const Candidate> candidates, const Indices& labeled) {
    return reverse_from_file(candidates, labeled);
  };
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
