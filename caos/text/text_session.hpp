#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "caos/dist/communicator.hpp"
#include "caos/scores.hpp"
#include "caos/text/models/language_models.hpp"
#include "caos/text/score_store.hpp"

namespace caos {

/// Which language model is asked what, how its answers become scores, and where they are kept.
struct TextSessionOptions {
  std::string model = "builtin";  ///< as `text::open_language_model` takes it
  text::LanguageModelOptions model_options{};
  text::Question question{};
  Normalization normalization = Normalization::average;
  std::string store{};      ///< folder; empty: kept in memory
  bool make_store = true;   ///< false: a store that does not exist is not created, but in memory
  std::size_t threads = 0;  ///< references scored at once; 0: one per core. Changes no number
};

/// How scores were made: those of new texts must be made in the same way.
struct TextScoreRecord {
  std::string model = "builtin";  ///< as it was given; keys are not kept
  std::string identity{};         ///< the language model's; of scores from a file: empty
  std::size_t context = 0;
  bool chat = false;
  std::string server_model{};
  std::string prompt{};  ///< source of the template
  Normalization normalization = Normalization::average;

  friend bool operator==(const TextScoreRecord&, const TextScoreRecord&) = default;
};

/// The work done by a session. Pairs are (reference, text).
struct TextScoringTally {
  std::uint64_t pairs = 0;
  std::uint64_t pairs_from_store = 0;
  std::uint64_t shortened = 0;  ///< pairs whose prompt did not fit, from the store or not
  std::uint64_t tokens = 0;     ///< evaluated, not from the store

  TextScoringTally& operator+=(const TextScoringTally& other);
};

/// Called from one thread at a time with the work done so far, of `total_pairs`.
using TextProgress = std::function<void(const TextScoringTally& done, std::uint64_t total_pairs)>;

/// The work that `TextSession::score_labeled` has left.
struct TextScoringPlan {
  std::uint64_t pairs = 0;
  std::uint64_t pairs_in_store = 0;
  text::ScoringCost cost{};  ///< of the others
};

/// The plan with an estimate of the time that it takes.
struct TextForecast {
  /// How fast a few pairs were scored.
  struct Measured {
    std::uint64_t pairs = 0;
    std::uint64_t tokens = 0;
    double seconds = 0;
  };

  TextScoringPlan plan{};
  std::size_t num_labels = 0;
  std::optional<Measured> measured{};
  std::string destination{};  ///< where texts would go; empty: nowhere

  [[nodiscard]] std::uint64_t pairs_to_compute() const { return plan.pairs - plan.pairs_in_store; }
  [[nodiscard]] std::uint64_t prompts() const { return pairs_to_compute() * num_labels; }
  /// A server may have to see texts before it is known whether they fit.
  [[nodiscard]] bool knows_shortened() const {
    return plan.cost.requests == 0 || plan.cost.shortened > 0;
  }
  /// Nothing where nothing was measured.
  [[nodiscard]] std::optional<double> estimated_seconds() const;
};

/// One-shot scores of texts: a language model, the question it is asked, and the store of its
/// answers. What the store has is not computed again, and what is computed is added to it, one
/// reference and a few dozen texts at a time. A session is used from one thread; `with_progress`
/// makes sessions with the same model and store for other threads.
class TextSession {
 public:
  /// Opens the model, then the store.
  explicit TextSession(TextSessionOptions options);
  /// With a model that is open already.
  TextSession(TextSessionOptions options, std::shared_ptr<const text::LanguageModel> model);
  TextSession(TextSession&&) noexcept = default;
  TextSession& operator=(TextSession&&) noexcept = default;

  /// A session with the same model and store, and with a tally of its own. `expected_pairs` is how
  /// many pairs all its calls together will score; if it turns out to be more, that counts.
  [[nodiscard]] TextSession with_progress(TextProgress progress,
                                          std::uint64_t expected_pairs = 0) const;

