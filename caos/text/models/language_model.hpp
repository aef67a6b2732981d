#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "caos/scorers/log_likelihood.hpp"
#include "caos/text/label_space.hpp"
#include "caos/text/prompt_template.hpp"

namespace caos::text {

/// What a model is asked: how a prompt looks, and which labels may follow it.
struct Question {
  PromptTemplate prompt = PromptTemplate::paper();
  LabelSpace labels{};
};

/// One text after one reference.
struct ScoredText {
  std::vector<LabelLikelihood> labels{};  ///< one per label
  bool shortened = false;                 ///< the text or the reference's did not fit and was cut
  std::uint64_t tokens = 0;  ///< evaluated for it; the first text of a call carries those that the
                             ///< reference took

  friend bool operator==(const ScoredText&, const ScoredText&) = default;
};

/// What scoring would take, without doing it.
struct ScoringCost {
  std::uint64_t tokens = 0;           ///< to be evaluated; 0 where that is not known here
  std::uint64_t separate_tokens = 0;  ///< if every (reference, text, label) were a prompt by itself
  std::uint64_t shortened = 0;        ///< pairs whose prompt does not fit, so that texts are cut
  std::uint64_t requests = 0;         ///< to a server or a program
  std::uint64_t bytes_sent = 0;       ///< that leave the program

  ScoringCost& operator+=(const ScoringCost& other);
};

/// A fixed one-shot predictor: the likelihood of every label for a text after one labeled example.
/// Nothing in it may be fitted to the user's data.
class LanguageModel {
 public:
  virtual ~LanguageModel() = default;

  /// For people, one line: "llama:stories15M-q8_0.gguf, context 128".
  [[nodiscard]] virtual std::string description() const = 0;

  /// Everything the likelihoods depend on besides the question and the texts: kind, content hash,
  /// context, chat. Names no path. Two models with one identity give the same likelihoods.
  [[nodiscard]] virtual std::string identity() const = 0;

  /// The likelihoods of all labels for each text, in order. Each is a function of (reference, text)
  /// alone, to the last bit: which other texts are in the call, and threads, change nothing.
  /// Safe to call from several threads. Failures of the runtime are an Error backend.
  [[nodiscard]] virtual std::vector<ScoredText> score(const LabeledText& reference,
                                                      std::span<const std::string> texts) const = 0;

  /// What `score` would take.
  [[nodiscard]] virtual ScoringCost cost(const LabeledText& reference,
                                         std::span<const std::string> texts) const = 0;
};

}  // namespace caos::text
