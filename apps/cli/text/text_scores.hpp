#pragma once

#include <cstdint>
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
#include "caos/io/arrays/score_file.hpp"
#include "caos/text/encoded/encoder_session.hpp"
#include "caos/text/text_evaluation.hpp"
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
  std::optional<EmbeddingTally> embeddings{};  ///< of an encoder, which has no pairs
  double seconds = 0;                          ///< of `text score` alone

  /// Pairs or texts that were cut to fit the model.
  [[nodiscard]] std::uint64_t shortened() const {
    return embeddings ? embeddings->truncated : tally.shortened;
  }
};

/// Adds what a report says to an object.
void add_to(Json& json, const ScoringReport& report);
/// One or two lines.
[[nodiscard]] std::string to_text(const ScoringReport& report);

/// Tells a manifest what a table was scored with and from, besides its own file.
void add_to(Manifest& manifest, const LabeledTable& table, const ScoringOptions& scoring,
            const ScoringReport& report);

/// Scores in files, in place of a language model.
struct ScoreFiles {
  io::ScoreTensorFile scores;
  std::optional<io::ScoreTensorFile> reverse{};

  /// The reverse scores of candidates, by their position in the file, under `examples`.
  [[nodiscard]] Matrix<Score> reverse_of(std::span<const Candidate> candidates,
                                         const Indices& examples) const;
};

/// Opens files of scores [inputs, labels, references]; another shape is an Error invalid_input.
/// `model` is scores:FILE, `reverse` a file or empty.
[[nodiscard]] ScoreFiles open_scores(const std::string& model, const std::string& reverse,
                                     std::size_t inputs, std::size_t labels,
                                     std::size_t references);

/// Where scores come from: a session, with its progress on the screen, or files.
struct ScoreSource {
  ScoringOptions options{};
  std::unique_ptr<ProgressBar> bar{};  ///< of the session
  std::optional<TextSession> session{};
  std::optional<ScoreFiles> files{};

  [[nodiscard]] TextScoreRecord record() const;
  /// The work so far. Takes the bar off the screen.
  [[nodiscard]] ScoringReport report() const;
};

/// Tells the user where texts go, and shows how far the session has come.
[[nodiscard]] ScoreSource source_of(const CommonOptions& common, const ScoringOptions& options,
                                    const TextSession& opened, std::uint64_t expected_pairs = 0);

/// The scores of all labeled texts under each other.
class TableScores {
 public:
  /// Scores the table. Keep it alive as long as the scores are used.
  TableScores(const CommonOptions& common, const ScoringOptions& options,
              const std::string& reverse_file, const LabeledTable& table);

  /// [N, K, N].
  [[nodiscard]] const ScoreTensor& tensor() const { return tensor_; }
  /// Of Full CAOS; empty where a file of scores has no reverse scores beside it.
  [[nodiscard]] ReverseScorer reverse();
  [[nodiscard]] TextScoreRecord record() const { return source_.record(); }
  [[nodiscard]] ScoringReport report() const { return source_.report(); }

 private:
  const LabeledTable& table_;
  ScoreSource source_;
  Matrix<Score> matrix_;  // of a session
  ScoreTensor tensor_;
};

}  // namespace caos::cli
