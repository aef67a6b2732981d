#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/cli/program.hpp"
#include "apps/cli/progress_bar.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "apps/cli/text/text_inputs.hpp"
#include "apps/cli/text/text_scoring_options.hpp"
#include "caos/dist/communicator.hpp"
#include "caos/io/score_file.hpp"
#include "caos/text/text_evaluation.hpp"
#include "caos/text/text_model.hpp"
#include "caos/text/text_scoring.hpp"
#include "caos/text/text_session.hpp"

namespace caos::cli {

/// The files that are read to score a table.
[[nodiscard]] std::vector<std::string> files_of(const TrainOptions& train,
                                                const ScoringOptions& scoring);

/// How scores came about.
struct ScoringReport {
  std::string model{};
  std::string description{};  ///< empty for a file of scores
  std::string identity{};
  std::string prompt{};  ///< `paper`, or the file of the template
  std::string normalization{};
  std::string store{};  ///< empty: not kept
  TextScoringTally tally{};
  double seconds = 0;
};

/// Adds what a report says to an object.
void add_to(Json& json, const ScoringReport& report);
/// One or two lines.
[[nodiscard]] std::string to_text(const ScoringReport& report);

/// Tells a manifest what a table was scored with and from, besides its own file.
void add_to(Manifest& manifest, const LabeledTable& table, const ScoringOptions& scoring,
            const ScoringReport& report);

/// A language model, the question that it is asked, and the store of its answers.
class ScoringSession {
 public:
  /// `accept` may refuse the model before anything is said or made for it.
  ScoringSession(const CommonOptions& common, const ScoringOptions& options,
                 text::Question question,
                 const std::function<void(const text::LanguageModel&)>& accept = {});

  [[nodiscard]] TextScorer& scorer() { return scorer_; }
  /// Fills the store with the scores of these texts under each other, on all ranks; for the first
  /// of them. The report is of this then.
  void fill_store(dist::Communicator& ranks, std::span<const text::LabeledText> examples);
  /// How many pairs all calls together will score, for the bar.
  void expect(std::size_t pairs) { progress_.expect(pairs); }
  [[nodiscard]] TextScoreRecord record() const { return session_.record(); }
  /// What has been done so far; takes the bar off the screen.
  [[nodiscard]] ScoringReport report();

 private:
  /// Puts progress on the screen.
  [[nodiscard]] std::function<void(const TextScoringProgress&)> shown();

  std::string template_file_;
  TextSession session_;
  ProgressBar bar_;
  TotalProgress progress_;
  std::chrono::steady_clock::time_point start_;
  TextScorer scorer_;
  std::optional<TextScoringTally> shared_tally_;
};

/// The scores of all labelled texts under each other, from a model or from a file.
class TableScores {
 public:
  /// Scores the table. Keep it alive as long as the scores are used.
  TableScores(const CommonOptions& common, const ScoringOptions& options,
              const std::string& reverse_file, const LabeledTable& table);

  /// [N, K, N].
  [[nodiscard]] const ScoreTensor& tensor() const { return tensor_; }
  /// Of Full CAOS; empty where a file of scores has no reverse scores beside it.
  [[nodiscard]] ReverseScorer reverse();
  [[nodiscard]] TextScoreRecord record() const;
  [[nodiscard]] ScoringReport report();

 private:
  [[nodiscard]] Matrix<Score> reverse_from_file(std::span<const Candidate> candidates,
                                                const Indices& labeled) const;

  const ScoringOptions options_;
  const LabeledTable& table_;
  std::unique_ptr<ScoringSession> session_;  // of a model
  Matrix<Score> matrix_;
  std::optional<io::ScoreTensorFile> file_;  // or of a file
  std::optional<io::ScoreTensorFile> reverse_;
  ScoreTensor tensor_;
};

/// Opens a file of scores [inputs, labels, references]; another shape is an Error invalid_input.
[[nodiscard]] io::ScoreTensorFile open_scores(const std::string& path, std::size_t inputs,
                                              std::size_t labels, std::size_t references);

}  // namespace caos::cli
