#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "caos/scores.hpp"
#include "caos/text/label_space.hpp"

// For the engine's text scoring; not for users of the library.
namespace caos {

/// The pairs of a reference and a text that are to be scored: each once, however often it is asked
/// for. Looks at the references and texts, which must outlive it.
class TextPairs {
 public:
  struct Options {
    bool skip_own = false;      ///< text i is reference i's: that pair is not asked for
    bool with_no_text = false;  ///< every reference is needed with the empty text as well
  };

  TextPairs(std::span<const text::LabeledText> references, std::span<const std::string> texts,
            Options options);

  /// How many references are different.
  [[nodiscard]] std::size_t num_references() const { return references_.size(); }
  [[nodiscard]] const text::LabeledText& reference(std::size_t r) const {
    return all_references_[references_[r].front()];
  }

  /// The texts that different reference `r` is needed with, all different; with `with_no_text` the
  /// empty one comes first.
  [[nodiscard]] std::vector<std::string> texts_of(std::size_t r) const;

  /// Pairs in all.
  [[nodiscard]] std::size_t size() const;

  /// Calls `f(position, reference, text)` for each place where a pair of reference `r` is asked
  /// for: the position in `texts_of(r)`, and those in what was handed in.
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

}  // namespace caos
