#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caos/scores.hpp"
#include "caos/text/models/language_model.hpp"
#include "caos/text/text_scoring.hpp"

// For the engine's text scoring; not for users of the library.
namespace caos {

/// What is known of some texts after a reference.
using KnownTexts = std::vector<std::optional<text::ScoredText>>;

/// Positions of what is not known, cut into chunks that are computed and kept at a time: what a
/// sudden end can cost.
[[nodiscard]] std::vector<Indices> missing_chunks(const KnownTexts& known);

[[nodiscard]] std::vector<std::string> gather(std::span<const std::string> texts,
                                              const Indices& positions);

[[nodiscard]] std::vector<std::string> texts_of(std::span<const text::LabeledText> examples);

/// Throws `invalid_input` for a label that there is not; `what` is what an example is called.
void check_labels(std::span<const text::LabeledText> examples, std::size_t num_labels,
                  const char* what);

/// Adds up what several threads do, and tells one at a time.
class TextCounter {
 public:
  TextCounter(TextScoringTally& tally, std::uint64_t total_pairs,
              const std::function<void(const TextScoringProgress&)>& tell);

  /// `is_stored`: they were in the store. Counts what is there.
  void count(const KnownTexts& scored, bool is_stored);

 private:
  void add(const TextScoringTally& more);

  std::mutex mutex_;
  TextScoringTally& tally_;
  TextScoringProgress progress_{};
  const std::function<void(const TextScoringProgress&)>& tell_;
};

}  // namespace caos
