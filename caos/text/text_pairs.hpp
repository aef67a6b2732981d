#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caos/scores.hpp"
#include "caos/text/text_session.hpp"

// The pairs that a session scores: which are needed, which are missing, how many are done. Private
// to the library.
namespace caos {

/// The pairs of a reference and a text that are needed, each once. Refers to the references and
/// texts, which must outlive it.
class TextPairs {
 public:
  struct Options {
    Normalization normalization = Normalization::average;  ///< pmi needs the empty text as well
    bool skip_own = false;  ///< text i is reference i's: that pair is not needed
  };

  TextPairs(std::span<const text::LabeledText> references, std::span<const std::string> texts,
            Options options);

  /// How many references are different.
  [[nodiscard]] std::size_t num_references() const { return references_.size(); }
  [[nodiscard]] const text::LabeledText& reference(std::size_t r) const {
    return all_references_[references_[r].front()];
  }

  /// The texts that different reference `r` is needed with, all different; with pmi the empty one
  /// comes first.
  [[nodiscard]] std::vector<std::string> texts_of(std::size_t r) const;

  /// Pairs in all.
  [[nodiscard]] std::size_t size() const;

  /// Calls `f(position, reference, text)` for each place where a pair of reference `r` is needed:
  /// the position in `texts_of(r)`, and those in what was handed in.
  template <typename F>
  void for_each_place(std::size_t r, F&& f) const {
    const std::vector<std::size_t> needed = needed_with(r);
    for (std::size_t position = 0; position < needed.size(); ++position) {
      for (const std::size_t text : texts_[needed[position]]) {
        for (const std::size_t reference : references_[r]) {
          if (!options_.skip_own || reference != text) f(position, reference, text);
        }
      }
    }
  }

 private:
  /// Which different texts; 0 is the empty one.
  [[nodiscard]] std::vector<std::size_t> needed_with(std::size_t r) const;

  std::span<const text::LabeledText> all_references_;
  std::span<const std::string> all_texts_;
  Options options_;
  std::vector<Indices> references_;  // where each different one is
  std::vector<Indices> texts_;       // the same; the empty text comes first, and may be nowhere
};

/// The likelihoods that are known of some texts after a reference.
using KnownTexts = std::vector<std::optional<text::ScoredText>>;

/// Positions of the texts that are not known, in chunks that are computed and stored at a time: the
/// most that a sudden end can cost.
[[nodiscard]] std::vector<Indices> missing_chunks(const KnownTexts& known);

/// The texts at `positions`.
[[nodiscard]] std::vector<std::string> gather(std::span<const std::string> texts,
                                              const Indices& positions);

[[nodiscard]] std::vector<std::string> texts_of(std::span<const text::LabeledText> examples);

/// Throws `invalid_input` for a label out of range; `what` is what an example is called.
void check_labels(std::span<const text::LabeledText> examples, std::size_t num_labels,
                  const char* what);

/// Adds the work of several threads to a tally, and reports it from one at a time.
class TextCounter {
 public:
  /// `total_pairs` are those of the tally at the end. Keep what it is given alive.
  TextCounter(TextScoringTally& tally, std::uint64_t total_pairs, const TextProgress& progress)
      : tally_(tally), total_pairs_(total_pairs), progress_(progress) {}

  /// Counts the texts that are there. `is_stored`: they were in the store.
  void count(const KnownTexts& scored, bool is_stored);

 private:
  std::mutex mutex_;
  TextScoringTally& tally_;
  std::uint64_t total_pairs_;
  const TextProgress& progress_;
};

}  // namespace caos