  [[nodiscard]] const TextSessionOptions& options() const { return options_; }
  [[nodiscard]] const text::LabelSpace& labels() const { return options_.question.labels; }
  [[nodiscard]] const text::LanguageModel& model() const { return *source_->model; }
  [[nodiscard]] text::ScoreStore& store() const { return source_->store; }
  /// References scored at once.
  [[nodiscard]] std::size_t threads() const;
  /// How the scores are made, to make others in the same way.
  [[nodiscard]] TextScoreRecord record() const;
  /// The work done so far.
  [[nodiscard]] const TextScoringTally& tally() const { return tally_; }

  /// Scores [texts x K, references]: row t K + y holds label y of text t under every reference.
  [[nodiscard]] Matrix<Score> score(std::span<const text::LabeledText> references,
                                    std::span<const std::string> texts);

  /// The same of labeled texts under each other. An example's scores under itself are +infinity.
  [[nodiscard]] Matrix<Score> score_labeled(std::span<const text::LabeledText> examples);

  /// The scores of the own label of every example under each reference: [references, examples].
  [[nodiscard]] Matrix<Score> score_own(std::span<const text::LabeledText> references,
                                        std::span<const text::LabeledText> examples);

  /// The work that `score_labeled` has left, without doing it.
  [[nodiscard]] TextScoringPlan plan(std::span<const text::LabeledText> examples) const;
  /// Also scores a few pairs to measure the time, and keeps none of them; sends nothing to a
  /// server.
  [[nodiscard]] TextForecast forecast(std::span<const text::LabeledText> examples) const;

  /// Opens a session on each of several processes; all call it. The question and the store are
  /// those of the first. Throws `invalid_input` unless all have the same model.
  [[nodiscard]] static TextSession open_on_all(dist::Communicator& processes,
                                               TextSessionOptions options);
  /// On the first process: fills the store with all that `score_labeled` needs, and counts as it
  /// does. All processes compute; the first alone uses the store.
  void fill_store(dist::Communicator& processes, std::span<const text::LabeledText> examples);
  /// On the other processes: computes what the first hands out until the store is full.
  void help_to_fill_store(dist::Communicator& processes) const;

  /// Empties a store in memory; one on disk stays as it is. Not while any session uses it.
  void forget();

 private:
  /// Where likelihoods come from; shared by the sessions of several threads.
  struct Source {
    std::shared_ptr<const text::LanguageModel> model;
    text::ScoreStore store;
  };
  /// Where the scores of all labels of a text under a reference go.
  using Place =
      std::function<void(std::size_t reference, std::size_t text, std::span<const Score>)>;

  TextSession(TextSessionOptions options, std::shared_ptr<Source> source)
      : options_(std::move(options)), source_(std::move(source)) {}

  // Every score goes through this function: models that give something else than likelihoods, such
  // as one embedding per text, plug in here.
  void score_pairs(std::span<const text::LabeledText> references,
                   std::span<const std::string> texts, bool skip_own, const Place& place);
  [[nodiscard]] Matrix<Score> score_all(std::span<const text::LabeledText> references,
                                        std::span<const std::string> texts, bool skip_own);

  TextSessionOptions options_;
  std::shared_ptr<Source> source_;
  TextProgress progress_{};
  std::uint64_t expected_pairs_ = 0;
  TextScoringTally tally_{};
};

// New texts must be scored as the labeled texts of a model were. `name` is what errors call the
// text model.

/// The options as they were for the labeled texts. `given` has the model where it is stored now
/// (empty: where it was) and options that change no score: key, retries, store, threads.
[[nodiscard]] TextSessionOptions options_like(const TextScoreRecord& record,
                                              TextSessionOptions given);

/// Throws `invalid_input` where texts would be sent to a server or a program that only the file of
/// the text model names: the author of the file would decide what runs here and who reads the
/// texts. `option` is how the user names the model, such as "--model ".
void check_consent(const TextScoreRecord& record, const std::string& name,
                   const std::string& option);

/// Opens a session with `options_like(record, given)`. Throws `invalid_input`, before it creates a
/// store, unless the labeled texts were scored by the same language model.
[[nodiscard]] TextSession reopen_session(const TextScoreRecord& record, text::LabelSpace labels,
                                         const std::string& name, TextSessionOptions given);

}  // namespace caos
