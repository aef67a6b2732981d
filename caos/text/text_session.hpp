#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "caos/text/models/language_models.hpp"
#include "caos/text/score_store.hpp"
#include "caos/text/text_model.hpp"
#include "caos/text/text_scoring.hpp"

namespace caos {

/// Which language model is asked, how, and where its answers are kept.
struct TextSessionOptions {
  std::string model = "builtin";  ///< as `text::open_language_model` takes it
  text::LanguageModelOptions model_options{};
  Normalization normalization = Normalization::average;
  std::string store{};      ///< folder; empty: kept in memory
  bool make_store = true;   ///< false: a store that is not there is not made, but in memory
  std::size_t threads = 0;  ///< references at work at once; 0: one per core
};

/// A language model, the question that it is asked, and the store of its answers. Its scorers may
/// be used from several threads, each scorer from one.
class TextSession {
 public:
  /// `accept` may refuse the model before anything is made for it.
  TextSession(TextSessionOptions options, text::Question question,
              const std::function<void(const text::LanguageModel&)>& accept = {});
  TextSession(const TextSession&) = delete;
  TextSession& operator=(const TextSession&) = delete;

  [[nodiscard]] const TextSessionOptions& options() const { return options_; }
  [[nodiscard]] const text::Question& question() const { return question_; }
  [[nodiscard]] const text::LanguageModel& model() const { return *model_; }
  [[nodiscard]] text::ScoreStore& store() { return store_; }

  /// A scorer, which counts for itself. The session must outlive it.
  [[nodiscard]] TextScorer scorer(std::function<void(const TextScoringProgress&)> progress = {});
  [[nodiscard]] TextScoringOptions scoring_options(
      std::function<void(const TextScoringProgress&)> progress) const;

  /// How its scores are made, for those who must make others in the same way.
  [[nodiscard]] TextScoreRecord record() const;

  /// Empties a store in memory; one on disk stays as it is. Not while a scorer is at work.
  void forget();

 private:
  TextSessionOptions options_;
  text::Question question_;
  std::unique_ptr<text::LanguageModel> model_;
  text::ScoreStore store_;
};

// New texts must be scored as the labelled texts of a model were. `name` is what errors call the
// text model.

/// The options as they were for the labelled texts. `given` says where the language model lies now
/// (empty: where it was) and what changes no score: key, retries, store, threads.
[[nodiscard]] TextSessionOptions options_like(const TextScoreRecord& record,
                                              TextSessionOptions given);

/// What the language model was asked.
[[nodiscard]] text::Question question_of(const TextModel& model, const std::string& name);

/// Throws `invalid_input` where texts would be sent to a server or a program that only the file of
/// the text model names: whoever made the file would decide what runs here and who reads the texts.
/// `option` is how the user names the model, such as "--model ".
void check_consent(const TextScoreRecord& record, const std::string& name,
                   const std::string& option);

/// Throws `invalid_input` unless the labelled texts were scored by such a language model.
void check_identity(const TextScoreRecord& record, const text::LanguageModel& model,
                    const std::string& name);

}  // namespace caos
