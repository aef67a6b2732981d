#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace caos::text {

/// What a text is made of, as far as letters tell: a mass on each of its words, pairs of
/// neighboring words, and pieces of words (3 to 5 bytes, the ends of the word marked). ASCII
/// letters count in lower case. Long words have more mass than short ones, common English words
/// very little; the rules are fixed, and nothing depends on other texts. Features are known by
/// 64-bit hashes.
class LexicalFeatures {
 public:
  explicit LexicalFeatures(std::string_view text);

  struct Feature {
    std::uint64_t hash = 0;
    double mass = 0;
  };

  /// Ascending by hash, each once.
  [[nodiscard]] const std::vector<Feature>& features() const { return features_; }
  /// The sum of all masses; 0 for a text without words.
  [[nodiscard]] double mass() const { return mass_; }

 private:
  std::vector<Feature> features_;
  double mass_ = 0;
};

/// Cosine of the square roots of the masses: 0 where nothing is shared, 1 for equal texts. The same
/// bits on every machine, and either way round.
[[nodiscard]] double similarity(const LexicalFeatures& a, const LexicalFeatures& b);

/// How much of the mass of `part` lies on features that `whole` has as well, from 0 to 1.
[[nodiscard]] double share_within(const LexicalFeatures& part, const LexicalFeatures& whole);

}  // namespace caos::text
